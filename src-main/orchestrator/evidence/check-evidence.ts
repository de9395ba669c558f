import type { Evidence } from '#contract/plans.ts';
import type { MadeCall } from '../../agents/types.ts';
import type { RunEgress } from '../../egress/app-egress.ts';
import type { Workspace } from '../../sandbox/types.ts';
import { checkFile } from './file-opens.ts';
import { checkPage } from './page-answers.ts';
import { type CheckedFact, fact } from './types.ts';

/** What a step gave, and where to look. */
export interface EvidenceContext {
  readonly files: Pick<Workspace, 'read' | 'list'>;
  readonly egress: RunEgress;
  readonly calls: readonly MadeCall[];
  readonly answer: string;
  /** Runs a command inside and tells whether it ended without error; used for pages of the sandbox itself. */
  readonly probe: (code: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Tools that run programs; their status is that of the exit code. */
const COMMAND_TOOLS: ReadonlySet<string> = new Set([
  'execute_code',
  'shell_command',
  'execute_script',
]);

/**
 * Looks at what shows that a step was done, by code. What only a judge can tell is not looked at here,
 * and has no fact.
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
        facts.push(checkExitCode(target, context.calls));
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

/** The last program that fits the target counts: one that failed and was mended is no failure. */
function checkExitCode(target: string, calls: readonly MadeCall[]): CheckedFact {
  const claim = target === '' ? 'A program ran without error' : `"${target}" ran without error`;
  const commands = calls.filter(({ name }) => COMMAND_TOOLS.has(name));
  if (commands.length === 0) return fact(claim, 'fails', 'No program was run.');
  const last = commandsOf(target, commands).at(-1);
  if (last === undefined) {
    return fact(claim, 'unknown', 'No program that was run is known to be that one.');
  }
  const firstLine = last.content.split('\n', 1)[0]?.slice(0, 200) ?? '';
  return fact(claim, last.status === 'ok' ? 'holds' : 'fails', firstLine);
}

/** Words about a program that name none. */
const ABOUT_PROGRAMS =
  /^(?:the|and|for|with(?:out)?|runs?|ran|ends?|exits?|exit_code|codes?|errors?|zero|success(?:fully|ful)?|commands?|programs?|scripts?|code|file|should|must|that|this|its|any|is)$/;

/** Those that hold the target; else those that share a word with it, where it is a description; all for none. */
function commandsOf(target: string, commands: readonly MadeCall[]): readonly MadeCall[] {
  const said = commands.map((call) => ({
    call,
    text: JSON.stringify(call.arguments).toLowerCase(),
  }));
  const holding = (part: string): MadeCall[] =>
    said.filter(({ text }) => text.includes(part)).map(({ call }) => call);
  const whole = holding(target.toLowerCase());
  if (whole.length > 0) return whole;
  const words = target
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .map((word) => word.replace(/^[./-]+|[./-]+$/g, ''))
    .filter((word) => word.length > 1 && !ABOUT_PROGRAMS.test(word));
  if (words.length === 0) return commands;
  return commands.filter((call) => words.some((word) => holding(word).includes(call)));
}

/** A number with its decimals, without signs that group its digits. */
const NUMBER = /\d+(?:[.,\u00a0\u202f' ]\d{3})*(?:[.,]\d+)?/g;

/**
 * A figure that was named must stand in output. Where only its meaning was named, a number of the
 * answer must.
 */
function checkFigure(target: string, { calls, answer }: EvidenceContext): CheckedFact {
  const outputs = calls.filter(({ status }) => status === 'ok').map(({ content }) => content);
  if (outputs.length === 0) {
    return fact(`${target}: it stands in output`, 'fails', 'There is no output.');
  }
  const text = outputs.join('\n');
  const shown = numbersOf(text);
  const named = numbersOf(target);
  if (named.size > 0) {
    const missing = [...named].filter((number) => !shown.has(number));
    return missing.length === 0
      ? fact(`${target}: it stands in output`, 'holds', 'Found in output.')
      : fact(`${target}: it stands in output`, 'fails', `Not in output: ${missing.join(', ')}.`);
  }
  if (text.toLowerCase().includes(target.toLowerCase())) {
    return fact(`${target}: it stands in output`, 'holds', 'Found in output.');
  }
  const claimed = [...numbersOf(answer)].filter((number) => number.length > 1);
  const found = claimed.filter((number) => shown.has(number));
  const claim = `${target}: the figures of the answer come from output`;
  if (found.length > 0) {
    const others = claimed.filter((number) => !shown.has(number)).slice(0, 5);
    const rest = others.length === 0 ? '' : ` Not in output: ${others.join(', ')}.`;
    return fact(claim, 'holds', `In output: ${found.slice(0, 5).join(', ')}.${rest}`);
  }
  return claimed.length === 0
    ? fact(claim, 'unknown', 'The answer names no figure.')
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
