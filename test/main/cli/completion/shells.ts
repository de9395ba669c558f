import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The shells of this computer that a test can run. */
export type RunnableShell = 'bash' | 'zsh' | 'fish';

export interface Candidate {
  readonly name: string;
  /** Empty where the shell shows none. */
  readonly description: string;
}

export interface ShellTest {
  /** The completion script. */
  readonly script: string;
  /** The folder whose files are offered. */
  readonly cwd: string;
}

const isHere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Which shells are installed; the tests of the others are skipped by name. */
export const SHELL_IS_HERE: Readonly<Record<RunnableShell, boolean>> = {
  bash: isHere('bash'),
  zsh: isHere('zsh'),
  fish: isHere('fish'),
};
export const canType: boolean = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

export const shellNote = (shell: RunnableShell): string =>
  SHELL_IS_HERE[shell] ? '' : ` (skipped: no ${shell} here)`;

/** An empty folder that is removed after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const posixQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end. One that hangs is ended with its test. */
async function start({ command, args, cwd, home, input = '', env = {} }: Start): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm', LANG: 'C.UTF-8', ...env },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  child.stdin.end(input);
  await once(child, 'close');
  return output;
}

/** What the shell offers at the end of each line, as its own completion says it. */
export async function completionsOf(
  shell: RunnableShell,
  lines: readonly string[],
  test: ShellTest,
): Promise<Map<string, Candidate[]>> {
  const home = testFolder();
  writeFileSync(join(home, 'script'), test.script);
  const output = await { bash: askBash, zsh: askZsh, fish: askFish }[shell](home, lines, test.cwd);
  const found = new Map<string, Candidate[]>(lines.map((line) => [line, []]));
  let current: Candidate[] = [];
  for (const line of output.split('\n')) {
    const [name = '', description = ''] = line.split('\t');
    if (name.startsWith('== ')) current = found.get(name.slice(3)) ?? [];
    else if (name !== '') current.push({ name, description });
  }
  return found;
}

/** The words as bash passes them: also split at "=" and ":". */
function bashWords(line: string): string[] {
  const words = line.match(/[=:]+|[^\s=:]+/g) ?? [];
  return /\s$/.test(line) ? [...words, ''] : words;
}

function askBash(home: string, lines: readonly string[], cwd: string): Promise<string> {
  const questions = lines.map((line) => {
    const words = bashWords(line);
    return [
      `printf '== %s\\n' ${posixQuote(line)}`,
      `COMP_LINE=${posixQuote(line)} COMP_POINT=${line.length} COMP_CWORD=${words.length - 1}`,
      `COMP_WORDS=(${words.map(posixQuote).join(' ')})`,
      '__hyperagent; for one in "${COMPREPLY[@]}"; do printf "%s\\n" "$one"; done',
    ].join('\n');
  });
  const input = [`source ${home}/script`, ...questions].join('\n');
  return start({ command: 'bash', args: ['--noprofile', '--norc'], cwd, home, input });
}

function askFish(home: string, lines: readonly string[], cwd: string): Promise<string> {
  const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const questions = lines.map(
    (line) => `printf '== %s\\n' ${quote(line)}\ncomplete -C ${quote(line)}`,
  );
  writeFileSync(join(home, 'ask'), [`source ${home}/script`, ...questions].join('\n'));
  return start({ command: 'fish', args: ['--no-config', join(home, 'ask')], cwd, home });
}

/** Zsh completes only in its line editor: it runs there, and notes what is passed to `compadd`. */
const NOTE_MATCHES = `
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits shown
  local name=\${@[\${@[(i)-d]}+1]} i
  if (( $@[(I)-d] )); then
    if [[ $name == \\(* ]]; then shown=("\${(@Q)\${(z)name[2,-2]}}"); else shown=("\${(@P)name}"); fi
  fi
  builtin compadd -A hits -D shown "$@"
  for ((i = 1; i <= $#hits; i++)); do print -r -- "\${hits[i]}"$'\\t'"\${shown[i]#*-- }" >> $HOME/found; done
  builtin compadd "$@"
}
zle -C complete-line complete-word _main_complete
zle-line-init() {
  local line
  for line in "\${(@f)$(<$HOME/lines)}"; do
    print -r -- "== $line" >> $HOME/found
    BUFFER=$line CURSOR=$#line
    zle complete-line
  done
  exit
}
zle -N zle-line-init
`;

async function askZsh(home: string, lines: readonly string[], cwd: string): Promise<string> {
  // The width of the terminal is where descriptions are cut.
  const setup = `stty cols 2000\nCOLUMNS=2000\nautoload -Uz compinit; compinit -u -D\nsource ${home}/script\n`;
  writeFileSync(join(home, '.zshrc'), setup + NOTE_MATCHES);
  writeFileSync(join(home, 'lines'), lines.join('\n'));
  writeFileSync(join(home, 'found'), '');
  await atTerminal('zsh -i', { home, cwd, keys: '' });
  return readFileSync(join(home, 'found'), 'utf8');
}

function atTerminal(
  command: string,
  { home, cwd, keys }: { home: string; cwd: string; keys: string },
): Promise<string> {
  const args = ['-qec', command, '/dev/null'];
  const env = { ZDOTDIR: home, INPUTRC: '/dev/null', SHELL: '/bin/sh' };
  return start({ command: 'script', args, cwd, home, input: keys, env });
}

const FISH_FOLDER = '.config/fish/completions';

/** The arguments that `hyperagent` gets from each line, typed at a terminal: "\t" completes. */
export async function argumentsOfTyped(
  shell: RunnableShell,
  lines: readonly string[],
  { script, cwd }: ShellTest,
): Promise<string[][]> {
  const home = testFolder();
  // Where the help text says that zsh and fish find it by themselves.
  const place = {
    bash: 'script',
    zsh: 'zfunc/_hyperagent',
    fish: `${FISH_FOLDER}/hyperagent.fish`,
  }[shell];
  mkdirSync(dirname(join(home, place)), { recursive: true });
  writeFileSync(join(home, place), script);
  writeFileSync(join(home, 'said'), '');
  const note = `printf '<%s>' "$@" >> ${home}/said; echo >> ${home}/said`;
  const setup = {
    bash: `source ${home}/script\nhyperagent() { ${note}; }\n`,
    zsh: `fpath=(${home}/zfunc $fpath)\nautoload -Uz compinit; compinit -u -D\nhyperagent() { ${note}; }\n`,
    fish: `set -p fish_complete_path ${home}/${FISH_FOLDER}\nfunction hyperagent\n${note.replace('"$@"', '$argv')}\nend\n`,
  }[shell];
  const file = join(home, shell === 'zsh' ? '.zshrc' : 'setup');
  writeFileSync(file, setup);
  // Fish with its configuration starts a process that reads all manual pages.
  const command = {
    bash: `bash --noprofile --rcfile ${file} -i`,
    zsh: 'zsh -i',
    fish: `fish --no-config --init-command 'source ${file}' -i`,
  }[shell];
  await atTerminal(command, { home, cwd, keys: `${lines.join('\n')}\nexit\n` });
  const said = readFileSync(join(home, 'said'), 'utf8').trimEnd().split('\n');
  return said.map((line) => line.slice(1, -1).split('><'));
}
