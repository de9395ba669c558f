import type { AttachedPicture } from '#contract/attachments.ts';
import { AppError } from '#contract/errors.ts';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/limits.ts';
import { openRegularFile } from '../base/open-regular-file.ts';
import { isPictureName, PICTURE_HEAD_BYTES, pictureKind } from '../pictures/picture-kind.ts';
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

/**
 * The same for a file of this computer, of which only the head is read if it is no picture. One that is larger than a
 * window may send is no picture for a model. Null for what cannot be opened, too: copying it says why.
 */
export async function pictureInFile(
  { name, path }: { readonly name: string; readonly path: string },
  pictures: Pick<PictureStore, 'preview'>,
): Promise<AttachedPicture | null> {
  await using file = await openRegularFile(path).catch(() => null);
  if (file === null) return null;
  const head = Buffer.alloc(PICTURE_HEAD_BYTES);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  if (pictureKind(head.subarray(0, bytesRead)) === null && !isPictureName(name)) return null;
  if ((await file.stat()).size > ATTACHMENT_LIMIT_BYTES) return null;
  return await attachedPicture({ name, bytes: await file.readFile() }, pictures);
}
