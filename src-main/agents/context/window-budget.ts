/** A summary is made at this size even where the window is larger: models get worse and slower. */
const LARGEST_PROMPT = 60_000;
const PROMPT_SHARE = 0.75;
const LARGEST_RESERVE = 8_192;

/** How a window is divided, in tokens. See docs/decisions/0005-context-window.md. */
export interface WindowBudget {
  /** Kept free for the answer. */
  readonly reserve: number;
  /** Above this the older messages are summed up. */
  readonly threshold: number;
  /** The newest messages are left whole up to here; below the threshold, so that it happens rarely. */
  readonly ceiling: number;
  /** No request may be larger. */
  readonly limit: number;
  /** The most that one result of a tool may take. */
  readonly result: number;
}

/** Null is a window that nobody knows. */
export function windowBudget(window: number | null): WindowBudget {
  const whole = window ?? Number.POSITIVE_INFINITY;
  const reserve = Math.min(Math.floor(whole * (1 - PROMPT_SHARE)), LARGEST_RESERVE);
  const threshold = Math.min(LARGEST_PROMPT, Math.floor(whole * PROMPT_SHARE));
  return {
    reserve,
    threshold,
    ceiling: Math.floor(threshold * 0.85),
    // An answer needs some room; the rest of the reserve gives way to what the person said.
    limit: window === null ? Number.POSITIVE_INFINITY : Math.floor(whole * 0.9),
    result: Math.max(300, Math.min(8_000, Math.floor(threshold * 0.12))),
  };
}
