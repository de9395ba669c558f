import type { AddedAttachment } from '#contract/attachments.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import type { AttachmentStore } from '../storage/attachment-store.ts';
import { attachedPicture } from './attached-picture.ts';
import type { Requests } from './types.ts';

export interface AttachmentParts {
  readonly attachments: Pick<AttachmentStore, 'add'>;
  readonly pictures: Pick<PictureStore, 'preview'>;
}

/** Stores a file for a message. Throws `ATTACHMENT_TOO_LARGE`, `DISK_FULL`. */
export async function storeAttachment(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  { attachments, pictures }: AttachmentParts,
): Promise<AddedAttachment> {
  const added = await attachments.add(name, bytes);
  return { ...added, picture: await attachedPicture({ name, bytes }, pictures) };
}

export function attachmentRequests(parts: AttachmentParts) {
  return {
    'attachments.add': ({ name, data }) =>
      storeAttachment({ name, bytes: Buffer.from(data, 'base64') }, parts),
  } satisfies Requests<'attachments'>;
}
