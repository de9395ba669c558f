import { connectorStrings } from '../../strings/connectors.ts';

const words = connectorStrings.add;

/** The words of a command, split at spaces outside quotation marks. Throws where one is not closed. */
export function wordsOf(text: string): string[] {
  const found: string[] = [];
  let word: string | null = null;
  let mark: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (mark !== null) {
      if (sign === mark) mark = null;
      else if (sign === '\\' && mark === '"' && /["\\]/.test(text.charAt(at + 1))) {
        at += 1;
        word = `${word ?? ''}${text.charAt(at)}`;
      } else word = `${word ?? ''}${sign}`;
    } else if (sign === '"' || sign === "'") {
      mark = sign;
      word ??= '';
    } else if (/\s/.test(sign)) {
      if (word !== null) found.push(word);
      word = null;
    } else word = `${word ?? ''}${sign}`;
  }
  if (mark !== null) throw new Error(words.unclosed);
  if (word !== null) found.push(word);
  return found;
}

/** Lines that are not empty, without spaces around them. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Lines of `NAME=value`. Throws for any other. */
export function pairsOf(text: string): Record<string, string> {
  const pairs = linesOf(text).map((line) => {
    const at = line.indexOf('=');
    if (at < 1) throw new Error(words.noPair(line.slice(0, 40)));
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}
