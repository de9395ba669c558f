import { z } from 'zod';

/** How long a text is to be, in words, and in how many sections. */
export const LENGTHS = {
  short: { words: 250, sections: 3 },
  medium: { words: 700, sections: 5 },
  long: { words: 1_800, sections: 8 },
} as const;
export type Length = keyof typeof LENGTHS;

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
