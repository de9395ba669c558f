/** What one execution of a dynamic skill may take. */
export interface GuestLimits {
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** Computing without a pause: between two answers of the app. */
  readonly turnMs: number;
  /** Calls to the app, all together. */
  readonly calls: number;
  /** Characters of what it says in one call. */
  readonly messageChars: number;
  /** Of all calls that are not answered yet: the app keeps them. */
  readonly waitingChars: number;
  /** Characters of one answer. */
  readonly answerChars: number;
  /** Of all answers together: they are kept until the execution has ended. */
  readonly answersChars: number;
  readonly outputChars: number;
}

const MB = 1024 * 1024;

export const GUEST_LIMITS: GuestLimits = {
  memoryBytes: 64 * MB,
  stackBytes: 256 * 1024,
  turnMs: 5_000,
  calls: 1_000,
  messageChars: 1_000_000,
  waitingChars: 4_000_000,
  answerChars: 8_000_000,
  answersChars: 64_000_000,
  outputChars: 1_000_000,
};

/** Reading what a source says of itself: nothing to compute, and nobody to call. */
export const INSPECTION_LIMITS: GuestLimits = {
  memoryBytes: 16 * MB,
  stackBytes: 256 * 1024,
  turnMs: 500,
  calls: 0,
  messageChars: 0,
  waitingChars: 0,
  answerChars: 0,
  answersChars: 0,
  outputChars: 200_000,
};
