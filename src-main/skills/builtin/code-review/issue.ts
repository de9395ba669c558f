import { z } from 'zod';
import { lenientChoice } from '../../lenient-choice.ts';
import { CATEGORIES, type Category, SEVERITIES, type Severity } from './kinds.ts';

/** A number that small models write as text, or with a word; 0 for none. */
const LineNumber = z
  .union([z.number(), z.string()])
  .transform((said) => Math.trunc(Number(/\d+/.exec(String(said))?.[0] ?? 0)));

const IssueDraft = z.object({
  line: LineNumber,
  end_line: LineNumber.nullish(),
  severity: lenientChoice(SEVERITIES, {
    spoken: {
      ...{ blocker: 'critical', severe: 'critical', major: 'high', error: 'high' },
      ...{ moderate: 'medium', warning: 'medium', minor: 'low', info: 'low', trivial: 'low' },
    },
    otherwise: 'medium',
  }),
  category: lenientChoice(CATEGORIES, {
    spoken: {
      ...{ bugs: 'bug', logic: 'bug', correctness: 'bug', performance: 'bug', error: 'bug' },
      ...{ vulnerability: 'security', readability: 'style', naming: 'style' },
      ...{ maintainability: 'style', 'code style': 'style', documentation: 'style' },
    },
    otherwise: 'bug',
  }),
  message: z.string().trim().min(1).max(2_000),
  suggestion: z.string().trim().max(2_000).default(''),
  quote: z.string().min(1).max(2_000),
});
/** A problem as the model names it; nothing of it is checked yet. */
export type IssueDraft = z.infer<typeof IssueDraft>;

/** What a model says of one part of the code. */
export const PartReview = z.object({
  summary: z.string().trim().max(1_000).default(''),
  issues: z.array(IssueDraft).max(30),
});

/** A problem at a place that is there: `quote` is what stands in `line`. */
export interface Issue {
  readonly severity: Severity;
  readonly category: Category;
  readonly line: number;
  /** The last line; `line` where it is one. */
  readonly end_line: number;
  readonly message: string;
  readonly suggestion: string;
  readonly quote: string;
  readonly found_by: 'model' | 'rule' | 'both';
}

const QUOTE_CHARS = 300;

/** A line as issues show it. */
export function quoteOf(line: string): string {
  return line.trim().slice(0, QUOTE_CHARS);
}
