import type { Issue } from './issue.ts';
import { SEVERITIES, type Severity } from './kinds.ts';

const PENALTIES: Readonly<Record<Severity, number>> = { critical: 30, high: 15, medium: 6, low: 2 };
/** Summaries of parts that the whole review repeats. */
const PART_SUMMARIES = 3;

/** 100 for code without issues, less for each issue by its severity. */
export function scoreOf(issues: readonly Issue[]): number {
  const lost = issues.reduce((sum, { severity }) => sum + PENALTIES[severity], 0);
  return Math.max(0, 100 - lost);
}

/** The issues, counted by code and not by the model, and the model's summaries. */
export function summaryOf(review: {
  readonly issues: readonly Issue[];
  readonly lines: number;
  readonly summaries: readonly string[];
  readonly notReviewed: readonly { readonly line: number; readonly end_line: number }[];
}): string {
  const { issues, lines, summaries, notReviewed } = review;
  const counts = SEVERITIES.flatMap((severity) => {
    const count = issues.filter((issue) => issue.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const found =
    issues.length === 0 ? 'No issues' : `${count(issues.length, 'issue')} (${counts.join(', ')})`;
  const missing = notReviewed.map(({ line, end_line: end }) => `${line} to ${end}`).join(', ');
  return [
    `${found} in ${count(lines, 'line')}.`,
    ...(missing === '' ? [] : [`Lines ${missing} were not reviewed.`]),
    ...[...new Set(summaries)].filter((text) => text !== '').slice(0, PART_SUMMARIES),
  ].join(' ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
