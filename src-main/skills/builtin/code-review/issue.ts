import { z } from 'zod';
import { lenientChoice } from '../../lenient-choice.ts';
import { CATEGORIES, type Category, SEVERITIES, type Severity } from './kinds.ts';

/** A line number, which small models write as text or with a word; 0 for none. */
const LineNumber = z
  .union([z.number(), z.string()])
  .transform((value) => Math.trunc(Number(/\d+/.exec(String(value))?.[0] ?? 0)));

const IssueDraft = z.object({
  line: LineNumber,
  end_line: LineNumber.nullish(),
  severity: lenientChoice(SEVERITIES, {
    aliases: {
      blocker: 'critical',
      severe: 'critical',
      major: 'high',
      error: 'high',
      moderate: 'medium',
      warning: 'medium',
      minor: 'low',
      info: 'low',
      trivial: 'low',
    },
    otherwise: 'medium',
  }),
  category: lenientChoice(CATEGORIES, {
    aliases: {
      bugs: 'bug',
      logic: 'bug',
      correctness: 'bug',
      performance: 'bug',
      error: 'bug',
      vulnerability: 'security',
      readability: 'style',
      naming: 'style',
      maintainability: 'style',
      'code style': 'style',
      documentation: 'style',
    },
    otherwise: 'bug',
  }),
  message: z.string().trim().min(1).max(2_000),
  suggestion: z.string().trim().max(2_000).default(''),
  quote: z.string().min(1).max(2_000),
});
/** A problem as the model reports it, unchecked. */
export type IssueDraft = z.infer<typeof IssueDraft>;

/** A model's review of one part of the code. */
export const PartReview = z.object({
  summary: z.string().trim().max(1_000).default(''),
  issues: z.array(IssueDraft).max(30),
});

/** A problem at a verified place: `quote` is the text of `line`. */
export interface Issue {
  readonly severity: Severity;
  readonly category: Category;
  readonly line: number;
  /** The last line; equal to `line` for a single line. */
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
