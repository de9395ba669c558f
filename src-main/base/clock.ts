/** Time, injected so that tests control it. */
export interface Clock {
  /** Milliseconds since the epoch; may jump when the user sets the clock. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations and limits. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
