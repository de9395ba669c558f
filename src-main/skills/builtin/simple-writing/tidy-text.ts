/** No request needs a longer text; anything beyond is left as it is. */
const TIDIED_CHARS = 100_000;

/** A model's text as it goes into a document: without a fence around it, and without repeated paragraphs. */
export function tidyText(text: string): string {
  const start = text.slice(0, TIDIED_CHARS).replace(/\r\n?/g, '\n');
  return withoutRepeats(withoutFence(start).trim()) + text.slice(TIDIED_CHARS);
}

/** The text of one section, without its own heading and that of the document, with other headings below it. */
export function tidySection(text: string, titles: readonly string[]): string {
  const own = new Set(titles.map(plain));
  const tidied = tidyText(text);
  const lines = tidied.slice(0, TIDIED_CHARS).split('\n');
  let isStart = true;
  const kept = mapOutsideFences(lines, (line) => {
    const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    const isOwn = own.has(plain(heading?.[2] ?? line.replace(/^\*\*(.*)\*\*:?$/, '$1')));
    if (isStart && isOwn) return null;
    if (line.trim() !== '') isStart = false;
    if (heading === null) return line;
    return `${'#'.repeat(Math.max(3, heading[1]?.length ?? 3))} ${heading[2]}`;
  });
  return (kept.join('\n') + tidied.slice(TIDIED_CHARS)).trim();
}

/** Whether at least half of a text's paragraphs are repeats: the model goes in circles. */
export function goesInCircles(text: string): boolean {
  const paragraphs = paragraphsOf(text.slice(0, TIDIED_CHARS)).map(plain);
  return paragraphs.length >= 4 && new Set(paragraphs).size * 2 <= paragraphs.length;
}

/** Text without marks, case and extra space, for comparison. */
export function plain(text: string): string {
  return text
    .replace(/[\s*_#`>]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^\d+[.)]\s+|[:：]$/g, '');
}

function withoutFence(text: string): string {
  const fenced =
    /^\s*(`{3,}|~{3,})[ \t]*(?:markdown|md|text)?[ \t]*\n([\s\S]*?)\n?\1[ \t]*\s*$/i.exec(text);
  const inner = fenced?.[2];
  // Two fences, not one around everything.
  return inner === undefined || inner.includes(fenced?.[1] ?? '```') ? text : inner;
}

function withoutRepeats(text: string): string {
  const seen = new Set<string>();
  const kept = paragraphsOf(text).filter((paragraph) => {
    const compared = plain(paragraph);
    const isRepeat = compared.length > 20 && seen.has(compared);
    seen.add(compared);
    return !isRepeat;
  });
  return kept.join('\n\n');
}

/** Pieces between empty lines; a fenced block is never cut. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[][] = [[]];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    fence = fenceAfter(line, fence);
    if (line.trim() === '' && fence === null) paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs.map((lines) => lines.join('\n')).filter((one) => one.trim() !== '');
}

function mapOutsideFences(
  lines: readonly string[],
  change: (line: string) => string | null,
): string[] {
  let fence: string | null = null;
  return lines.flatMap((line) => {
    const before = fence;
    fence = fenceAfter(line, fence);
    const changed = before === null && fence === null ? change(line) : line;
    return changed === null ? [] : [changed];
  });
}

function fenceAfter(line: string, fence: string | null): string | null {
  const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (marks === undefined) return fence;
  if (fence === null) return marks;
  return marks.startsWith(fence) ? null : fence;
}
