/** Time, injected so that tests can hold it. */
export interface Clock {
  /** Milliseconds since the epoch; may jump when the person sets the clock. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations and limits. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
