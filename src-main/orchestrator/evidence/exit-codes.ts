import type { MadeCall } from '../../agents/types.ts';
import type { EvidenceContext } from './check-evidence.ts';
import { isCommand, isShell, sourceOf } from './program-source.ts';
import { shellCommands } from './shell-commands.ts';
import { type CheckedFact, fact, missing } from './types.ts';

/**
 * Whether a program ended without error: the last one that the target names, so one that failed and was fixed later
 * passes. It must have run, not only be named in output or a comment, and its own exit code must have decided. A
 * program of an earlier step counts only where the target names it.
 */
export function checkExitCode(
  target: string,
  { calls, earlierCalls }: Pick<EvidenceContext, 'calls' | 'earlierCalls'>,
): CheckedFact {
  const claim = target === '' ? 'A program ran without error' : `"${target}" ran without error`;
  const commands = calls.filter(isCommand);
  const last =
    commandsOf(target, commands).at(-1) ??
    namedCommands(target, earlierCalls.filter(isCommand))?.at(-1);
  if (last === undefined && commands.length === 0) {
    return missing(claim, 'No program was run.');
  }
  if (last === undefined) {
    return fact(claim, 'unknown', 'None of the programs that ran could be matched to it.');
  }
  const firstLine = last.call.content.split('\n', 1)[0]?.slice(0, 200) ?? '';
  if (last.call.status !== 'ok') return fact(claim, 'fails', firstLine);
  return last.decides
    ? fact(claim, 'holds', firstLine)
    : fact(claim, 'unknown', `${firstLine}, which other commands of the same program decided.`);
}

interface RunCommand {
  readonly call: MadeCall;
  /** Whether the exit code of the call is that of the program that the target names. */
  readonly decides: boolean;
}

/** Words about programs that do not name one. */
const ABOUT_PROGRAMS =
  /^(?:the|and|for|with(?:out)?|runs?|ran|ends?|exits?|exit_code|codes?|errors?|zero|success(?:fully|ful)?|commands?|programs?|scripts?|code|file|should|must|that|this|its|any|is)$/;

/** Calls that the target names; all if it names no program. */
function commandsOf(target: string, commands: readonly MadeCall[]): readonly RunCommand[] {
  const named = namedCommands(target, commands);
  if (named !== null) return named;
  return commands.map((call) => ({ call, decides: isShell(call) ? hasOwnExitCode(call) : true }));
}

/** Of a target: each is looked for in every program. */
const MOST_WORDS = 20;

/** Calls that run what the target says, else those that share a word with it; null if it names no program. */
function namedCommands(
  target: string,
  commands: readonly MadeCall[],
): readonly RunCommand[] | null {
  if (target.trim() === '') return null;
  const running = (part: string): RunCommand[] =>
    commands.flatMap((call) => runOf(call, part) ?? []);
  const whole = running(target.toLowerCase().trim());
  if (whole.length > 0) return whole;
  const words = target
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .map((word) => word.replace(/^[./-]+|[./-]+$/g, ''))
    .filter((word) => word.length > 1 && !ABOUT_PROGRAMS.test(word));
  if (words.length === 0) return null;
  const runs = [...new Set(words)].slice(0, MOST_WORDS).map(running);
  return commands.flatMap((call) => {
    const found = runs.flatMap((ones) => ones.filter((one) => one.call === call));
    return found.length === 0 ? [] : [{ call, decides: found.some(({ decides }) => decides) }];
  });
}

/** Commands that only print or look at the words after them. */
const NAMES_ONLY =
  /^(?:echo|printf|cat|grep|rg|ls|which|type|test|\[|head|tail|touch|rm|cp|mv|mkdir|chmod|cd|export|:|true)$/;

/** The run of `part` in a call; null if the call does not run it. */
function runOf(call: MadeCall, part: string): RunCommand | null {
  const source = sourceOf(call);
  if (!isShell(call)) return runInCode(call, part);
  const runs = shellCommands(source).filter(({ words }) => {
    const [name = ''] = words;
    return !NAMES_ONLY.test(name) && words.join(' ').toLowerCase().includes(part);
  });
  if (runs.length === 0) return null;
  return { call, decides: runs.at(-1)?.exitCode === 'decides' };
}

/** Lines of a program that start another one, and those whose failure ends this one. */
const STARTS =
  /\b(?:subprocess|os\.system|os\.popen|popen|runpy|exec|execSync|spawnSync|spawn|import|require|run_command)\b/i;
const ENDS_WITH_IT =
  /check\s*=\s*True|check_call|check_output|runpy|\bexec\s*\(|execSync|execFileSync|\bimport\b|\brequire\b|sys\.exit|process\.exit/;

function runInCode(call: MadeCall, part: string): RunCommand | null {
  const source = sourceOf(call);
  const code = source.replaceAll(/(?:^|\s)(?:#|\/\/)[^\n]*/g, '\n');
  const text = code.toLowerCase().replaceAll(/['"],?\s*['"]/g, ' ');
  if (!text.includes(part) || !STARTS.test(code)) return null;
  return { call, decides: ENDS_WITH_IT.test(code) && !/\bexcept\b|\bcatch\b/.test(code) };
}

/** Whether the code with which a shell program ended is that of its last command, and no other command failed unseen. */
function hasOwnExitCode(call: MadeCall): boolean {
  const commands = shellCommands(sourceOf(call)).filter(({ words: [name = ''] }) => name !== '');
  const programs = commands.filter(({ words: [name = ''] }) => !NAMES_ONLY.test(name));
  return programs.length === 0
    ? commands.every(({ exitCode }) => exitCode === 'decides')
    : programs.at(-1)?.exitCode === 'decides';
}
