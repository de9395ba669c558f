import { createInterface, type Interface } from 'node:readline/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEventOf } from '#contract/events/run-event.ts';
import { makeVisible } from '#contract/visible-text.ts';
import type { Api } from '../api/create-api.ts';
import { isAbortError } from '../base/abort.ts';
import { messageOf } from './exit-codes.ts';
import { describeQuestion } from './question-text.ts';
import type { Style } from './style.ts';

type Question = RunEventOf<'interrupt'>;

export interface TerminalQuestionsOptions {
  readonly api: Pick<Api, 'runs.respond'>;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly style: Style;
  /** Whether the question itself is already printed. */
  readonly isShown: boolean;
  /** Ctrl+C or Ctrl+D while a question is open. */
  readonly onInterrupt: () => void;
}

/** Asks the user at the terminal, one question at a time. */
export class TerminalQuestions {
  readonly #options: TerminalQuestionsOptions;
  /** The controller that withdraws each open question. */
  readonly #open = new Map<string, AbortController>();
  #queue: Promise<void> = Promise.resolve();

  constructor(options: TerminalQuestionsOptions) {
    this.#options = options;
  }

  ask(question: Question): void {
    const withdrawn = new AbortController();
    this.#open.set(question.interruptId, withdrawn);
    this.#queue = this.#queue.then(() => this.#answer(question, withdrawn.signal));
  }

  /** The question was answered elsewhere, or its run is over. */
  withdraw(interruptId: string): void {
    this.#open.get(interruptId)?.abort();
    this.#open.delete(interruptId);
  }

  dispose(): void {
    for (const interruptId of [...this.#open.keys()]) this.withdraw(interruptId);
  }

  async #answer(question: Question, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { input, output, onInterrupt, api, style, isShown } = this.#options;
    if (!isShown) output.write(`${describeQuestion(question, style)}\n`);
    // Without a prompt of its own: only a question shows one.
    const lines = createInterface({ input, output, prompt: '' });
    lines.on('SIGINT', onInterrupt);
    try {
      await dropTyped(lines, signal);
      const response = await askFor(question, prompterOf(lines, signal));
      const { runId, interruptId } = question;
      api['runs.respond']({ runId, interruptId, response });
    } catch (error) {
      // Withdrawn: answered elsewhere, or the run ended.
      if (signal.aborted) return;
      // Ctrl+D: no answer will come.
      if (isAbortError(error)) onInterrupt();
      else output.write(`${makeVisible(messageOf(error))}\n`);
    } finally {
      lines.close();
      this.#open.delete(question.interruptId);
    }
  }
}

/** What is typed before a question, and for this long after it, was meant for something else. */
const SETTLING_MS = 500;

/** Takes what is typed, and drops it. Rejects like a prompt where the question is withdrawn, or input ends. */
async function dropTyped(lines: Interface, withdrawn: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  lines.once('close', end);
  await setTimeout(SETTLING_MS, undefined, { signal: AbortSignal.any([withdrawn, ended.signal]) });
  // What came meanwhile is read before this is reached, however busy the process was.
  await setImmediate();
  lines.off('close', end);
  // A line that was begun.
  if (lines.terminal) lines.write(null, { ctrl: true, name: 'u' });
}

type Ask = (prompt: string) => Promise<string>;

/**
 * Asks for one line after the other. A line typed ahead answers the next prompt, but never one that was asked
 * before: after a line that was not understood, what follows it may be the rest of a paste.
 */
function prompterOf(lines: Interface, signal: AbortSignal): Ask {
  const typedAhead: string[] = [];
  const asked = new Set<string>();
  lines.on('line', (line) => typedAhead.push(line));
  return async (prompt) => {
    if (asked.has(prompt)) typedAhead.length = 0;
    asked.add(prompt);
    return typedAhead.shift() ?? lines.question(prompt, { signal });
  };
}

function askFor(question: Question, ask: Ask): Promise<InterruptResponse> {
  if (question.argumentsSha256 !== undefined) {
    return askApproval(question.argumentsSha256, question.rulePattern, ask);
  }
  if (question.kind === 'confirm') return askConfirm(question, ask);
  if (question.kind === 'checkpoint') return askCheckpoint(question, ask);
  return question.options.length > 0 ? askChoice(question, ask) : askText(ask);
}

async function askApproval(
  argumentsSha256: string,
  rulePattern: string | undefined,
  ask: Ask,
): Promise<InterruptResponse> {
  const always = rulePattern === undefined ? '' : ', A always approve in this task';
  for (;;) {
    const answer = (await ask(`a approve${always}, d deny > `)).trim();
    if (answer === 'a') return { action: 'approve', argumentsSha256, always: false };
    if (answer === 'A' && always !== '')
      return { action: 'approve', argumentsSha256, always: true };
    if (answer === 'd' || answer === 'D') {
      return { action: 'deny', reason: await askReason(ask) };
    }
  }
}

async function askConfirm({ toolCallId }: Question, ask: Ask): Promise<InterruptResponse> {
  const words = toolCallId === undefined ? '' : ', t answer in your own words';
  for (;;) {
    const answer = (await ask(`y yes, n no${words} > `)).trim().toLowerCase();
    if (answer === 'y') return { action: 'confirm' };
    if (answer === 'n') return { action: 'deny', reason: await askReason(ask) };
    const said = answer === 't' && words !== '' ? await askWords(ask) : null;
    if (said !== null) return said;
  }
}

/** An answer in words; null where there are none. */
async function askWords(ask: Ask): Promise<InterruptResponse | null> {
  const text = await ask('answer > ');
  return text.trim() === '' ? null : { action: 'input', text };
}

async function askCheckpoint(
  { options, parameters = {} }: Question,
  ask: Ask,
): Promise<InterruptResponse> {
  const choices = options.length > 0 ? `1 to ${options.length} choose, ` : '';
  const change = Object.keys(parameters).length > 0 ? 'm change parameters, ' : '';
  for (;;) {
    const answer = (
      await ask(`${choices}a approve, ${change}t say what to change, d stop here > `)
    ).trim();
    if (answer === 'a') return { action: 'confirm' };
    if (answer === 'd') return { action: 'deny', reason: await askReason(ask) };
    const option = /^\d+$/.test(answer) ? options[Number(answer) - 1] : undefined;
    if (option !== undefined) return { action: 'select', value: option.value };
    if (answer === 't') {
      const text = await ask('what to change > ');
      if (text.trim() !== '') return { action: 'input', text };
    }
    if (answer !== 'm' || change === '') continue;
    const overrides = parseObject(await ask('changed parameters as JSON > '));
    if (overrides !== null) return { action: 'modify', overrides };
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    // Asked again.
    return null;
  }
}

async function askReason(ask: Ask): Promise<string> {
  return (await ask('reason (optional) > ')).trim().slice(0, 2000);
}

async function askChoice({ options }: Question, ask: Ask): Promise<InterruptResponse> {
  for (;;) {
    const answer = (
      await ask(`1 to ${options.length} choose, t answer in your own words, s skip > `)
    ).trim();
    if (answer === 's') return { action: 'skip' };
    const said = answer === 't' ? await askWords(ask) : null;
    if (said !== null) return said;
    const option = /^\d+$/.test(answer) ? options[Number(answer) - 1] : undefined;
    if (option !== undefined) return { action: 'select', value: option.value };
  }
}

async function askText(ask: Ask): Promise<InterruptResponse> {
  const text = await ask('answer (empty to skip) > ');
  return text.trim() === '' ? { action: 'skip' } : { action: 'input', text };
}
