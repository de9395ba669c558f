import type { Issue } from './issue.ts';
import { SEVERITIES, type Severity } from './kinds.ts';

const PENALTIES: Readonly<Record<Severity, number>> = { critical: 30, high: 15, medium: 6, low: 2 };
/** Sentences of the model on the whole, of as many parts. */
const SAID = 3;

/** 100 for code in which nothing was found, less for each issue by its severity. */
export function scoreOf(issues: readonly Issue[]): number {
  const lost = issues.reduce((sum, { severity }) => sum + PENALTIES[severity], 0);
  return Math.max(0, 100 - lost);
}

/** What was found, counted by code, and what the model said of it all. */
export function summaryOf(review: {
  readonly issues: readonly Issue[];
  readonly lines: number;
  readonly said: readonly string[];
  readonly notReviewed: readonly { readonly line: number; readonly end_line: number }[];
}): string {
  const { issues, lines, said, notReviewed } = review;
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
    ...[...new Set(said)].filter((text) => text !== '').slice(0, SAID),
  ].join(' ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
