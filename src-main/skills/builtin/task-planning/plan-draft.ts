import { z } from 'zod';
import { lenientChoice } from '../../lenient-choice.ts';

const LEVELS = ['low', 'medium', 'high'] as const;

const StepDraft = z.object({
  id: z.union([z.string(), z.number()]).transform(String).default(''),
  title: z.string().trim().min(1).max(200),
  goal: z.string().trim().min(1).max(4_000),
  depends_on: z
    .array(z.union([z.string(), z.number()]).transform(String))
    .max(20)
    .default([]),
  tools_hint: z.array(z.string()).max(20).default([]),
  expected_evidence: z.string().trim().min(1).max(1_000),
  risk: lenientChoice(LEVELS, {
    aliases: { none: 'low', minor: 'low', moderate: 'medium', major: 'high', critical: 'high' },
    otherwise: 'medium',
  }),
});
export type StepDraft = z.infer<typeof StepDraft>;

/** A model's plan of at most `maxSteps` steps. */
export function planDraft(maxSteps: number) {
  return z.object({
    goal: z.string().trim().min(1).max(1_000),
    steps: z.array(StepDraft).min(Math.min(2, maxSteps)).max(maxSteps),
    assumptions: z.array(z.string().trim().max(500)).max(20).default([]),
    open_questions: z.array(z.string().trim().max(500)).max(20).default([]),
    estimated_complexity: lenientChoice(LEVELS, {
      aliases: { simple: 'low', easy: 'low', moderate: 'medium', complex: 'high', hard: 'high' },
      otherwise: 'medium',
    }),
  });
}
