import { termsOf } from './terms.ts';

/** A piece of a text, which starts at `start`. */
export interface Passage {
  readonly start: number;
  readonly text: string;
}

/** Characters of one passage: a paragraph or some sentences. */
const PASSAGE_CHARS = 600;
/** Longer sentences are cut. */
const LONGEST = 1_200;
/** The rest of a page is ignored: it costs time, and the important text comes first. */
const MOST_PASSAGES = 400;

/** Splits a text into passages of whole sentences, in order, without empty ones. */
export function splitPassages(text: string): Passage[] {
  const passages: Passage[] = [];
  for (const paragraph of text.matchAll(/\S(?:[^\n]|\n(?!\s*\n))*/g)) {
    for (const part of sentenceGroups(paragraph[0])) {
      passages.push({ start: paragraph.index + part.start, text: part.text });
      if (passages.length === MOST_PASSAGES) return passages;
    }
  }
  return passages;
}

function sentenceGroups(paragraph: string): Passage[] {
  const groups: Passage[] = [];
  let start = 0;
  let end = 0;
  const close = (): void => {
    const text = paragraph.slice(start, end).trimEnd();
    const lead = text.length - text.trimStart().length;
    if (text.trim() !== '') groups.push({ start: start + lead, text: text.trimStart() });
    start = end;
  };
  for (const sentence of paragraph.matchAll(/[^.!?。！？]+[.!?。！？]*\s*|[.!?。！？]+\s*/g)) {
    for (let at = 0; at < sentence[0].length; at += LONGEST) {
      const piece = sentence[0].slice(at, at + LONGEST);
      if (end > start && end - start + piece.length > PASSAGE_CHARS) close();
      end += piece.length;
    }
  }
  close();
  return groups;
}

/** BM25 scores of `texts` for `query`, with statistics over these texts, in order. */
export function scoreTexts(texts: readonly string[], query: string): number[] {
  const wanted = [...new Set(termsOf(query))];
  const documents = texts.map((text) => {
    const counts = new Map<string, number>();
    const terms = termsOf(text);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return { counts, length: terms.length };
  });
  const average = documents.reduce((sum, { length }) => sum + length, 0) / (texts.length || 1) || 1;
  const weights = wanted.map((term) => {
    const holding = documents.filter(({ counts }) => counts.has(term)).length;
    return Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
  });
  return documents.map(({ counts, length }) =>
    wanted.reduce((sum, term, at) => {
      const count = counts.get(term) ?? 0;
      const norm = count + 1.2 * (0.25 + (0.75 * length) / average);
      return sum + (count === 0 ? 0 : ((weights[at] ?? 0) * count * 2.2) / norm);
    }, 0),
  );
}

/** The best matching passages, at most `maxChars` in total, in the order of the text. */
export function pickPassages(text: string, query: string, maxChars: number): Passage[] {
  const passages = splitPassages(text);
  const scores = scoreTexts(
    passages.map((passage) => passage.text),
    query,
  );
  const order = passages
    .map((passage, at) => ({ passage, score: scores[at] ?? 0, at }))
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const picked: typeof order = [];
  let left = maxChars;
  for (const one of order) {
    if (one.score === 0 && picked.length > 0) break;
    if (one.passage.text.length > left) continue;
    left -= one.passage.text.length;
    picked.push(one);
  }
  return picked.sort((a, b) => a.at - b.at).map(({ passage }) => passage);
}
