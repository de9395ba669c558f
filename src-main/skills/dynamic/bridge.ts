import { z } from 'zod';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import type { SkillCapability } from '#contract/skills.ts';
import { tooManySteps } from '../graph-skill.ts';
import type { SkillContext } from '../types.ts';
import { APP_CALLS, type AppCall } from './app-calls.ts';
import type { GuestLimits } from './limits.ts';
import { readPlainJson } from './plain-json.ts';
import type { CallAnswer, GuestCall } from './worker-messages.ts';

export interface BridgeParts {
  readonly context: SkillContext;
  readonly asked: readonly SkillCapability[];
  readonly granted: readonly SkillCapability[];
  readonly limits: GuestLimits;
  /** Aborts when the guest has ended. */
  readonly over: AbortSignal;
  /** Receives what ends or pauses the run, or is a bug of the app: the guest gets no answer for these. */
  readonly onFatal: (error: unknown) => void;
}

/** Concurrent calls of one execution; each may wait for a model, or for the user. */
const AT_ONCE = 8;

/** Fewer, because a child has a thread and memory of its own. */
const CHILDREN_AT_ONCE = 2;

/** Answers the calls of one execution of a dynamic skill: only those that it requested and was granted. */
export class Bridge {
  readonly #parts: BridgeParts;
  readonly #reported = new Map<string, ErrorCode>();
  readonly #working = new Set<Promise<unknown>>();
  readonly #calls = new Gate(AT_ONCE);
  readonly #children = new Gate(CHILDREN_AT_ONCE);
  #answered = 0;
  #steps = 0;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  /** Makes the call and passes its answer to `respond`, unless the guest has ended. */
  handle(call: GuestCall, respond: (answer: CallAnswer) => void): void {
    const work = this.#answer(call).then(
      (answer) => {
        if (!this.#parts.over.aborted) respond(answer);
      },
      (error: unknown) => this.#parts.onFatal(error),
    );
    this.#working.add(work);
    void work.finally(() => this.#working.delete(work));
  }

  /** Resolves when no call is running any more. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#working]);
  }

  /** The code of an error that this bridge reported and the guest did not catch; null for one that it made up. */
  codeOf(claimed: string | null): ErrorCode | null {
    return claimed === null ? null : (this.#reported.get(claimed) ?? null);
  }

  async #answer({ id, name, given }: GuestCall): Promise<CallAnswer> {
    try {
      const call = APP_CALLS.get(name);
      if (call === undefined) throw new AppError('BAD_REQUEST', `There is no app.${name}.`);
      this.#permit(call.capability, name);
      if (call.isStep) this.#countStep();
      const gate = call.capability === 'invokeSkill' ? this.#children : this.#calls;
      const result = await gate.pass(() => this.#do(call, name, given));
      const json = JSON.stringify(result) ?? '';
      this.#countAnswer(name, json.length);
      return { id, ok: true, json };
    } catch (error) {
      const { context, over } = this.#parts;
      const isOver = over.aborted || context.signal.aborted;
      if (!(error instanceof AppError) || isOver || context.passesThrough(error)) throw error;
      this.#reported.set(error.code, error.code);
      const { code, message } = error;
      return { id, ok: false, json: JSON.stringify({ code, message }) };
    }
  }

  /** Counts a step. One too many ends the guest: it could catch the refusal and go on. */
  #countStep(): void {
    const { limits, context, onFatal } = this.#parts;
    this.#steps += 1;
    if (this.#steps <= limits.steps) return;
    const error = tooManySteps(context.skillId, limits.steps);
    onFatal(error);
    throw error;
  }

  /** Counts an answer. Throws `SKILL_CALL_LIMIT` where this one, or all together, are too long. */
  #countAnswer(name: string, chars: number): void {
    const { answerChars, answersChars } = this.#parts.limits;
    const over = (limit: string): AppError =>
      new AppError(
        'SKILL_CALL_LIMIT',
        `The answer of app.${name} has ${chars} characters, and a skill may receive ${limit}.`,
      );
    if (chars > answerChars) throw over(String(answerChars));
    if (this.#answered + chars > answersChars) {
      throw over(`${answersChars} in all, of which it has received ${this.#answered}`);
    }
    this.#answered += chars;
  }

  async #do(call: AppCall, name: string, given: string): Promise<unknown> {
    const { context, over } = this.#parts;
    over.throwIfAborted();
    context.signal.throwIfAborted();
    return await call.work(this.#read(call, name, given), { context, over });
  }

  #permit(capability: SkillCapability, name: string): void {
    const { asked, granted, context } = this.#parts;
    if (granted.includes(capability) && asked.includes(capability)) return;
    const why = asked.includes(capability)
      ? `the user did not grant it ${capability}`
      : `its metadata does not request ${capability}`;
    throw new AppError(
      'SKILL_CAPABILITY_DENIED',
      `The skill ${context.skillId} may not call app.${name}: ${why}.`,
    );
  }

  #read({ given: shape, chars }: AppCall, name: string, json: string): unknown {
    const bad = (problem: string): AppError =>
      new AppError('BAD_REQUEST', `app.${name} was called wrongly: ${problem}`);
    // Before parsing, which takes the app's own time.
    if (json.length > chars) {
      throw bad(`it has ${json.length} characters, and may have ${chars}.`);
    }
    let value: unknown;
    try {
      value = readPlainJson(json);
    } catch (error) {
      throw bad(error instanceof Error ? error.message : 'that is not JSON.');
    }
    const parsed = safeParse(shape, value);
    if (parsed.success) return parsed.data;
    throw bad(z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ').slice(0, 500));
  }
}

/** Lets so many through at a time, the others in order of arrival. */
class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
