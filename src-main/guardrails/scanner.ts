/**
 * The weight of a finding. `certain`: no honest text looks like this; `block` stops it. `signal`: raises
 * the risk and is shown. `note`: shown only if the user is asked anyway.
 */
export type FindingWeight = 'certain' | 'signal' | 'note';

/** What a scanner found; the message is for the user who decides. */
export interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly weight: FindingWeight;
}

/** Returns the findings in a text, in time linear in its length. */
export type Scanner = (text: string) => readonly Finding[];

/** Most characters that a scanner reads; a longer text is itself a finding, so nothing passes unseen. */
export const SCAN_LIMIT_CHARS = 400_000;

/** The finding for a text that was only scanned in part. */
export const TOO_LONG: Finding = {
  rule: 'too_long',
  message: 'Too long to be checked completely.',
  weight: 'signal',
};

/** Findings for text that could not be scanned: fail closed, whatever the action is. */
const CLOSED_RULES: ReadonlySet<string> = new Set(['scanner_failed', 'scanner_late']);

export function isClosed({ rule }: Finding): boolean {
  return CLOSED_RULES.has(rule);
}

/** The findings of `scanner`; a text longer than it reads is one more. Throws what it throws. */
export function scanAll(scanner: Scanner, text: string): readonly Finding[] {
  const findings = scanner(text.slice(0, SCAN_LIMIT_CHARS));
  if (text.length <= SCAN_LIMIT_CHARS) return findings;
  return [...findings, TOO_LONG];
}

/** A kind with its article, for sentences. */
export function withArticle(kind: string): string {
  return `${/^(?:[aeioAEIO]|npm|xAI)/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** The finding for a scanner that threw. */
export function scannerFailed(error: unknown): Finding {
  const why = error instanceof Error ? error.message : String(error);
  return { rule: 'scanner_failed', message: `Could not be checked: ${why}.`, weight: 'certain' };
}

/** The finding for a scanner that exceeded its time limit. */
export function scannerLate(limitMs: number): Finding {
  const message = `Could not be checked within ${limitMs} ms.`;
  return { rule: 'scanner_late', message, weight: 'certain' };
}
