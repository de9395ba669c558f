/** Of a long answer, its beginning and its end are checked, each as long as this. */
const CHECKED_CHARS = 20_000;
/** Longer sentences are checked in pieces: patterns take time that grows faster than a sentence. */
const SENTENCE_CHARS = 800;

/** The sentences in which an answer may claim something: code blocks and quotations are no claims. */
export function answerSentences(answer: string): string[] {
  return checkedPart(answer.replaceAll(/```[\s\S]*?(?:```|$)/g, '\n').replaceAll(/^>.*$/gm, ''))
    .split(/(?<=[.!?])\s+|[。！？；\n]+/u)
    .flatMap(piecesOf)
    .filter((sentence) => sentence.trim() !== '');
}

function checkedPart(text: string): string {
  if (text.length <= 2 * CHECKED_CHARS) return text;
  return `${text.slice(0, CHECKED_CHARS)}\n${text.slice(-CHECKED_CHARS)}`;
}

function piecesOf(sentence: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < sentence.length; at += SENTENCE_CHARS) {
    pieces.push(sentence.slice(at, at + SENTENCE_CHARS));
  }
  return pieces;
}
