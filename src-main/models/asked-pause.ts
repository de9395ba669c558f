/** How a field of an answer's head is read. */
type Header = (name: string) => string | null;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const IN_WORDS =
  /\b(?:try again|retry)(?: after| in)? ((?:\d+(?:\.\d+)? ?(?:ms|h|m|s)[a-z]*[ ,]*)+)/i;

/**
 * How long a server asks to wait before the next request, in ms: by the head of its answer, else in words, as
 * OpenAI ("try again in 1m2.5s") and Gemini ("retry in 23.5s") write it. Null if it does not say.
 */
export function askedPauseMs(header: Header, message: string): number | null {
  const ms = numberIn(header('retry-after-ms'));
  if (ms !== null) return ms;
  const after = header('retry-after');
  const seconds = numberIn(after);
  if (seconds !== null) return seconds * 1_000;
  const date = Date.parse(/^[a-z]/i.test(after ?? '') ? (after ?? '') : '');
  if (!Number.isNaN(date)) {
    // The clock of the server is the one that it means.
    const now = Date.parse(header('date') ?? '');
    return Math.max(0, date - (Number.isNaN(now) ? Date.now() : now));
  }
  const words = IN_WORDS.exec(message)?.[1];
  if (words === undefined) return null;
  const parts = [...words.matchAll(/(\d+(?:\.\d+)?) ?(ms|h|m|s)/g)];
  return parts.reduce((sum, [, n, unit = '']) => sum + Number(n) * (UNITS[unit] ?? 0), 0);
}

function numberIn(text: string | null): number | null {
  return text !== null && /^\s*\d{1,9}(\.\d{1,9})?\s*$/.test(text) ? Number(text) : null;
}

/** 2 s; 3 min. */
export function describePause(ms: number): string {
  return ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`;
}
