import { scoreTexts, splitPassages } from './passages.ts';
import { termsOf } from './terms.ts';

const EXCERPT_CHARS = 500;
/** Share of a quotation's terms that a passage must contain to replace it. */
const SAME_PASSAGE = 0.5;

/**
 * Finds the part of `text` that a quotation refers to: a verbatim match that ignores white space, case and
 * quotation marks; else the passage with most of its terms; else null.
 */
export function findExcerpt(text: string, quotation: string): string | null {
  return findVerbatim(text, quotation) ?? findAlike(text, quotation);
}

/** A verbatim piece of `text` that matches `quotation`; null if there is none. */
export function findVerbatim(text: string, quotation: string): string | null {
  const wanted = fold(quotation.replace(/^[\s"“'‘…]+|[\s"”'’…]+$/g, '')).folded;
  if (wanted.length < 8 && termsOf(quotation).length < 2) return null;
  const { folded, places } = fold(text);
  const at = folded.indexOf(wanted);
  if (at < 0) return null;
  const start = places[at] ?? 0;
  const end = (places[at + wanted.length - 1] ?? start) + 1;
  return shortened(text.slice(start, end));
}

/** The `count` passages of `text` that match `query` best, each cut to the length of an excerpt. */
export function bestExcerpts(text: string, query: string, count: number): string[] {
  const passages = splitPassages(text);
  const scores = scoreTexts(
    passages.map((passage) => passage.text),
    query,
  );
  return passages
    .map((passage, at) => ({ text: shortened(passage.text), score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map((passage) => passage.text);
}

function findAlike(text: string, quotation: string): string | null {
  const wanted = new Set(termsOf(quotation));
  if (wanted.size === 0) return null;
  const [best] = bestExcerpts(text, quotation, 1);
  if (best === undefined) return null;
  const present = new Set(termsOf(best));
  const shared = [...wanted].filter((term) => present.has(term)).length;
  return shared / wanted.size >= SAME_PASSAGE ? best : null;
}

/** Cuts at the end of a sentence or word. The result stays a verbatim piece of the text. */
function shortened(excerpt: string): string {
  if (excerpt.length <= EXCERPT_CHARS) return excerpt;
  const head = excerpt.slice(0, EXCERPT_CHARS);
  const ends = [...head.matchAll(/[.!?](?=\s|$)|[。！？]/g)].at(-1);
  if (ends !== undefined && ends.index > EXCERPT_CHARS / 3) return head.slice(0, ends.index + 1);
  const space = head.lastIndexOf(' ');
  return head
    .slice(0, space > EXCERPT_CHARS / 2 ? space : EXCERPT_CHARS)
    .replace(/[\ud800-\udbff]$/, '');
}

/** Lower case, one kind of quotation mark and dash, single blanks; `places` maps back to the text. */
function fold(text: string): { readonly folded: string; readonly places: readonly number[] } {
  let folded = '';
  const places: number[] = [];
  let blank = true;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const isBlank = /\s/.test(letter);
    if (isBlank && blank) continue;
    blank = isBlank;
    const plain = isBlank ? ' ' : (ALIKE[letter] ?? letter.toLowerCase());
    // Some letters become two in lower case; keep the first, so that places stay aligned.
    folded += plain.charAt(0);
    places.push(at);
  }
  if (folded.endsWith(' ')) return { folded: folded.slice(0, -1), places: places.slice(0, -1) };
  return { folded, places };
}

const ALIKE: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
  '−': '-',
};
