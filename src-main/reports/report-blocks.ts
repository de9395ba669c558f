/** A piece of a line: plain, strong, code, a link, or a reference to a source. */
export type Span =
  | { readonly kind: 'text' | 'strong' | 'code' | 'link'; readonly text: string }
  | { readonly kind: 'reference'; readonly index: number };

export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph' | 'item' | 'quote'; readonly spans: readonly Span[] };

/** Reports are shorter than this; any rest becomes one paragraph of plain text. */
const MOST_CHARS = 200_000;
const MOST_LINES = 10_000;

/** Parses the Markdown of a report. Unknown syntax stays plain text. */
export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.slice(0, MOST_CHARS).split('\n');
  const rest = (lines.splice(MOST_LINES).join(' ') + markdown.slice(MOST_CHARS)).trim();
  for (const line of lines) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed === '>') continue;
    const heading = /^(#{1,3}) (.*)$/.exec(trimmed);
    if (heading !== null) {
      const [, marks = '#', text = ''] = heading;
      blocks.push({ kind: 'heading', level: marks.length as 1 | 2 | 3, spans: readSpans(text) });
    } else if (trimmed.startsWith('- ')) {
      blocks.push({ kind: 'item', spans: readSpans(trimmed.slice(2)) });
    } else if (trimmed.startsWith('> ')) {
      blocks.push({ kind: 'quote', spans: readSpans(trimmed.slice(2)) });
    } else blocks.push({ kind: 'paragraph', spans: readSpans(trimmed) });
  }
  if (rest !== '') blocks.push({ kind: 'paragraph', spans: [{ kind: 'text', text: rest }] });
  return blocks;
}

const SPANS =
  /\\([\\`*_[\]<>#|~])|\*\*((?:\\.|[^*\\])+)\*\*|`([^`]+)`|<(https?:\/\/[^\s<>]+)>|\[(\d+)\]/g;

function readSpans(text: string): Span[] {
  const spans: Span[] = [];
  const plain = (piece: string): void => {
    if (piece === '') return;
    const last = spans.at(-1);
    if (last?.kind === 'text') spans[spans.length - 1] = { kind: 'text', text: last.text + piece };
    else spans.push({ kind: 'text', text: piece });
  };
  let at = 0;
  for (const match of text.matchAll(SPANS)) {
    plain(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [, escaped, strong, code, link, reference] = match;
    if (escaped !== undefined) plain(escaped);
    else if (strong !== undefined) {
      spans.push({ kind: 'strong', text: strong.replace(/\\(.)/g, '$1') });
    } else if (code !== undefined) spans.push({ kind: 'code', text: code });
    else if (link !== undefined) spans.push({ kind: 'link', text: link });
    else if (reference !== undefined) spans.push({ kind: 'reference', index: Number(reference) });
  }
  plain(text.slice(at));
  return spans;
}
