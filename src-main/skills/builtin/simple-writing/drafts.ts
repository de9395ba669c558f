import { z } from 'zod';

/** An outline of at most `sections` sections. */
export function outlineDraft(sections: number) {
  return z.object({
    title: z.string().trim().min(1).max(200),
    sections: z
      .array(
        z.object({
          heading: z.string().trim().min(1).max(200),
          points: z.string().trim().min(1).max(2_000),
        }),
      )
      .min(1)
      .max(sections),
  });
}
export type Outline = z.infer<ReturnType<typeof outlineDraft>>;

export const EmailDraft = z.object({
  subject: z.string().trim().min(1).max(200),
  greeting: z.string().trim().min(1).max(300),
  body: z.string().trim().min(1).max(20_000),
  closing: z.string().trim().min(1).max(500),
});
export type EmailDraft = z.infer<typeof EmailDraft>;
