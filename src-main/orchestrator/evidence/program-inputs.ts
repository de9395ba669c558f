import { shellCommands } from './shell-commands.ts';

/** What a program reads or computes, by its source: the output of one that does neither shows nothing. */

/** Something that a program reads: a file, the network, the clock, another program. */
const READS_INPUT =
  /\bopen\s*\(|\bread_\w+\s*\(|\.read(?:_text|_bytes|lines?)?\s*\(|\binput\s*\(|stdin|\brequests\.|urllib|\bfetch\s*\(|readFile|createReadStream|\brequire\s*\(|\bsubprocess\b|\bos\.(?:listdir|walk|popen|system|stat|scandir|environ|path)|\bglob\b|\bPath\s*\(|sqlite3|psutil|socket|\bload(?:txt|s)?\s*\(|genfromtxt|datetime\.|time\.time|Date\.now|new Date|hyperagent|child_process|execSync/;
/** It computes over many values, which no constant expression does. */
const COMPUTES =
  /\bwhile\b|\brange\s*\(|\bfor\s*\([^;]{0,400};|itertools|\brandom|\bmath\.|statistics|sympy|numpy|\bnp\.|Math\.(?!max|min|round|abs)|\bseq\b/;
const BEGINS_FUNCTION = /\bfunction\b|\bdef \w/;
const RETURNS = /\breturn\b/;
/** Shell commands that print what they are given and read nothing. */
const READS_NOTHING =
  /^(?:echo|printf|expr|bc|true|false|test|\[|\[\[|:|set|export|cd|sleep|rev|tr|seq|local|declare|let|return|exit|done|fi|esac|EOF|\}|\))$/;

export function computes(source: string): boolean {
  const at = source.search(BEGINS_FUNCTION);
  return COMPUTES.test(source) || (at >= 0 && RETURNS.test(source.slice(at)));
}

export function readsInCode(source: string): boolean {
  const code = source
    .replaceAll(/(?:^|\s)(?:#|\/\/)[^\n]*/g, ' ')
    .replaceAll(/open\s*\([^()]*,\s*(?:mode\s*=\s*)?['"][wax][^()]*\)/g, ' ');
  return READS_INPUT.test(code);
}

export function readsInShell(source: string): boolean {
  return shellCommands(source).some(({ words }) => {
    const [name = '', ...rest] = words;
    if (name === '' || READS_NOTHING.test(name) || /^[\w]+=/.test(name)) return false;
    if (/^awk$/.test(name)) return !/^BEGIN/.test(rest.find((word) => !word.startsWith('-')) ?? '');
    if (/^(?:python3?|node|perl|ruby|php|deno|bun)$/.test(name)) {
      const at = rest.findIndex((word) => /^-(?:c|e|p|pe|r)$/.test(word));
      if (at >= 0) return readsInCode(rest[at + 1] ?? '');
      // A script of its own, or one whose text was added; standard input is in the source.
      return rest[0] === undefined || rest[0] === '-'
        ? readsInCode(source)
        : readsInCode(source) || !/\n/.test(source);
    }
    return name !== 'cat' || rest.some((word) => !word.startsWith('-'));
  });
}
