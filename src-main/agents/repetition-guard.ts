import { canonicalJson } from '../base/canonical-json.ts';
import type { InvalidToolCall, ToolCall } from '../models/types.ts';

export interface RepetitionLimits {
  /** Equal batches in a row after which the model is told to try something else. */
  readonly repeatsBeforeHint: number;
  /** Rounds in a row in which every call failed, after which the work is given up. */
  readonly errorsBeforeReplan: number;
}

/** What is said to a model that repeats itself; it stands at the end of the conversation. */
export const REPETITION_HINT =
  'You have made the same call several times with the same result. Try another way, or say what stands in the way.';

/** Notices a model that goes in circles. One for each piece of work. */
export class RepetitionGuard {
  readonly #limits: RepetitionLimits;
  #lastBatch = '';
  #repeats = 0;
  #failedRounds = 0;

  constructor(limits: RepetitionLimits) {
    this.#limits = limits;
  }

  /** Takes note of a round. `failed` when not one of its calls did anything. */
  observe(
    calls: readonly (ToolCall | InvalidToolCall)[],
    failed: boolean,
  ): 'go_on' | 'hint' | 'give_up' {
    const batch = canonicalJson(
      calls.map((call) => [call.name, 'arguments' in call ? call.arguments : call.rawArguments]),
    );
    this.#repeats = batch === this.#lastBatch ? this.#repeats + 1 : 1;
    this.#lastBatch = batch;
    this.#failedRounds = failed ? this.#failedRounds + 1 : 0;
    if (this.#failedRounds >= this.#limits.errorsBeforeReplan) return 'give_up';
    return this.#repeats % this.#limits.repeatsBeforeHint === 0 ? 'hint' : 'go_on';
  }
}
