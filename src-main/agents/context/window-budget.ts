import { viewTokens } from '../../tools/view-tokens.ts';

const PROMPT_SHARE = 0.75;
const LARGEST_RESERVE = 8_192;

/** Whether and when older messages are summarised; see the settings of the same names. */
export interface Compression {
  readonly enabled: boolean;
  /** Larger prompts are summarised even if the window could hold them: models get worse and slower. */
  readonly threshold: number;
  /** The newest messages, which stay whole if the window can hold them. */
  readonly keep: number;
}

export const USUAL_COMPRESSION: Compression = { enabled: true, threshold: 60_000, keep: 10 };

/** How a window is divided, in tokens. See docs/decisions/0005-context-window.md. */
export interface WindowBudget {
  /** Kept free for the answer. */
  readonly reserve: number;
  /** Above this, older messages are summarised; never, if compression is off. */
  readonly threshold: number;
  /** The largest request. */
  readonly limit: number;
  /** The largest tool result. */
  readonly result: number;
  /** The largest result of a tool that shows a page: the view, which has its own measure, and what is around it. */
  readonly view: number;
}

/** `window` is null if it is unknown. */
export function windowBudget(window: number | null, compression: Compression): WindowBudget {
  const whole = window ?? Number.POSITIVE_INFINITY;
  const reserve = Math.min(Math.floor(whole * (1 - PROMPT_SHARE)), LARGEST_RESERVE);
  const prompt = Math.floor(whole * PROMPT_SHARE);
  return {
    reserve,
    threshold: compression.enabled ? Math.min(compression.threshold, prompt) : Infinity,
    // An answer needs some room; the user's own turns may use the rest of the reserve.
    limit: window === null ? Number.POSITIVE_INFINITY : Math.floor(whole * 0.9),
    result: Math.max(
      300,
      Math.min(8_000, Math.floor(Math.min(prompt, USUAL_COMPRESSION.threshold) * 0.12)),
    ),
    // Views are measured without the model's own tokenizer.
    view: Math.ceil(viewTokens(window) * 1.25) + 150,
  };
}
