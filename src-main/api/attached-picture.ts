import type { AttachedPicture } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
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
