import type { Suggestion } from '../command-tree.ts';
import type { Choice, Slot } from './tables.ts';

/** How a shell writes the lines of its tables. No text of the commands is ever executed. */
export interface ShellWriter {
  /** What to do for one of these keys. */
  branch(keys: readonly string[], body: string): string;
  /** Names, with descriptions where the shell shows them. */
  names(choices: readonly Choice[]): string;
  slot(slot: Slot): string;
}

const wordsOf = (suggestion: Suggestion): readonly string[] =>
  suggestion.kind === 'words' ? suggestion.words : [];

/** In single quotes, where bash and zsh read nothing but the end of the quotes. */
const posixQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const posix = {
  branch: (keys: readonly string[], body: string) =>
    `${keys.map(posixQuote).join(' | ')}) ${body} ;;`,
  slot({ count, suggestion }: Slot): string {
    const words = wordsOf(suggestion).map(posixQuote).join(' ');
    const choices = words === '' ? '' : ` choices=(${words})`;
    return `count=${count} kind=${suggestion.kind}${choices}`;
  },
};

/** Bash shows names only. */
export const bash: ShellWriter = {
  ...posix,
  names: (choices) => `names=(${choices.map(({ name }) => posixQuote(name)).join(' ')})`,
};

/** `_describe` reads `NAME:DESCRIPTION`, and backslashes as escapes. */
export const zsh: ShellWriter = {
  ...posix,
  names(choices) {
    const entries = choices.map(({ name, description }) =>
      posixQuote(`${name.replaceAll(':', '\\:')}:${description.replaceAll('\\', '\\\\')}`),
    );
    return `names=(${entries.join(' ')})`;
  },
};

/** In single quotes, where fish reads only `\\` and `\'`. */
const fishQuote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

export const fish: ShellWriter = {
  branch: (keys, body) => `case ${keys.map(fishQuote).join(' ')}\n    ${body}`,
  names(choices) {
    const pairs = choices.flatMap(({ name, description }) => [name, description]);
    return `printf '%s\\t%s\\n' ${pairs.map(fishQuote).join(' ')}`;
  },
  slot({ count, suggestion }) {
    const lines = [count, suggestion.kind, ...wordsOf(suggestion).map(fishQuote)];
    return `printf '%s\\n' ${lines.join(' ')}`;
  },
};

/** In single quotes, as which PowerShell also reads the typographic ones. */
const powershellQuote = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;

export const powershell: ShellWriter = {
  branch: (keys, body) => `{ $_ -cin ${keys.map(powershellQuote).join(', ')} } { ${body}; break }`,
  names(choices) {
    const pairs = choices.flatMap(({ name, description }) => [name, description]);
    return pairs.map(powershellQuote).join(', ');
  },
  slot: ({ count, suggestion }) =>
    [count, suggestion.kind, ...wordsOf(suggestion)].map(powershellQuote).join(', '),
};
