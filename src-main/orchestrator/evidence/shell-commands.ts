/** How the exit code of one command of a shell program reaches the exit code of the whole. */
export type ExitCodePath =
  /** The whole ends with its code. */
  | 'decides'
  /** Something after it or around it decides: `|| true`, `; echo done`, a pipe. */
  | 'masked';

export interface ShellCommand {
  /** Without assignments before it and wrappers such as `time` or `npx`. */
  readonly words: readonly string[];
  readonly exitCode: ExitCodePath;
}

type Joint = 'start' | ';' | '&' | '&&' | '||' | '|';

interface RawCommand {
  readonly words: string[];
  /** The operator before it. */
  readonly joint: Joint;
  readonly isInBackground: boolean;
}

/** Commands that run the words after them as a command. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['time', 'nice', 'nohup', 'command', 'exec', 'env', 'sudo', 'stdbuf', 'xargs', 'builtin'],
  ...['then', 'do', 'else', '{', '(', 'npx', 'bunx', 'pnpx'],
]);
/** Words that make what follows run only sometimes, or not decide: its exit code says nothing certain. */
const CONDITIONS = /^(?:if|while|until|!|elif|for|case|eval|trap|function)$/;

/** Of a longer program, only the beginning is read, and nothing decides its exit code for certain. */
const READ_CHARS = 100_000;

/**
 * The commands of a shell program. Only what is certain: a program with functions, conditions or substitutions
 * has commands whose exit codes are masked.
 */
export function shellCommands(source: string): ShellCommand[] {
  const raw = split(source.slice(0, READ_CHARS));
  const text = raw.map(({ words }) => words.join(' ')).join('\n');
  const stopsAtErrors = raw.some(
    ({ words }) => words[0] === 'set' && /^-\w*e/.test(words[1] ?? ''),
  );
  const failsPipes = /\bset (?:-\w{1,9} ){0,9}-\w{0,9}o pipefail\b/.test(text);
  const isUncertain =
    source.length > READ_CHARS ||
    raw.some(({ words }) => CONDITIONS.test(words[0] ?? '')) ||
    /\w\s{0,9}\(\)|\balias\b/.test(source);
  const firstOr = raw.findIndex(({ joint }) => joint === '||');
  const commands: ShellCommand[] = [];
  /** Of the commands after this one: whether all let its exit code through, and whether one follows a `;`. */
  let after = { pass: true, hasEnd: false };
  for (let at = raw.length - 1; at >= 0; at -= 1) {
    const { words, joint, isInBackground } = raw[at] as RawCommand;
    const decides =
      !isUncertain &&
      !isInBackground &&
      after.pass &&
      words.every((word) => word !== '!') &&
      // A list with `||` before it may have skipped it.
      (firstOr < 0 || firstOr > at) &&
      // With `set -e`, only the last command of an `&&` list ends the program.
      !(raw[at + 1]?.joint === '&&' && after.hasEnd);
    commands.push({ words: plainWords(words), exitCode: decides ? 'decides' : 'masked' });
    const passes =
      joint === '&&' || (joint === '|' && failsPipes) || (joint === ';' && stopsAtErrors);
    after = { pass: after.pass && passes, hasEnd: after.hasEnd || joint === ';' };
  }
  return commands.reverse();
}

function plainWords(words: readonly string[]): readonly string[] {
  let at = 0;
  for (;;) {
    const first = words[at];
    if (first === undefined) break;
    if (/^[A-Za-z_]\w*=/.test(first) || WRAPPERS.has(first)) at += 1;
    else if (first === 'timeout') at += /^\d/.test(words[at + 1] ?? '') ? 2 : 1;
    else if (first.startsWith('-') && at + 1 < words.length) at += 1;
    else break;
  }
  return words.slice(at);
}

const HERE_DOCUMENT = /<<-?[ \t]{0,9}(['"]?)(\w{1,80})(?!\w)\1/g;

/** The text of here-documents is left out; what follows their mark in its line stays. */
function withoutHereDocuments(text: string): string {
  // Where each line that may end one begins, by its words: a mark that never comes costs one look.
  const ends = new Map<string, { readonly at: number; readonly end: number }[]>();
  let at = 0;
  for (const line of text.split('\n')) {
    const mark = line.replace(/^[ \t]+/, '');
    if (/^\w{1,80}$/.test(mark)) {
      const known = ends.get(mark) ?? [];
      known.push({ at, end: at + line.length });
      ends.set(mark, known);
    }
    at += line.length + 1;
  }
  let plain = '';
  let from = 0;
  let lineEnd = -1;
  for (const found of text.matchAll(HERE_DOCUMENT)) {
    if (found.index < from) continue;
    const markEnd = found.index + found[0].length;
    if (lineEnd < markEnd) lineEnd = text.indexOf('\n', markEnd);
    if (lineEnd < 0) break;
    const places = ends.get(found[2] ?? '') ?? [];
    while (places[0] !== undefined && places[0].at <= lineEnd) places.shift();
    const [place] = places;
    if (place === undefined) continue;
    plain += text.slice(from, found.index) + text.slice(markEnd, lineEnd);
    from = place.end;
  }
  return plain + text.slice(from);
}

/** Splits at operators outside quotes. Text of here-documents and comments belongs to no command. */
function split(source: string): RawCommand[] {
  const text = withoutHereDocuments(source.replaceAll(/\\\n/g, ' '));
  const commands: RawCommand[] = [];
  let words: string[] = [];
  let word = '';
  let isOpen = false;
  let joint: Joint = 'start';
  const endWord = (): void => {
    if (isOpen || word !== '') words.push(word);
    word = '';
    isOpen = false;
  };
  const endCommand = (next: Joint): void => {
    endWord();
    if (words.length > 0) commands.push({ words, joint, isInBackground: next === '&' });
    // Two separators in a row, such as `; \n`: the first operator counts.
    joint = words.length > 0 || joint === 'start' ? next : joint;
    words = [];
  };
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? '';
    const pair = text.slice(i, i + 2);
    if (char === "'" || char === '"') {
      const end = closing(text, i);
      word += text.slice(i + 1, end);
      isOpen = true;
      i = end;
    } else if (char === '\\') {
      word += text[i + 1] ?? '';
      i += 1;
    } else if (char === '#' && word === '' && !isOpen) {
      while (i + 1 < text.length && text[i + 1] !== '\n') i += 1;
    } else if (pair === '&&' || pair === '||') {
      endCommand(pair);
      i += 1;
    } else if (pair === '>&' || pair === '&>' || pair === '<&') {
      word += pair;
      i += 1;
    } else if (char === '|' || char === '&' || char === ';') {
      endCommand(char);
    } else if (char === '\n') {
      endCommand(';');
    } else if (/\s/.test(char)) {
      endWord();
    } else {
      word += char;
    }
  }
  endCommand(';');
  return commands;
}

/** Where the quotation that opens here ends; the end of the text where it does not. */
function closing(text: string, start: number): number {
  const quote = text[start];
  for (let i = start + 1; i < text.length; i += 1) {
    if (quote === '"' && text[i] === '\\') i += 1;
    else if (text[i] === quote) return i;
  }
  return text.length;
}
