import type { CodeLanguage } from '#contract/vocabulary.ts';
import type { Command } from '../types.ts';

/**
 * The shell text that drives the one bash of a sandbox. It reads its script from its standard input:
 * per command a line that takes the code as counted bytes into a file of its own, a line that runs
 * it, and a line that prints the end mark. Three lines, because an error such as `$((1/0))` makes
 * bash drop the rest of the line that it is on, but never the next one.
 *
 * No byte of the code is ever parsed as part of these lines, so no quoting can break out of it.
 */
export interface ShellLayout {
  /** Writable folder inside that commands have no business in; the code is written there. */
  readonly scriptDir: string;
  readonly workspaceDir: string;
  /**
   * How bash takes the code in: `counted` is fast and wants bash 4.1; `nul` reads byte by byte and
   * works with the bash 3.2 of macOS.
   */
  readonly intake: 'counted' | 'nul';
  /** File inside that counts kills for lack of memory as `oom_kill N`; null if there is none. */
  readonly oomCounterFile: string | null;
}

/** Where the shell keeps its real output; high, so that scripts with descriptors of their own do not clash. */
const OUT = 218;
const ERR = 219;
/** For what runs a command: its streams, and none of the shell's own descriptors. */
const STREAMS = `</dev/null >&${OUT} 2>&${ERR} ${OUT}>&- ${ERR}>&-`;

/**
 * Sent once, before the first command. Between commands the shell's own output goes nowhere. What is
 * the same for every command is defined here, because bash reads the lines of a pipe byte by byte.
 */
export function shellPrologue(layout: ShellLayout): string {
  const read = layout.intake === 'counted' ? 'read -r -N "$2"' : "read -r -d ''";
  return [
    `exec ${OUT}>&1 ${ERR}>&2 >/dev/null 2>/dev/null || builtin exit ${CANNOT_START}`,
    `cd ${layout.workspaceDir} || builtin exit ${CANNOT_START}`,
    // Before anything else runs, so that no later PATH says which Python looks at what it left.
    'builtin declare -r __ha_python="$(builtin type -P python3)"',
    ...pythonStart(layout),
    `__ha_take() { IFS= LC_ALL=C builtin ${read} __ha_code; builtin printf %s "$__ha_code" >"${layout.scriptDir}/$1" || builtin exit ${CANNOT_START}; }`,
    `__ha_bash='__ha_return "$__ha_status"; . ${layout.scriptDir}/${SCRIPT_NAMES.bash} ${STREAMS}'`,
    '__ha_return() { return "$1"; }; __ha_status=0',
    `__ha_end() { ${endMark(layout)}; }`,
    '',
  ].join('\n');
}

/**
 * What Python imports before a program: its path ends with the workspace, so that the program finds
 * modules there, and none of them stands in for one of Python or of a package.
 */
function pythonStart({ scriptDir, workspaceDir }: ShellLayout): string[] {
  const code = `import sys; sys.path.append(${JSON.stringify(workspaceDir)})`;
  return [
    `builtin echo ${quote(code)} >${scriptDir}/sitecustomize.py || builtin exit ${CANNOT_START}`,
    // Python looks for this one too, and would find that of the workspace.
    `>${scriptDir}/usercustomize.py || builtin exit ${CANNOT_START}`,
  ];
}

/** As one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export type ShellProgram = Pick<Command, 'language' | 'code' | 'isolated'>;

/** What is written to the shell to run `program` and to hear `nonce` on both streams at its end. */
export function shellRequest(program: ShellProgram, nonce: string, layout: ShellLayout): Buffer {
  const code = Buffer.from(program.code, 'utf8');
  const name = SCRIPT_NAMES[program.language];
  const runLine = program.isolated === true ? runIsolated : RUN_LINES[program.language];
  const file = `${layout.scriptDir}/${name}`;
  return Buffer.concat([
    Buffer.from(`__ha_take ${name} ${code.length}\n`),
    code,
    Buffer.from(layout.intake === 'counted' ? '' : '\0'),
    Buffer.from(`${runLine(file, layout, program.code)}\n__ha_end ${nonce}\n`),
  ]);
}

/** Exit code of a shell that could not even begin; its end is then no end of a command. */
export const CANNOT_START = 251;

const SCRIPT_NAMES: Readonly<Record<CodeLanguage, string>> = {
  bash: 'command',
  python: 'script.py',
  javascript: 'script.js',
  typescript: 'script.ts',
};

type RunLine = (file: string, layout: ShellLayout, code: string) => string;

/**
 * The code is sourced, so line numbers in errors are its own, and `return` works; and at the top level,
 * so that what it declares is not local.
 */
const runBash: RunLine = () => 'builtin eval "$__ha_bash"';

/** `PYTHONPATH` has what Python imports first (`pythonStart`), for the programs that this one starts too. */
const runPython: RunLine = (file, { workspaceDir, scriptDir }) =>
  inSubshell([
    `cd ${workspaceDir}`,
    need('python3', 'Python 3'),
    `PYTHONPATH=${scriptDir}\${PYTHONPATH:+:$PYTHONPATH} exec python3 ${file}`,
  ]);

/** Python alone: no environment, no folder of the sandbox on its path, no site packages. */
const runIsolated: RunLine = (file) =>
  inSubshell([
    'builtin cd /',
    need('python3', 'Python 3'),
    `builtin exec -c "$__ha_python" -I -S ${file}`,
  ]);

/**
 * Through standard input, so that imports are looked up from the workspace. Node tells CommonJS,
 * modules and TypeScript apart by itself from 22.18 on; before, modules must be named as such.
 */
const runNode: RunLine = (file, { workspaceDir }, code) =>
  inSubshell([
    `cd ${workspaceDir}`,
    need('node', 'Node.js'),
    ...(/^\s*(import\s*[\w{*'"]|export\s)/m.test(code)
      ? [`__ha_flag=; ${NODE_KNOWS_TYPESCRIPT} || __ha_flag=--input-type=module`]
      : ['__ha_flag=']),
    `exec node \${__ha_flag:+"$__ha_flag"} - <${file}`,
  ]);

const runTypeScript: RunLine = (file, { workspaceDir }) =>
  inSubshell([
    `cd ${workspaceDir}`,
    need('node', 'Node.js'),
    `${NODE_KNOWS_TYPESCRIPT} || { builtin echo "TypeScript needs Node.js 22.18 or later; the sandbox has $__ha_node. Write JavaScript, or install a later Node.js." >&2; exit 127; }`,
    `exec node --disable-warning=ExperimentalWarning - <${file}`,
  ]);

const NODE_KNOWS_TYPESCRIPT =
  '{ __ha_node=$(node --version); [[ $__ha_node =~ ^v([0-9]+)\\.([0-9]+) ]] && (( BASH_REMATCH[1] > 22 || BASH_REMATCH[1] == 22 && BASH_REMATCH[2] >= 18 )); }';

const RUN_LINES: Readonly<Record<CodeLanguage, RunLine>> = {
  bash: runBash,
  python: runPython,
  javascript: runNode,
  typescript: runTypeScript,
};

function inSubshell(steps: readonly string[]): string {
  return `( ${steps.join('; ')} ) ${STREAMS}`;
}

function need(program: string, label: string): string {
  return `builtin type -P ${program} >/dev/null || { builtin echo "${label} is not installed: the sandbox has no ${program}. Install ${label} on this computer, or use the Docker sandbox." >&2; exit 127; }`;
}

/**
 * Options such as `set -e` hold for one command. The mark carries the exit code and, where there is a
 * counter, how often the kernel killed something for lack of memory.
 */
function endMark(layout: ShellLayout): string {
  const countKills =
    layout.oomCounterFile === null
      ? '__ha_oom=0'
      : `__ha_oom=$(<${layout.oomCounterFile}) __ha_oom=\${__ha_oom##*oom_kill } __ha_oom=\${__ha_oom%%[!0-9]*}`;
  return [
    '__ha_status=$?; set +exuvfC; set +o pipefail',
    countKills,
    `builtin printf '\\036%s %d %d\\036' "$1" "$__ha_status" "$__ha_oom" >&${OUT}`,
    `builtin printf '\\036%s 0\\036' "$1" >&${ERR}`,
  ].join('; ');
}
