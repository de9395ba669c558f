import { canonicalJson } from '../base/canonical-json.ts';
import type { InvalidToolCall, ToolCall } from '../models/types.ts';

export interface RepetitionLimits {
  /** Equal batches in a row after which the model is asked to try something else. */
  readonly repeatsBeforeHint: number;
  /** Rounds in a row in which every call failed, after which the work ends. */
  readonly errorsBeforeReplan: number;
}

/** Added to the end of the conversation when a model repeats itself. */
export const REPETITION_HINT =
  'You have made the same call several times with the same result. Try another approach, or say what blocks you.';

/** Detects a model that goes in circles. One for each agent run. */
export class RepetitionGuard {
  readonly #limits: RepetitionLimits;
  #lastBatch = '';
  #repeats = 0;
  #failedRounds = 0;

  constructor(limits: RepetitionLimits) {
    this.#limits = limits;
  }

  /** Records a round. `failed`: every call of it failed. */
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
