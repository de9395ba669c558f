/** Some lines of a file, as a model reads them. */
export interface CodePart {
  /** Numbers of the first and the last line. */
  readonly from: number;
  readonly to: number;
  /** Each line with its number. */
  readonly text: string;
}

/** With more at once, small models skip what is in the middle. */
const MOST_BYTES = 18_000;
const LEAST_BYTES = 1_000;
const OVERLAP_LINES = 8;
/** Longer lines are generated; only their beginning is shown. */
const LINE_CHARS = 1_500;

/** Bytes of code in one request; `room` is in characters of the model's context window. */
export function partBytes(room: number): number {
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.floor(room)));
}

/**
 * Lines in parts of at most `bytes`, each of which begins with the last lines of the one before, so that
 * code across the border is seen whole.
 */
export function splitCode(lines: readonly string[], bytes: number): CodePart[] {
  const numbered = lines.map((line, index) => `${index + 1}| ${shown(line)}`);
  const sizes = numbered.map((line) => Buffer.byteLength(line) + 1);
  const parts: CodePart[] = [];
  let start = 0;
  while (start < numbered.length) {
    let end = start;
    let size = 0;
    while (end < numbered.length && (end === start || size + (sizes[end] ?? 0) <= bytes)) {
      size += sizes[end] ?? 0;
      end += 1;
    }
    parts.push({ from: start + 1, to: end, text: numbered.slice(start, end).join('\n') });
    if (end >= numbered.length) break;
    const shared = Math.min(OVERLAP_LINES, Math.floor((end - start) / 4));
    start = end - shared;
    // The shared lines leave room for at least one new line.
    while (start < end && sum(sizes.slice(start, end + 1)) > bytes) start += 1;
  }
  return parts;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

function shown(line: string): string {
  return line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS)}…`;
}
