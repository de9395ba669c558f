import { type Issue, type IssueDraft, quoteOf } from './issue.ts';

/** A shorter quote may occur anywhere, so it counts only at the line that the model named. */
const TELLING_CHARS = 4;

/**
 * The issue at the line that really contains its quote, the nearest one to the line that the model
 * named; null where the code does not contain it.
 */
export function locate(draft: IssueDraft, lines: readonly string[]): Issue | null {
  const line = findLine(draft, lines);
  if (line === null) return null;
  const { severity, category, message, suggestion } = draft;
  const length = Math.max(
    (draft.end_line ?? 0) - draft.line,
    quoteLines(draft.quote).length - 1,
    0,
  );
  return {
    severity,
    category,
    line,
    message,
    suggestion,
    end_line: Math.min(line + length, lines.length),
    quote: quoteOf(lines[line - 1] ?? ''),
    found_by: 'model',
  };
}

function findLine({ line: named, quote }: IssueDraft, lines: readonly string[]): number | null {
  const wanted = quoteLines(quote);
  for (const form of [spaced, squashed]) {
    const formed = lines.map(form);
    const pieces = wanted.map(form).filter((piece) => piece !== '');
    // The whole quote, else its first line, else the longest piece between ellipses.
    const parts = pieces[0]?.split(/…|\.{3}/).map((part) => part.trim()) ?? [];
    const piece = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
    for (const sought of [pieces, pieces.slice(0, 1), parts.length > 1 ? [piece] : []]) {
      const found = nearest(places(formed, sought), named);
      if (found !== null && isTelling(sought, found, named)) return found;
    }
  }
  return null;
}

function isTelling([first = '']: readonly string[], found: number, named: number): boolean {
  return first.length >= TELLING_CHARS || found === named;
}

/** Numbers of the lines where these follow each other, not counting empty lines. */
function places(lines: readonly string[], sought: readonly string[]): number[] {
  const [first] = sought;
  if (first === undefined || first === '') return [];
  return lines.flatMap((line, index) => {
    if (!line.includes(first)) return [];
    let at = index;
    for (const next of sought.slice(1)) {
      do at += 1;
      while (lines[at] === '');
      if (lines[at]?.includes(next) !== true) return [];
    }
    return [index + 1];
  });
}

function nearest(found: readonly number[], named: number): number | null {
  return found.reduce<number | null>(
    (best, line) =>
      best === null || Math.abs(line - named) < Math.abs(best - named) ? line : best,
    null,
  );
}

/** The lines of a quote, without the line numbers that models copy along. */
function quoteLines(quote: string): string[] {
  return quote
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\s*\|\s?/, '').replace(/^\s*`+|`+\s*$/g, ''))
    .filter((line) => line.trim() !== '');
}

function spaced(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

/** Drops what models change when they copy: space, quotation marks, case, the last mark. */
function squashed(line: string): string {
  return line
    .toLowerCase()
    .replace(/["'`“”‘’]/g, "'")
    .replace(/\s+/g, '')
    .replace(/[;,]+$/, '');
}
