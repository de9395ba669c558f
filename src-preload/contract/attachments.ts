import { z } from 'zod';
import { ATTACHMENT_LIMIT_BYTES } from './limits.ts';

/** A file that is a picture, or says by its name that it is one, as a window shows it before it is sent. */
export const AttachedPicture = z.union([
  z.strictObject({
    width: z.int().positive(),
    height: z.int().positive(),
    /** A small copy as a `data:` URL. */
    preview: z.string().regex(/^data:image\/png;base64,[A-Za-z0-9+/=]+$/),
  }),
  /** It cannot be shown to a model, and why. */
  z.strictObject({ problem: z.string() }),
]);
export type AttachedPicture = z.infer<typeof AttachedPicture>;

/** A file that was stored for a message that is not sent yet; `runs.start` takes its id. */
export const AddedAttachment = z.strictObject({
  attachmentId: z.string().min(1).max(100),
  name: z.string(),
  /** In bytes. */
  size: z.int(),
  /** Null for a file that is no picture. */
  picture: AttachedPicture.nullable(),
});
export type AddedAttachment = z.infer<typeof AddedAttachment>;

/** Requests about files for messages; a part of `REQUESTS`. */
export const ATTACHMENT_REQUESTS = {
  /** `data` is base64. */
  'attachments.add': {
    effect: 'once',
    input: z.strictObject({
      name: z.string().min(1).max(255),
      data: z.base64().max(Math.ceil(ATTACHMENT_LIMIT_BYTES / 3) * 4),
    }),
    output: AddedAttachment,
  },
} as const;
