import { parseOutsideJson } from '../base/outside-json.ts';

/** Characters of a result that a model reads unless its tool says otherwise. */
export const DEFAULT_RESULT_CHARS = 16_000;

export interface ShortenedResult {
  readonly content: string;
  /** 0 when nothing was cut. */
  readonly omittedChars: number;
}

/**
 * The head and the tail of a long result, with a note in between that says how much is missing and how
 * to read it. Two thirds are the head; surrogate pairs are never split.
 */
export function shortenResult(content: string, limit: number): ShortenedResult {
  if (content.length <= limit) return { content, omittedChars: 0 };
  const head = content.slice(0, safeCut(content, Math.floor((limit * 2) / 3)));
  const tail = content.slice(safeCut(content, content.length - Math.floor(limit / 3)));
  const omittedChars = content.length - head.length - tail.length;
  const note = `[… ${omittedChars} characters left out here. To read them, write the output to a file and read a part of it. …]`;
  return { content: `${head}\n${note}\n${tail}`, omittedChars };
}

/**
 * A long result that is JSON, as JSON that fits: long texts are cut in the middle, long lists and records after their
 * first items, each with a note that says how much is missing. Anything that is not JSON is cut as text.
 */
export function shortenJson(content: string, limit: number): ShortenedResult {
  if (content.length <= limit) return { content, omittedChars: 0 };
  let value: unknown;
  try {
    value = parseOutsideJson(content);
  } catch {
    // Not JSON, or nested so deeply that it cannot be shortened.
    return shortenResult(content, limit);
  }
  const indent = /^[{[]\n/.test(content) ? 2 : undefined;
  // Texts are given up first, lists after them: what a result consists of says more than how it goes on.
  for (const items of [1_000, 100, 30, 10, 3]) {
    for (let chars = limit; chars >= SHORTEST_TEXT; chars = Math.floor(chars / 2)) {
      const short = JSON.stringify(cutValue(value, { chars, items }), null, indent);
      if (short.length > limit) continue;
      return { content: short, omittedChars: content.length - short.length };
    }
  }
  // Wide at every level: the beginning and the end of its text, as a text.
  for (let chars = limit; ; chars = Math.floor(chars / 2)) {
    const short = JSON.stringify({ shortened: shortenResult(content, chars).content });
    if (short.length <= limit || chars === 0) {
      return { content: short, omittedChars: content.length - short.length };
    }
  }
}

const SHORTEST_TEXT = 200;

interface Bounds {
  readonly chars: number;
  readonly items: number;
}

function cutValue(value: unknown, bounds: Bounds): unknown {
  if (typeof value === 'string') return shortenResult(value, bounds.chars).content;
  if (typeof value !== 'object' || value === null) return value;
  const { items } = bounds;
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((one) => cutValue(one, bounds));
    const left = value.length - kept.length;
    return left === 0 ? kept : [...kept, `[… ${left} more items left out here …]`];
  }
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, items)
    .map(([key, one]) => [key.slice(0, bounds.chars), cutValue(one, bounds)] as const);
  const left = entries.length - kept.length;
  const note = left === 0 ? [] : [['…', `[… ${left} more fields left out here …]`] as const];
  return Object.fromEntries([...kept, ...note]);
}

function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
