/** Texts as models write them: with Markdown marks, control characters, and lists in one text. */

/** A longer text is refused anyway; its marks are not looked for. */
const MOST_MARKED_CHARS = 20_000;
const EMPHASIS: readonly (readonly [RegExp, string])[] = [
  [/(?<!\w)\*\*(?=[^\s*])([^*\n]*[^*\s])\*\*/g, '$1'],
  [/(?<![\w*])\*(?=[^\s*])([^*\n]*[^*\s])\*(?![\w*])/g, '$1'],
  [/`([^`\n]+)`/g, '$1'],
  [/(?<!!)\[([^\][\n]+)\]\((https?:\/\/[^\s()]+)\)/g, '$1 ($2)'],
  // `# 1 in Europe` is no heading.
  [/^#{1,6}[ ]+(?=[^\s\d])/gm, ''],
];
const BULLET = /^(?:[-*•·▪◦‣●○–][ ]+)+/;
const ONLY_BULLET = /^[-*•·▪◦‣●○–—]+$/;
const NUMBERED = /^\(?(\d{1,3})(?:[.)][ ]+|[、．][ ]*)/;

/** The text of a scalar, or of `{"text": …}`; null for anything else, and where nothing is in it. */
export function plainText(value: unknown): string | null {
  const given = textOf(value);
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  if (typeof given !== 'string') return null;
  const text = withoutMarks(
    given
      .toWellFormed()
      .replace(/\r\n?|[\u0085\u2028\u2029]|<br\s*\/?>/gi, '\n')
      .replaceAll('\t', ' ')
      .replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, ''),
  );
  return text === '' ? null : text;
}

/** On one line. */
export function lineText(given: unknown): string | null {
  return plainText(given)?.replace(/\s*\n\s*/g, ' ') ?? null;
}

/** A title: on one line, without the mark of a list. */
export function titleText(given: unknown): string | null {
  const line = lineText(given)?.replace(/^(?:[-*•][ ]+)+/, '') ?? '';
  return line === '' ? null : line;
}

/** Paragraphs without the marks of lists; a list of them is read too. */
export function proseText(given: unknown): string | null {
  const parts = Array.isArray(given) ? given : [given];
  const texts = parts.flatMap((part) => plainText(part) ?? []);
  const text = texts
    .flatMap((one) => one.split('\n'))
    .map((line) => (ONLY_BULLET.test(line) ? '' : line.replace(BULLET, '')))
    .join('\n');
  const prose = text.replace(/\n{3,}/g, '\n\n').trim();
  return prose === '' ? null : prose;
}

/** The lines of a text, without the marks of lists. */
export function linesOf(given: unknown): string[] {
  const lines = plainText(given)?.split('\n') ?? [];
  return lines.map((line) => line.replace(BULLET, '')).filter((line) => isSaying(line));
}

/** An entry of a list; more than one where it is a list itself. */
export function entriesOf(given: string): string[] {
  const lines = plainText(given)?.split('\n') ?? [];
  const isList = lines.slice(1).some((line) => BULLET.test(line) || NUMBERED.test(line));
  return isList ? linesOf(given) : linesOf(lineText(given));
}

/** Without the numbers of a list that is numbered throughout; the layout numbers where it should. */
export function withoutNumbers<Entry>(
  list: readonly Entry[],
  { read, write }: { read: (entry: Entry) => string; write: (entry: Entry, text: string) => Entry },
): Entry[] {
  const isNumbered =
    list.length > 1 && list.every((entry, i) => Number(NUMBERED.exec(read(entry))?.[1]) === i + 1);
  if (!isNumbered) return [...list];
  const texts = list.map((entry) => read(entry).replace(NUMBERED, ''));
  // “1. Quartal, 2. Quartal” is no numbered list.
  if (new Set(texts).size < texts.length || texts.includes('')) return [...list];
  const bare = list.map((entry, i) => write(entry, texts[i] ?? ''));
  return withoutNumbers(bare, { read, write });
}

/** Nothing, or only empty texts, lists and records; a `type` alone says nothing either. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object') return false;
  return Object.entries(value).every(([key, inner]) => key === 'type' || isEmpty(inner));
}

function isSaying(line: string): boolean {
  return line !== '' && !ONLY_BULLET.test(line);
}

/** The text of `{"text": …}`. */
function textOf(given: unknown): unknown {
  return typeof given === 'object' && given !== null && 'text' in given ? given.text : given;
}

/** Until nothing is left of them, so that what was read once reads the same again. */
function withoutMarks(given: string): string {
  let text = given.replace(/[ ]*\n[ ]*/g, '\n').trim();
  if (text.length > MOST_MARKED_CHARS) return text;
  for (;;) {
    const before = text;
    for (const [mark, rest] of EMPHASIS) text = text.replace(mark, rest);
    if (text === before) return text.trim();
  }
}
