import { EvalFlags, Intrinsics, JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi';
import { RunningTime } from '../../../base/running-time.ts';
import type { GuestLimits } from '../limits.ts';
import type {
  CallAnswer,
  GuestCall,
  GuestEnd,
  GuestEndCode,
  GuestStart,
} from '../worker-messages.ts';
import {
  PRELUDE,
  REFUSED_MODULE_SOURCE,
  SKILL_MODULE,
  SKILL_MODULE_SOURCE,
} from './guest-prelude.ts';

export interface GuestParts {
  readonly engine: WebAssembly.Module;
  readonly limits: GuestLimits;
  readonly start: GuestStart;
  /** Polled while the guest computes. */
  readonly isStopped: () => boolean;
  readonly onCall: (call: GuestCall) => void;
}

const ENDED = 'The skill has ended.';
const OUT_OF_MEMORY: Failure = {
  code: 'SKILL_MEMORY_LIMIT',
  message: 'The skill used more memory than it may.',
};
const TOO_DEEP: Failure = {
  code: 'SKILL_MEMORY_LIMIT',
  message: 'The skill nests calls or data deeper than its stack allows.',
};

interface Failure {
  readonly code: GuestEndCode;
  readonly message: string;
  readonly claimedCode?: string | null;
  readonly line?: number | null;
  readonly isClean?: boolean;
}

/**
 * One execution of untrusted code in an engine of its own: a fresh instance with its own memory, which holds
 * nothing of this process. Its only connection is the function `send`, which takes four strings and numbers.
 */
export class Guest {
  readonly #parts: GuestParts;
  readonly #vm: QuickJS;
  readonly #bridge: JSValueHandle;
  #end: GuestEnd | null = null;
  readonly #turnTime = new RunningTime();
  #isTimeUp = false;
  #calls = 0;
  /** Calls that wait for an answer, by our own numbers: the guest's id of each, and its length. */
  readonly #unanswered = new Map<number, { readonly guestId: number; readonly chars: number }>();
  #waitingChars = 0;
  #lines = 0;

  private constructor(parts: GuestParts, vm: QuickJS, clock: GuestClock) {
    this.#parts = parts;
    this.#vm = vm;
    clock.nowMs = parts.start.at;
    using prelude = vm.evalCode(PRELUDE, SKILL_MODULE);
    using send = vm.newFunction('send', (...given) => vm.newString(this.#receive(given)));
    this.#bridge = vm.callFunction(prelude, vm.undefined, send);
  }

  static async open(parts: GuestParts): Promise<Guest> {
    const { engine, limits, start } = parts;
    // The engine seeds its random numbers from the clock, once, when it is created.
    const clock: GuestClock = { nowMs: start.seed };
    let guest: Guest | null = null;
    const vm = await QuickJS.create({
      wasm: engine,
      memoryLimit: limits.memoryBytes,
      maxStackSize: limits.stackBytes,
      timezoneOffset: 0,
      interruptHandler: () => guest?.shouldStop() ?? false,
      // The guest may neither keep anything past its end nor observe the garbage collector.
      intrinsics: Intrinsics.ALL & ~Intrinsics.WEAK_REF & ~Intrinsics.PERFORMANCE,
      wasi: wasiOf(clock),
      moduleLoader: {
        normalize: (_from: string, name: string) => (name === SKILL_MODULE ? name : 'refused'),
        // Not thrown: an error made here would carry this process's stack into the guest.
        load: (name: string) =>
          name === SKILL_MODULE ? SKILL_MODULE_SOURCE : REFUSED_MODULE_SOURCE,
      },
    });
    guest = new Guest(parts, vm, clock);
    return guest;
  }

  /** How the execution ended; null while it waits for the app. */
  get end(): GuestEnd | null {
    return this.#end;
  }

  /** Reads a module's metadata. */
  describe(javascript: string): void {
    this.#turn(() => this.#load(javascript, 'describe'));
  }

  run(javascript: string, params: string): void {
    this.#turn(() => this.#load(javascript, 'run', params));
  }

  answer({ id, ok, json }: CallAnswer): void {
    const asked = this.#unanswered.get(id);
    if (this.#end !== null || asked === undefined) return;
    this.#unanswered.delete(id);
    this.#waitingChars -= asked.chars;
    const vm = this.#vm;
    this.#turn(() => {
      using call = vm.newNumber(asked.guestId);
      using text = vm.newString(json);
      using answer = this.#bridge.getProp('answer');
      vm.callFunction(answer, vm.undefined, call, ok ? vm.true : vm.false, text).dispose();
    });
  }

  shouldStop(): boolean {
    if (this.#end !== null || this.#parts.isStopped()) return true;
    this.#isTimeUp ||= this.#turnTime.passedMs > this.#parts.limits.turnMs;
    return this.#isTimeUp;
  }

  #load(javascript: string, how: 'describe' | 'run', params?: string): void {
    const vm = this.#vm;
    this.#lines = javascript.split('\n').length;
    using loaded = vm.evalCode(javascript, 'skill', EvalFlags.TYPE_MODULE);
    using start = this.#bridge.getProp(how);
    using text = vm.newString(params ?? '');
    vm.callFunction(start, vm.undefined, loaded, text).dispose();
  }

  /** Lets the guest compute until it waits, ends, or reaches a limit. */
  #turn(work: () => void): void {
    this.#turnTime.restart();
    try {
      work();
      this.#vm.executePendingJobs();
    } catch (error) {
      this.#fail(this.#isTimeUp ? this.#timeUp() : this.#placed(failureOf(error)));
    }
    if (this.#isTimeUp) this.#fail(this.#timeUp());
    if (this.#unanswered.size === 0) {
      this.#fail({
        code: 'SKILL_FAILED',
        message: 'The skill waits for a promise that never resolves.',
        isClean: true,
      });
    }
  }

  /** Handles a `send`. Never throws: an error made here would carry this process's stack into the guest. */
  #receive(given: readonly JSValueHandle[]): string {
    if (this.#end !== null || this.#parts.isStopped()) return ENDED;
    const [kind, id, name, json] = given.map((value) =>
      value.isString ? value.toString() : value.isNumber ? value.toNumber() : null,
    );
    const text = typeof json === 'string' ? json : null;
    switch (kind) {
      case 'call':
        return this.#receiveCall(id, name, text);
      case 'done':
        this.#receiveOutput(text);
        return '';
      case 'failed':
        this.#receiveFailure(name === 'output', text);
        return '';
      default:
        return 'The app does not know this message.';
    }
  }

  #receiveCall(id: unknown, name: unknown, given: string | null): string {
    const { limits, onCall } = this.#parts;
    if (typeof id !== 'number' || typeof name !== 'string' || given === null) {
      return 'The app does not know this message.';
    }
    this.#calls += 1;
    if (this.#calls > limits.calls) {
      const message = `The skill made more than ${limits.calls} calls to the app.`;
      this.#fail({ code: 'SKILL_CALL_LIMIT', message });
      return message;
    }
    if (given.length > limits.messageChars || name.length > 100) {
      return `A call may have ${limits.messageChars} characters, and this one has ${given.length}.`;
    }
    const waiting = this.#waitingChars + given.length;
    if (waiting > limits.waitingChars) {
      return `The calls that wait for an answer have ${waiting} characters together, and may have ${limits.waitingChars}: await some first.`;
    }
    this.#waitingChars = waiting;
    this.#unanswered.set(this.#calls, { guestId: id, chars: given.length });
    onCall({ id: this.#calls, name, given });
    return '';
  }

  #receiveOutput(output: string | null): void {
    const { outputChars } = this.#parts.limits;
    if (output === null) {
      this.#fail(invalidOutput('The skill returned nothing; it must return an object.'));
    } else if (output.length > outputChars) {
      this.#fail(invalidOutput(`The output is over ${outputChars} characters of JSON.`));
    } else this.#end = { ok: true, output };
  }

  #receiveFailure(isOfOutput: boolean, json: string | null): void {
    const failure = this.#placed(failureOfReport(json));
    if (isOfOutput && failure.code === 'SKILL_FAILED') {
      this.#fail(invalidOutput(`The output cannot be written as JSON: ${failure.message}`));
    } else this.#fail(failure);
  }

  /** Drops an impossible line: it comes from a stack, which the skill may have written itself. */
  #placed(failure: Failure): Failure {
    const { line = null } = failure;
    const isThere = line !== null && line >= 1 && line <= this.#lines;
    return isThere ? failure : { ...failure, line: null };
  }

  /** The first failure counts. */
  #fail({ code, message, claimedCode = null, line = null, isClean = false }: Failure): void {
    this.#end ??= { ok: false, code, message, claimedCode, line, isClean };
  }

  #timeUp(): Failure {
    const seconds = this.#parts.limits.turnMs / 1000;
    const message = `The skill computed for more than ${seconds} s without a pause, and was stopped.`;
    return { code: 'SKILL_TIMED_OUT', message };
  }
}

interface GuestClock {
  nowMs: number;
}

/** A clock that advances by a millisecond at each read, random bytes that are always zero, and no output. */
function wasiOf(clock: GuestClock) {
  const ok = 0;
  return (memory: WebAssembly.Memory) => ({
    clock_time_get: (_id: number, _precision: bigint, at: number): number => {
      const view = new DataView(memory.buffer);
      view.setBigUint64(at, BigInt(Math.floor(clock.nowMs)) * 1_000_000n, true);
      clock.nowMs += 1;
      return ok;
    },
    random_get: (at: number, length: number): number => {
      new Uint8Array(memory.buffer, at, length).fill(0);
      return ok;
    },
    // The engine's own output would appear in the user's terminal.
    fd_write: (): number => 8,
  });
}

function invalidOutput(message: string): Failure {
  return { code: 'SKILL_OUTPUT_INVALID', message, isClean: true };
}

/** The failure behind an exception of the engine. */
function failureOf(error: unknown): Failure {
  if (error instanceof JSException) {
    const { name, message, stack } = error;
    return failureOfParts({ name, message, stack: stack ?? '' });
  }
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) return TOO_DEEP;
  if (text.includes('out of memory')) return OUT_OF_MEMORY;
  return { code: 'SKILL_FAILED', message: 'The skill crashed the engine that it ran in.' };
}

function failureOfReport(json: string | null): Failure {
  try {
    const report = JSON.parse(json ?? 'null') as Record<string, unknown> | null;
    const text = (key: string): string =>
      typeof report?.[key] === 'string' ? (report[key] as string).slice(0, 2_000) : '';
    const parts = { name: text('name'), message: text('message'), stack: text('stack') };
    return { ...failureOfParts(parts), claimedCode: text('code') || null };
  } catch {
    return { code: 'SKILL_FAILED', message: 'The skill failed and could not say why.' };
  }
}

function failureOfParts(parts: {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}): Failure {
  const { name, message, stack } = parts;
  if (message === 'out of memory') return OUT_OF_MEMORY;
  // Where not even an error fits into the remaining memory, null is thrown.
  if (name === '' && message === 'null') return OUT_OF_MEMORY;
  if (message === 'Maximum call stack size exceeded') return TOO_DEEP;
  const at = /\bskill:(\d+)/.exec(stack)?.[1];
  const text = name === '' || name === 'SkillError' ? message : `${name}: ${message}`;
  return {
    code: 'SKILL_FAILED',
    message: text.slice(0, 2_000),
    line: at === undefined ? null : Number(at),
    isClean: true,
  };
}
