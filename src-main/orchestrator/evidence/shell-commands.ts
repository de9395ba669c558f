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

/**
 * The commands of a shell program. Only what is certain: a program with functions, conditions or substitutions
 * has commands whose exit codes are masked.
 */
export function shellCommands(source: string): ShellCommand[] {
  const raw = split(source);
  const text = raw.map(({ words }) => words.join(' ')).join('\n');
  const stopsAtErrors = raw.some(
    ({ words }) => words[0] === 'set' && /^-\w*e/.test(words[1] ?? ''),
  );
  const failsPipes = /\bset (?:-\w+ )*-\w*o pipefail\b/.test(text);
  const hasStructure =
    raw.some(({ words }) => CONDITIONS.test(words[0] ?? '')) || /\w+\s*\(\)|\balias\b/.test(source);
  return raw.map(({ words, isInBackground }, at) => {
    const after = raw.slice(at + 1);
    const decides =
      !hasStructure &&
      !isInBackground &&
      words.every((word) => word !== '!') &&
      after.every(({ joint }) => {
        if (joint === '&&') return true;
        if (joint === '|') return failsPipes;
        return joint === ';' && stopsAtErrors;
      }) &&
      // A list with `||` before it may have skipped it.
      !raw.slice(0, at + 1).some(({ joint }) => joint === '||') &&
      // With `set -e`, only the last command of an `&&` list ends the program.
      !(after[0]?.joint === '&&' && after.some(({ joint }) => joint === ';'));
    return { words: plainWords(words), exitCode: decides ? 'decides' : 'masked' };
  });
}

function plainWords(words: readonly string[]): string[] {
  let rest = [...words];
  for (;;) {
    const first = rest[0];
    if (first === undefined) return rest;
    if (/^[A-Za-z_]\w*=/.test(first) || WRAPPERS.has(first)) rest = rest.slice(1);
    else if (first === 'timeout') rest = rest.slice(/^\d/.test(rest[1] ?? '') ? 2 : 1);
    else if (first.startsWith('-') && rest.length > 1) rest = rest.slice(1);
    else return rest;
  }
}

/** Splits at operators outside quotes. Text of here-documents and comments belongs to no command. */
function split(source: string): RawCommand[] {
  const text = source
    .replaceAll(/\\\n/g, ' ')
    .replaceAll(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?\n[ \t]*\2(?=\n|$)/g, '$3');
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
