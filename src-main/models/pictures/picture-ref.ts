import { z } from 'zod';

/**
 * A picture of a task, as messages and the run journal hold it: its bytes are kept with the task, under their hash.
 */
export const PictureRef = z.object({
  /** What the user or the model calls it: a path in the workspace. */
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  mimeType: z.enum(['image/png', 'image/jpeg']),
  width: z.int().positive(),
  height: z.int().positive(),
});
export type PictureRef = z.infer<typeof PictureRef>;
