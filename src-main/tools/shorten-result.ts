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

function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
