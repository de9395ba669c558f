import { readFile, stat } from 'node:fs/promises';
import type { AttachedPicture } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/limits.ts';
import { isPictureName, pictureKind } from '../pictures/picture-kind.ts';
import type { PictureStore } from '../pictures/picture-store.ts';

/**
 * What a window shows of an attached file; null for one that is no picture and does not say that it is. A picture
 * that cannot be read may still be attached: programs of the task can work on it.
 */
export async function attachedPicture(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  pictures: Pick<PictureStore, 'preview'>,
): Promise<AttachedPicture | null> {
  if (pictureKind(bytes) === null && !isPictureName(name)) return null;
  try {
    return await pictures.preview(bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problem: error.message };
  }
}

/** The same for a file of this computer. One that is larger than a window may send is no picture for a model. */
export async function pictureInFile(
  { name, path }: { readonly name: string; readonly path: string },
  pictures: Pick<PictureStore, 'preview'>,
): Promise<AttachedPicture | null> {
  const { size } = await stat(path);
  if (size > ATTACHMENT_LIMIT_BYTES) return null;
  return await attachedPicture({ name, bytes: await readFile(path) }, pictures);
}
