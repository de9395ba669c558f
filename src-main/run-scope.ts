import type { RunEventDraft } from '#contract/events/run-event.ts';

/**
 * What all work of one run shares: its ids, how it is stopped, and how it tells and stores what it does. It is
 * handed on whole, from the run to the agent, the call and the skill; a part of the work may have a narrower
 * signal, or an `emit` around this one.
 */
export interface RunScope {
  readonly runId: string;
  readonly threadId: string;
  /** The run continues after it was parked, or after its process ended: completed steps are not repeated. */
  readonly resumed: boolean;
  readonly signal: AbortSignal;
  /** Aborts when the run should pause at its next step. Running work is not interrupted; questions are. */
  readonly pause: AbortSignal;
  /** Numbers, dedupes, stores and publishes. Never throws; after the end it does nothing. */
  readonly emit: (event: RunEventDraft) => void;
  /** Does the database writes in `work` in the transaction of the next events. Never throws. */
  readonly persist: (work: () => void) => void;
  /** Does the database writes in `work` now, together with all events so far. Throws what storing throws. */
  readonly commit: (work: () => void) => void;
}
