import type { CodeLanguage } from '#contract/vocabulary.ts';
import type { Command } from '../types.ts';

/**
 * The shell text that drives the bash of a sandbox. Bash reads its script from standard input: for each
 * command a line that reads the code as counted bytes into a file, a line that runs it, and a line that
 * prints the end mark. Three lines, because an error such as `$((1/0))` makes bash drop the rest of the
 * current line, but never the next one.
 *
 * No byte of the code is ever parsed as part of these lines, so no quoting can break out of it.
 */
export interface ShellLayout {
  /** Writable folder inside for the code of commands, which must not use it themselves. */
  readonly scriptDir: string;
  readonly workspaceDir: string;
  /**
   * How bash reads the code: `counted` is fast and needs bash 4.1; `nul` reads byte by byte and works with
   * the bash 3.2 of macOS.
   */
  readonly intake: 'counted' | 'nul';
  /** File inside that counts out-of-memory kills as `oom_kill N`; null if there is none. */
  readonly oomCounterFile: string | null;
}

/** Descriptors of the shell's real output; high, so that they do not clash with those of scripts. */
const OUT = 218;
const ERR = 219;
/** Redirections for a command: its streams, and none of the shell's own descriptors. */
const STREAMS = `</dev/null >&${OUT} 2>&${ERR} ${OUT}>&- ${ERR}>&-`;

/**
 * Sent once, before the first command. Between commands the shell's own output is dropped. Functions that
 * every command uses are defined here, because bash reads the lines of a pipe byte by byte.
 */
export function shellPrologue(layout: ShellLayout): string {
  const read = layout.intake === 'counted' ? 'read -r -N "$2"' : "read -r -d ''";
  return [
    `exec ${OUT}>&1 ${ERR}>&2 >/dev/null 2>/dev/null || builtin exit ${CANNOT_START}`,
    `cd ${layout.workspaceDir} || builtin exit ${CANNOT_START}`,
    // Before anything else runs, so that no later PATH decides which Python runs isolated code.
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
 * What Python imports before a program: it puts the workspace at the end of the path, so that programs find
 * modules there, but none of them shadows one of Python or of a package.
 */
function pythonStart({ scriptDir, workspaceDir }: ShellLayout): string[] {
  const code = `import sys; sys.path.append(${JSON.stringify(workspaceDir)})`;
  return [
    `builtin echo ${quote(code)} >${scriptDir}/sitecustomize.py || builtin exit ${CANNOT_START}`,
    // Python also imports this one, and would find one in the workspace.
    `>${scriptDir}/usercustomize.py || builtin exit ${CANNOT_START}`,
  ];
}

/** Quotes a text as one shell word. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export type ShellProgram = Pick<Command, 'language' | 'code' | 'isolated'>;

/** The input that makes the shell run `program` and print `nonce` on both streams at its end. */
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

/** Exit code of a shell that failed to start; its end is then not the end of a command. */
export const CANNOT_START = 251;

const SCRIPT_NAMES: Readonly<Record<CodeLanguage, string>> = {
  bash: 'command',
  python: 'script.py',
  javascript: 'script.js',
  typescript: 'script.ts',
};

type RunLine = (file: string, layout: ShellLayout, code: string) => string;

/**
 * The code is sourced, so that line numbers in errors are its own and `return` works; and at the top level,
 * so that its declarations are not local.
 */
const runBash: RunLine = () => 'builtin eval "$__ha_bash"';

/** `PYTHONPATH` has the modules of `pythonStart`, also for the programs that this one starts. */
const runPython: RunLine = (file, { workspaceDir, scriptDir }) =>
  inSubshell([
    `cd ${workspaceDir}`,
    need('python3', 'Python 3'),
    `PYTHONPATH=${scriptDir}\${PYTHONPATH:+:$PYTHONPATH} exec python3 ${file}`,
  ]);

/** Only Python: no environment, no sandbox folder on its path, no site packages. */
const runIsolated: RunLine = (file) =>
  inSubshell([
    'builtin cd /',
    need('python3', 'Python 3'),
    `builtin exec -c "$__ha_python" -I -S ${file}`,
  ]);

/**
 * Through standard input, so that imports are resolved from the workspace. From 22.18 on Node detects
 * CommonJS, modules and TypeScript by itself; before, modules need a flag.
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
 * Options such as `set -e` are reset after each command. The mark carries the exit code and, if there is a
 * counter, the number of out-of-memory kills.
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
