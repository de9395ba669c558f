/** Larger prompts are summarised even if the window could hold them: models get worse and slower. */
const LARGEST_PROMPT = 60_000;
const PROMPT_SHARE = 0.75;
const LARGEST_RESERVE = 8_192;

/** How a window is divided, in tokens. See docs/decisions/0005-context-window.md. */
export interface WindowBudget {
  /** Kept free for the answer. */
  readonly reserve: number;
  /** Above this, older messages are summarised. */
  readonly threshold: number;
  /** A summary leaves the newest messages whole up to here. Below the threshold, so that summaries are rare. */
  readonly ceiling: number;
  /** The largest request. */
  readonly limit: number;
  /** The largest tool result. */
  readonly result: number;
}

/** `window` is null if it is unknown. */
export function windowBudget(window: number | null): WindowBudget {
  const whole = window ?? Number.POSITIVE_INFINITY;
  const reserve = Math.min(Math.floor(whole * (1 - PROMPT_SHARE)), LARGEST_RESERVE);
  const threshold = Math.min(LARGEST_PROMPT, Math.floor(whole * PROMPT_SHARE));
  return {
    reserve,
    threshold,
    ceiling: Math.floor(threshold * 0.85),
    // An answer needs some room; the user's own turns may use the rest of the reserve.
    limit: window === null ? Number.POSITIVE_INFINITY : Math.floor(whole * 0.9),
    result: Math.max(300, Math.min(8_000, Math.floor(threshold * 0.12))),
  };
}
