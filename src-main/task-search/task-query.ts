import { pairedCharacters, STOP_WORDS, UNSPACED } from '../library/words.ts';

/** Limit for the words of one query. */
const MAX_WORDS = 16;
/** Shorter beginnings of words would match a large part of the index. */
const MIN_PREFIX = 3;
const EXCERPT_CHARS = 180;
/** How much of it stands before the first match. */
const LEAD_CHARS = 60;

/** What the user typed, as it is searched. */
export interface TaskQuery {
  /** An FTS5 query for passages that have the words in a row, each as a whole. */
  readonly inRow: string;
  /** For passages that have all of them. */
  readonly all: string;
  /** For passages that have any of them. */
  readonly any: string;
  /** The words as they are marked in a text. */
  readonly words: readonly string[];
}

/** A text around its first match. `marks` are ranges in it, in order and apart. */
export interface Excerpt {
  readonly text: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/**
 * The query of what was typed; null without a letter or digit. Each word matches the beginning of a word, and
 * `src/main.ts` these words in a row. No part of it is read as an operator.
 */
export function taskQuery(typed: string): TaskQuery | null {
  const typedWords = typed.normalize('NFKC').toLowerCase().split(/\s+/).filter(hasLetter);
  const last = typedWords.at(-1);
  const distinctive = typedWords.filter((word) => word === last || !STOP_WORDS.has(word));
  const words = [...new Set(distinctive)].slice(0, MAX_WORDS);
  const phrases = words.map((word) => phraseOf(tokensOf(word)));
  if (phrases.length === 0) return null;
  const pieces = words.flatMap(tokensOf).filter((token) => !STOP_WORDS.has(token));
  const anyOf = [...new Set([...phrases, ...pieces.map((token) => phraseOf([token]))])];
  const inRow = `"${typedWords.slice(0, MAX_WORDS).flatMap(tokensOf).join(' ')}"`;
  return {
    inRow,
    all: phrases.join(' AND '),
    any: anyOf.slice(0, MAX_WORDS * 2).join(' OR '),
    words,
  };
}

/** The tokens of a word without spaces, as the index has them in a row. */
function tokensOf(word: string): string[] {
  return (word.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap((run) => {
    const tokens: string[] = [];
    let end = 0;
    for (const match of run.matchAll(UNSPACED)) {
      if (match.index > end) tokens.push(run.slice(end, match.index));
      tokens.push(...pairedCharacters(match[0]));
      end = match.index + match[0].length;
    }
    if (end < run.length) tokens.push(run.slice(end));
    return tokens.filter(hasLetter);
  });
}

function phraseOf(tokens: readonly string[]): string {
  const last = tokens.at(-1) ?? '';
  const isLong = [...last].length >= MIN_PREFIX || new RegExp(UNSPACED.source, 'u').test(last);
  return `"${tokens.join(' ')}"${isLong || tokens.length > 1 ? '*' : ''}`;
}

function hasLetter(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Some of a text around its best match, on one line. */
export function excerptOf(source: string, words: readonly string[]): Excerpt {
  const text = source.replaceAll(/\s+/g, ' ').trim();
  const found = matchesIn(text, words);
  const start = startOf(text, found[0]?.[0] ?? 0);
  const end = endOf(text, start + EXCERPT_CHARS);
  const head = start > 0 ? '…' : '';
  const shift = head.length - start;
  return {
    text: `${head}${text.slice(start, end)}${end < text.length ? '…' : ''}`,
    marks: found
      .filter(([from, to]) => from >= start && to <= end)
      .map(([from, to]) => [from + shift, to + shift] as const),
  };
}

/** Where the words are in a text, in order and apart. */
export function matchesIn(text: string, words: readonly string[]): [number, number][] {
  const folded = fold(text);
  const found: [number, number][] = [];
  for (const pattern of words.flatMap((word) => patternsOf(fold(word).text))) {
    for (const match of folded.text.matchAll(pattern)) {
      const last = match.index + match[0].length - 1;
      found.push([folded.at(match.index)[0], folded.at(last)[1]]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const apart: [number, number][] = [];
  for (const range of found) if (range[0] >= (apart.at(-1)?.[1] ?? 0)) apart.push(range);
  return apart;
}

/** The word as a whole; only where it has several parts, also each of them. */
function patternsOf(word: string): RegExp[] {
  const runs = (word.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter(hasLetter);
  const sources = [runs.join('[^\\p{L}\\p{N}]*'), ...(runs.length > 1 ? runs : [])];
  return sources.map((source) => {
    // Han and its like stand anywhere in a text, other words at the beginning of a word or after those.
    const isUnspaced = new RegExp(`^(?:${UNSPACED.source})`, 'u').test(source);
    const start = `(?:(?<![\\p{L}\\p{N}\\p{M}])|(?<=${UNSPACED.source}))`;
    return new RegExp(isUnspaced ? source : `${start}${source}`, 'gu');
  });
}

interface Folded {
  readonly text: string;
  /** The character of the source that made the unit at a place of the folded text. */
  readonly at: (index: number) => readonly [start: number, end: number];
}

/** Without case, width and diacritics, as the index compares words. */
function fold(source: string): Folded {
  // The usual case: nothing moves.
  if (/^[\0-\x7f]*$/.test(source)) {
    return { text: source.toLowerCase(), at: (index) => [index, index + 1] };
  }
  let text = '';
  const places: number[] = [];
  let place = 0;
  const known = new Map<string, string>();
  for (const character of source) {
    const plain = known.get(character) ?? foldCharacter(character);
    known.set(character, plain);
    text += plain;
    for (let unit = 0; unit < plain.length; unit += 1) places.push(place);
    place += character.length;
  }
  return {
    text,
    at: (index) => {
      const start = places[index] ?? place;
      return [start, start + String.fromCodePoint(source.codePointAt(start) ?? 0).length];
    },
  };
}

function foldCharacter(character: string): string {
  const code = character.charCodeAt(0);
  // Most Han characters are themselves.
  if (code >= 0x4e00 && code <= 0x9fff) return character;
  const plain = character
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return plain.normalize('NFC');
}

function startOf(text: string, match: number): number {
  if (match <= LEAD_CHARS) return 0;
  const from = match - LEAD_CHARS;
  const space = text.indexOf(' ', from);
  return space >= 0 && space < match ? space + 1 : wholeCharacter(text, from);
}

function endOf(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const space = text.lastIndexOf(' ', wanted);
  return space > wanted - LEAD_CHARS / 2 ? space : wholeCharacter(text, wanted);
}

/** Never between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at;
}
