/** What a scanner found; the message is for the person who decides. */
export interface Finding {
  readonly rule: string;
  readonly message: string;
}

export type Scanner = (text: string) => readonly Finding[];

/** Characters that a scanner reads; a longer text is itself a finding, so nothing passes unseen. */
export const SCAN_LIMIT_CHARS = 1_000_000;

/**
 * The findings of `scanner`, closed on failure: a scanner that throws is a finding, and so is a text
 * longer than it reads.
 */
export function runScanner(scanner: Scanner, text: string): readonly Finding[] {
  try {
    const findings = scanner(text.slice(0, SCAN_LIMIT_CHARS));
    if (text.length <= SCAN_LIMIT_CHARS) return findings;
    return [...findings, { rule: 'too_long', message: 'It is too long to be checked as a whole.' }];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ rule: 'scanner_failed', message: `It could not be checked: ${why}.` }];
  }
}
