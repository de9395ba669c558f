/**
 * How much a finding counts. `certain`: no honest text looks so, and under `block` it does not pass.
 * `signal`: raises the risk and is shown. `note`: is shown where something is asked anyway.
 */
export type FindingWeight = 'certain' | 'signal' | 'note';

/** What a scanner found; the message is for the person who decides. */
export interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly weight: FindingWeight;
}

/** Looks at a text and says what is remarkable about it; takes time in proportion to its length. */
export type Scanner = (text: string) => readonly Finding[];

/** Characters that a scanner reads; a longer text is itself a finding, so nothing passes unseen. */
export const SCAN_LIMIT_CHARS = 400_000;

/** What is said of a text of which only a part was looked at. */
export const TOO_LONG: Finding = {
  rule: 'too_long',
  message: 'It is too long to be checked as a whole.',
  weight: 'signal',
};

/** What stands for a text that could not be looked at: closed, whatever the action is. */
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

/** A kind of what was found, as sentences say it. */
export function withArticle(kind: string): string {
  return `${/^(?:[aeioAEIO]|npm|xAI)/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** The finding that stands for a scanner that threw. */
export function scannerFailed(error: unknown): Finding {
  const why = error instanceof Error ? error.message : String(error);
  return { rule: 'scanner_failed', message: `It could not be checked: ${why}.`, weight: 'certain' };
}

/** The finding that stands for a scanner that took longer than it may. */
export function scannerLate(limitMs: number): Finding {
  const message = `It could not be checked within ${limitMs} ms.`;
  return { rule: 'scanner_late', message, weight: 'certain' };
}
