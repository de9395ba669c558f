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
  /** Looked at all the time while it computes. */
  readonly isStopped: () => boolean;
  readonly onCall: (call: GuestCall) => void;
}

const ENDED = 'The skill has ended.';
const OUT_OF_MEMORY: Failure = {
  code: 'SKILL_MEMORY_LIMIT',
  message: 'The skill took more memory than it may.',
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
 * One execution of foreign code in an engine of its own: a fresh instance with a memory of its own, which
 * nothing of this process is in. The only way out is the function `send`, which takes four texts and numbers.
 */
export class Guest {
  readonly #parts: GuestParts;
  readonly #vm: QuickJS;
  readonly #bridge: JSValueHandle;
  #end: GuestEnd | null = null;
  readonly #turnTime = new RunningTime();
  #isTimeUp = false;
  #calls = 0;
  /** Calls that are not answered yet, by our own numbers: what the guest calls them, and how long they are. */
  readonly #unanswered = new Map<number, { readonly guestId: number; readonly chars: number }>();
  #waitingChars = 0;
  #lines = 0;

  private constructor(parts: GuestParts, vm: QuickJS, clock: GuestClock) {
    this.#parts = parts;
    this.#vm = vm;
    clock.nowMs = parts.start.at;
    using prelude = vm.evalCode(PRELUDE, SKILL_MODULE);
    using send = vm.newFunction('send', (...given) => vm.newString(this.#hear(given)));
    this.#bridge = vm.callFunction(prelude, vm.undefined, send);
  }

  static async open(parts: GuestParts): Promise<Guest> {
    const { engine, limits, start } = parts;
    // The engine takes its chance from the clock, once, when it is made.
    const clock: GuestClock = { nowMs: start.seed };
    let guest: Guest | null = null;
    const vm = await QuickJS.create({
      wasm: engine,
      memoryLimit: limits.memoryBytes,
      maxStackSize: limits.stackBytes,
      timezoneOffset: 0,
      interruptHandler: () => guest?.shouldStop() ?? false,
      // Nothing may be kept past the end, or seen of how the collector works.
      intrinsics: Intrinsics.ALL & ~Intrinsics.WEAK_REF & ~Intrinsics.PERFORMANCE,
      wasi: wasiOf(clock),
      moduleLoader: {
        normalize: (_from: string, name: string) => (name === SKILL_MODULE ? name : 'refused'),
        // Not thrown: an error made here would carry a stack of this process into the guest.
        load: (name: string) =>
          name === SKILL_MODULE ? SKILL_MODULE_SOURCE : REFUSED_MODULE_SOURCE,
      },
    });
    guest = new Guest(parts, vm, clock);
    return guest;
  }

  /** How it ended; null while it waits for the app. */
  get end(): GuestEnd | null {
    return this.#end;
  }

  /** Asks a module what it says of itself. */
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

  /** Lets it compute until it waits, ends, or is at a limit. */
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
        message: 'The skill waits for something that never comes.',
        isClean: true,
      });
    }
  }

  /** What `send` was given. Nothing is thrown: an error made here would carry its stack into the guest. */
  #hear(given: readonly JSValueHandle[]): string {
    if (this.#end !== null || this.#parts.isStopped()) return ENDED;
    const [kind, id, name, json] = given.map((value) =>
      value.isString ? value.toString() : value.isNumber ? value.toNumber() : null,
    );
    const text = typeof json === 'string' ? json : null;
    switch (kind) {
      case 'call':
        return this.#hearCall(id, name, text);
      case 'done':
        this.#hearOutput(text);
        return '';
      case 'failed':
        this.#hearFailure(name === 'output', text);
        return '';
      default:
        return 'Nobody understands this.';
    }
  }

  #hearCall(id: unknown, name: unknown, given: string | null): string {
    const { limits, onCall } = this.#parts;
    if (typeof id !== 'number' || typeof name !== 'string' || given === null) {
      return 'Nobody understands this.';
    }
    this.#calls += 1;
    if (this.#calls > limits.calls) {
      const message = `The skill made more than ${limits.calls} calls to the app.`;
      this.#fail({ code: 'SKILL_CALL_LIMIT', message });
      return message;
    }
    if (given.length > limits.messageChars || name.length > 100) {
      return `A call may say ${limits.messageChars} characters, and this one has ${given.length}.`;
    }
    const waiting = this.#waitingChars + given.length;
    if (waiting > limits.waitingChars) {
      return `The calls that are not answered yet say ${waiting} characters, and may say ${limits.waitingChars} together: await some first.`;
    }
    this.#waitingChars = waiting;
    this.#unanswered.set(this.#calls, { guestId: id, chars: given.length });
    onCall({ id: this.#calls, name, given });
    return '';
  }

  #hearOutput(output: string | null): void {
    const { outputChars } = this.#parts.limits;
    if (output === null) {
      this.#fail(invalidOutput('The skill gave nothing; it must give an object.'));
    } else if (output.length > outputChars) {
      this.#fail(invalidOutput(`The output is over ${outputChars} characters of JSON.`));
    } else this.#end = { ok: true, output };
  }

  #hearFailure(isOfOutput: boolean, json: string | null): void {
    const failure = this.#placed(failureOfReport(json));
    if (isOfOutput && failure.code === 'SKILL_FAILED') {
      this.#fail(invalidOutput(`The output cannot be written as JSON: ${failure.message}`));
    } else this.#fail(failure);
  }

  /** The line is read from a stack, which the skill may have written itself. */
  #placed(failure: Failure): Failure {
    const { line = null } = failure;
    const isThere = line !== null && line >= 1 && line <= this.#lines;
    return isThere ? failure : { ...failure, line: null };
  }

  /** The first end counts. */
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

/** Time that goes on by a millisecond whenever somebody looks, chance that follows from it, and no output. */
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
    // What the engine itself prints would be on the person's terminal.
    fd_write: (): number => 8,
  });
}

function invalidOutput(message: string): Failure {
  return { code: 'SKILL_OUTPUT_INVALID', message, isClean: true };
}

/** Of what came out of the engine instead of a result. */
function failureOf(error: unknown): Failure {
  if (error instanceof JSException) {
    const { name, message, stack } = error;
    return failureOfParts({ name, message, stack: stack ?? '' });
  }
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) return TOO_DEEP;
  if (text.includes('out of memory')) return OUT_OF_MEMORY;
  return { code: 'SKILL_FAILED', message: 'The skill broke the engine that it ran in.' };
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
  // Where not even an error fits into the memory that is left, null is thrown.
  if (name === '' && message === 'null') return OUT_OF_MEMORY;
  if (message === 'Maximum call stack size exceeded') return TOO_DEEP;
  const at = /\bskill:(\d+)/.exec(stack)?.[1];
  const said = name === '' || name === 'SkillError' ? message : `${name}: ${message}`;
  return {
    code: 'SKILL_FAILED',
    message: said.slice(0, 2_000),
    line: at === undefined ? null : Number(at),
    isClean: true,
  };
}
