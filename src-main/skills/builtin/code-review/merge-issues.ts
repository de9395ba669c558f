import type { Issue } from './issue.ts';
import { SEVERITIES } from './kinds.ts';

/** Share of common words from which two messages count as the same. */
const ALIKE = 0.4;

/** Issues, the worst first; duplicates about the same place become one. */
export function mergeIssues(issues: readonly Issue[]): Issue[] {
  const merged: Issue[] = [];
  for (const issue of [...issues].sort(byRank)) {
    const index = merged.findIndex((other) => saysTheSame(other, issue));
    const other = merged[index];
    if (other === undefined) merged.push(issue);
    else merged[index] = joined(other, issue);
  }
  return merged.sort(byRank);
}

function byRank(one: Issue, other: Issue): number {
  const rank = ({ severity }: Issue): number => SEVERITIES.indexOf(severity);
  return rank(one) - rank(other) || one.line - other.line;
}

function saysTheSame(one: Issue, other: Issue): boolean {
  if (one.category !== other.category) return false;
  if (one.line > other.end_line || other.line > one.end_line) return false;
  // A rule and a model that report one category in one line mean the same; a third report may mean another.
  const isThird = one.found_by === 'both' || other.found_by === 'both';
  if (!isThird && one.found_by !== other.found_by) return one.line === other.line;
  return sharedWords(one.message, other.message) >= ALIKE;
}

function sharedWords(one: string, other: string): number {
  const words = (text: string): Set<string> =>
    new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  const [left, right] = [words(one), words(other)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / Math.max(1, Math.min(left.size, right.size));
}

/** The worse of the two, in the model's words where it has any. */
function joined(one: Issue, other: Issue): Issue {
  const worded = one.found_by === 'rule' ? other : one;
  return {
    ...one,
    message: worded.message,
    suggestion: worded.suggestion || other.suggestion,
    found_by: one.found_by === other.found_by ? one.found_by : 'both',
  };
}
