import type { Evidence } from '#contract/plans.ts';
import type { MadeCall } from '../../agents/types.ts';
import type { RunEgress } from '../../egress/app-egress.ts';
import type { Workspace } from '../../sandbox/types.ts';
import { checkFile } from './file-opens.ts';
import { checkPage } from './page-answers.ts';
import { type CheckedFact, fact } from './types.ts';

/** The result of a step, and where to look for evidence. */
export interface EvidenceContext {
  readonly files: Pick<Workspace, 'read' | 'list'>;
  readonly egress: RunEgress;
  /** Of the step. */
  readonly calls: readonly MadeCall[];
  /** Of the run before it, oldest first: a step may rest on what another one showed. */
  readonly earlierCalls: readonly MadeCall[];
  readonly answer: string;
  /** Runs code in the sandbox and returns whether it ended without error; used for pages served there. */
  readonly probe: (code: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Tools that run programs; the exit code sets their status. */
const COMMAND_TOOLS: ReadonlySet<string> = new Set([
  'execute_code',
  'shell_command',
  'execute_script',
]);

/**
 * Checks by code whether a step was done. Evidence of kind `judgement` is left to the judge and yields no
 * fact.
 */
export async function checkEvidence(
  expected: readonly Evidence[],
  context: EvidenceContext,
): Promise<CheckedFact[]> {
  const facts: CheckedFact[] = [];
  for (const { kind, target } of expected) {
    context.signal.throwIfAborted();
    switch (kind) {
      case 'file':
        facts.push(await checkFile(context.files, target));
        break;
      case 'exit_code':
        facts.push(checkExitCode(target, context));
        break;
      case 'page':
        facts.push(await checkPage(target, context));
        break;
      case 'figure':
        facts.push(checkFigure(target, context));
        break;
      case 'judgement':
        break;
    }
  }
  return facts;
}

/**
 * The last program that matches the target counts, so one that failed and was fixed later passes. A program of
 * an earlier step counts only where the target names it.
 */
function checkExitCode(
  target: string,
  { calls, earlierCalls }: Pick<EvidenceContext, 'calls' | 'earlierCalls'>,
): CheckedFact {
  const claim = target === '' ? 'A program ran without error' : `"${target}" ran without error`;
  const isCommand = ({ name }: MadeCall): boolean => COMMAND_TOOLS.has(name);
  const commands = calls.filter(isCommand);
  const last =
    commandsOf(target, commands).at(-1) ??
    namedCommands(target, earlierCalls.filter(isCommand))?.at(-1);
  if (last === undefined && commands.length === 0) {
    return fact(claim, 'fails', 'No program was run.');
  }
  if (last === undefined) {
    return fact(claim, 'unknown', 'None of the programs that ran could be matched to it.');
  }
  const firstLine = last.content.split('\n', 1)[0]?.slice(0, 200) ?? '';
  return fact(claim, last.status === 'ok' ? 'holds' : 'fails', firstLine);
}

/** Words about programs that do not name one. */
const ABOUT_PROGRAMS =
  /^(?:the|and|for|with(?:out)?|runs?|ran|ends?|exits?|exit_code|codes?|errors?|zero|success(?:fully|ful)?|commands?|programs?|scripts?|code|file|should|must|that|this|its|any|is)$/;

/** Calls that the target names; all if it names no program. */
function commandsOf(target: string, commands: readonly MadeCall[]): readonly MadeCall[] {
  return namedCommands(target, commands) ?? commands;
}

/** Calls that contain the target, else those that share a word with it; null if it names no program. */
function namedCommands(target: string, commands: readonly MadeCall[]): readonly MadeCall[] | null {
  if (target.trim() === '') return null;
  const texts = commands.map((call) => ({
    call,
    text: JSON.stringify(call.arguments).toLowerCase(),
  }));
  const containing = (part: string): MadeCall[] =>
    texts.filter(({ text }) => text.includes(part)).map(({ call }) => call);
  const whole = containing(target.toLowerCase());
  if (whole.length > 0) return whole;
  const words = target
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .map((word) => word.replace(/^[./-]+|[./-]+$/g, ''))
    .filter((word) => word.length > 1 && !ABOUT_PROGRAMS.test(word));
  if (words.length === 0) return null;
  return commands.filter((call) => words.some((word) => containing(word).includes(call)));
}

/** A number with decimals and group separators. */
const NUMBER = /\d+(?:[.,\u00a0\u202f' ]\d{3})*(?:[.,]\d+)?/g;

/**
 * A number in the target must appear in the output. If the target only describes a figure, some number of
 * the answer must.
 */
function checkFigure(
  target: string,
  { calls, earlierCalls, answer }: EvidenceContext,
): CheckedFact {
  const outputs = [...earlierCalls, ...calls]
    .filter(({ status }) => status === 'ok')
    .map(({ content }) => content);
  if (outputs.length === 0) {
    return fact(`${target}: appears in the output`, 'fails', 'There is no output.');
  }
  const text = outputs.join('\n');
  const shown = numbersOf(text);
  const named = numbersOf(target);
  if (named.size > 0) {
    const missing = [...named].filter((number) => !shown.has(number));
    return missing.length === 0
      ? fact(`${target}: appears in the output`, 'holds', 'Found in output.')
      : fact(`${target}: appears in the output`, 'fails', `Not in output: ${missing.join(', ')}.`);
  }
  if (text.toLowerCase().includes(target.toLowerCase())) {
    return fact(`${target}: appears in the output`, 'holds', 'Found in output.');
  }
  const claimed = [...numbersOf(answer)].filter((number) => number.length > 1);
  const found = claimed.filter((number) => shown.has(number));
  const claim = `${target}: the figures in the answer come from the output`;
  if (found.length > 0) {
    const others = claimed.filter((number) => !shown.has(number)).slice(0, 5);
    const rest = others.length === 0 ? '' : ` Not in output: ${others.join(', ')}.`;
    return fact(claim, 'holds', `In output: ${found.slice(0, 5).join(', ')}.${rest}`);
  }
  return claimed.length === 0
    ? fact(claim, 'unknown', 'The answer has no figures.')
    : fact(claim, 'fails', `Not in output: ${claimed.slice(0, 5).join(', ')}.`);
}

/** Numbers of a text in one form: `1,234.50` and `1234.5` are the same. */
function numbersOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(NUMBER)].map(([written]) => {
      const plain = written.replace(/[,\u00a0\u202f' ](?=\d{3}(?:\D|$))/g, '').replace(',', '.');
      const value = Number(plain);
      return Number.isFinite(value) ? String(value) : written;
    }),
  );
}
