/** Limits of one execution of a dynamic skill. */
export interface GuestLimits {
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** Computing time without a pause, between two answers of the app. */
  readonly turnMs: number;
  /** Calls to the app in all. */
  readonly calls: number;
  /** Calls that do work: of models, searches, pages, programs and other skills. `maxIterations`, where that is given. */
  readonly steps: number;
  /** Characters of the arguments of one call. */
  readonly messageChars: number;
  /** Characters of all calls that wait for an answer: the app buffers them. */
  readonly waitingChars: number;
  /** Characters of one answer. */
  readonly answerChars: number;
  /** Characters of all answers together: they are kept until the execution has ended. */
  readonly answersChars: number;
  readonly outputChars: number;
}

const MB = 1024 * 1024;

export const GUEST_LIMITS: GuestLimits = {
  memoryBytes: 64 * MB,
  stackBytes: 256 * 1024,
  turnMs: 5_000,
  calls: 1_000,
  steps: 1_000,
  messageChars: 1_000_000,
  waitingChars: 4_000_000,
  answerChars: 8_000_000,
  answersChars: 64_000_000,
  outputChars: 1_000_000,
};

/** For reading the metadata of a source: little to compute, and no calls. */
export const INSPECTION_LIMITS: GuestLimits = {
  memoryBytes: 16 * MB,
  stackBytes: 256 * 1024,
  turnMs: 500,
  calls: 0,
  steps: 0,
  messageChars: 0,
  waitingChars: 0,
  answerChars: 0,
  answersChars: 0,
  outputChars: 200_000,
};
