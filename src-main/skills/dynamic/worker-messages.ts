import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import type { GuestLimits } from './limits.ts';

/** Where the thread finds what it needs; given at its start. */
export interface WorkerStart {
  /** The engine, a WASM file. */
  readonly engine: string;
  /** Shared: whether to stop, and which turn is at work (see `CONTROL`). */
  readonly control: Int32Array;
}

/** Places in `WorkerStart.control`. */
export const CONTROL = {
  /** Not 0: the execution is to end. */
  stop: 0,
  /** Odd while the guest computes; counts up. */
  turn: 1,
} as const;

/** What the thread is told. Of an execution or an inspection by `job`, a number that is used once. */
export type ToWorker =
  | {
      readonly kind: 'inspect';
      readonly job: number;
      readonly language: SkillLanguage;
      readonly source: string;
    }
  | { readonly kind: 'run'; readonly job: number; readonly execution: GuestExecution }
  | { readonly kind: 'answer'; readonly job: number; readonly answer: CallAnswer };

/** What the thread says; after `ended` or `inspected` no more of that job. */
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

/** What time and chance are for the guest: the same in every life of an execution. */
export interface GuestStart {
  /** Ms since the epoch. */
  readonly at: number;
  readonly seed: number;
}

/** A call of the guest to the app; `given` is JSON of the arguments, not checked by anybody. */
export interface GuestCall {
  readonly id: number;
  readonly name: string;
  readonly given: string;
}

/** JSON: of the result, or of a code and a message. */
export interface CallAnswer {
  readonly id: number;
  readonly ok: boolean;
  readonly json: string;
}

export type GuestEnd =
  | { readonly ok: true /** JSON of whatever it gave. */; readonly output: string }
  | {
      readonly ok: false;
      readonly code: GuestEndCode;
      readonly message: string;
      /** What the error that it threw calls itself; its own claim. */
      readonly claimedCode: string | null;
      /** The line that threw; null where nobody knows. */
      readonly line: number | null;
      /** Whether the thread is as it was before. */
      readonly isClean: boolean;
    };

export type GuestEndCode =
  | 'SKILL_FAILED'
  | 'SKILL_TIMED_OUT'
  | 'SKILL_MEMORY_LIMIT'
  | 'SKILL_CALL_LIMIT'
  | 'SKILL_OUTPUT_INVALID';

export interface Inspection {
  /** What is run; null where it does not parse. */
  readonly javascript: string | null;
  /** JSON of what it says of itself; null where that cannot be had. */
  readonly metadata: string | null;
  /** Members of the app that the code names, each with the line where it is first named. */
  readonly uses: readonly { readonly name: string; readonly line: number }[];
  readonly findings: readonly SkillFinding[];
  /** False where it ran out of time: on a machine with less to do, another look may find more. */
  readonly isFinal: boolean;
}
