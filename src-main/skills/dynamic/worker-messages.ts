import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import type { GuestLimits } from './limits.ts';

/** What the thread needs; passed at its start. */
export interface WorkerStart {
  /** The engine, a WASM file. */
  readonly engine: string;
  /** Shared: whether to stop, and which turn is running (see `CONTROL`). */
  readonly control: Int32Array;
}

/** Places in `WorkerStart.control`. */
export const CONTROL = {
  /** Not 0: the execution must end. */
  stop: 0,
  /** Odd while the guest computes; counts up. */
  turn: 1,
} as const;

/** Messages to the thread. `job` is the number of one execution or inspection, never reused. */
export type ToWorker =
  | {
      readonly kind: 'inspect';
      readonly job: number;
      readonly language: SkillLanguage;
      readonly source: string;
    }
  | { readonly kind: 'run'; readonly job: number; readonly execution: GuestExecution }
  | { readonly kind: 'answer'; readonly job: number; readonly answer: CallAnswer };

/** Messages from the thread; `ended` or `inspected` is the last of its job. */
export type FromWorker =
  | { readonly kind: 'inspected'; readonly job: number; readonly inspection: Inspection }
  | { readonly kind: 'call'; readonly job: number; readonly call: GuestCall }
  | { readonly kind: 'ended'; readonly job: number; readonly end: GuestEnd };

export interface GuestExecution {
  readonly javascript: string;
  /** JSON. */
  readonly params: string;
  readonly start: GuestStart;
  readonly limits: GuestLimits;
}

/** The clock and random seed of the guest: the same whenever the execution runs again. */
export interface GuestStart {
  /** Ms since the epoch. */
  readonly at: number;
  readonly seed: number;
}

/** A call of the guest to the app; `given` is the unchecked JSON of the arguments. */
export interface GuestCall {
  readonly id: number;
  readonly name: string;
  readonly given: string;
}

/** `json` is the result, or a code and a message. */
export interface CallAnswer {
  readonly id: number;
  readonly ok: boolean;
  readonly json: string;
}

export type GuestEnd =
  | { readonly ok: true /** JSON of whatever it returned. */; readonly output: string }
  | {
      readonly ok: false;
      readonly code: GuestEndCode;
      readonly message: string;
      /** The code of the error that it threw; its own claim. */
      readonly claimedCode: string | null;
      /** The line that threw; null where it is unknown. */
      readonly line: number | null;
      /** Whether the thread can be used again. */
      readonly isClean: boolean;
    };

export type GuestEndCode =
  | 'SKILL_FAILED'
  | 'SKILL_TIMED_OUT'
  | 'SKILL_MEMORY_LIMIT'
  | 'SKILL_CALL_LIMIT'
  | 'SKILL_OUTPUT_INVALID';

export interface Inspection {
  /** The JavaScript to run; null where it does not parse. */
  readonly javascript: string | null;
  /** The metadata as JSON; null where it cannot be read. */
  readonly metadata: string | null;
  /** Members of the app that the code names, each with the line where it is first named. */
  readonly uses: readonly { readonly name: string; readonly line: number }[];
  readonly findings: readonly SkillFinding[];
  /** False where it ran out of time: on a less busy machine, another inspection may find more. */
  readonly isFinal: boolean;
}
