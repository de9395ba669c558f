/** Characters that a shell takes literally, or as a file name pattern. */
const BARE = /^[\p{L}\p{M}\p{N}_./:=@%+,^*?[\]{}-]$/u;
/** Not allowed within double quotes, where a shell still expands. */
const EXPANDS = /[$`\\"]/;

/**
 * The unquoted words of a shell line that is one plain command. Null for anything else: chains, pipes,
 * redirections, substitutions, variables, escapes, comments, several lines, a variable set before the command.
 */
export function commandWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  const text = line.trim();
  for (let i = 0; i < text.length; i += 1) {
    const letter = text.charAt(i);
    if (letter === ' ' || letter === '\t') {
      if (word !== null) words.push(word);
      word = null;
    } else if (letter === "'" || letter === '"') {
      const end = text.indexOf(letter, i + 1);
      const quoted = text.slice(i + 1, end);
      if (end < 0 || (letter === '"' && EXPANDS.test(quoted))) return null;
      word = `${word ?? ''}${quoted}`;
      i = end;
    } else if (BARE.test(letter)) word = `${word ?? ''}${letter}`;
    else return null;
  }
  if (word !== null) words.push(word);
  const [first = ''] = words;
  return first === '' || /^\w+\+?=/.test(first) ? null : words;
}
