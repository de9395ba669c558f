import type { Message, Run, RunOptions, RunOrigin } from '#contract/entities.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';

/** A file of the host that a turn brings along, and what the user calls it. */
export interface AttachedFile {
  readonly name: string;
  readonly hostPath: string;
}

/** Copies files into the workspace of a thread; `path` in the answer is relative to it. */
export type ImportAttachments = (
  threadId: string,
  files: readonly AttachedFile[],
) => Promise<Message['attachments']>;

export interface StartRun {
  /** Absent: a new thread, named after the prompt. */
  readonly threadId?: string;
  readonly prompt: string;
  readonly attachments: readonly AttachedFile[];
  readonly options: RunOptions;
  /** What the turn was made from. */
  readonly origin?: RunOrigin;
  /** Files of the turn that are in the workspace already. */
  readonly kept?: Message['attachments'];
}

/** What a run's program may use. */
export interface RunContext {
  readonly run: Run;
  /** The turn that started the run; attachments are in the workspace already. */
  readonly message: Message;
  /** The run goes on after it was parked, or after its process ended. */
  readonly resumed: boolean;
  readonly signal: AbortSignal;
  /** Aborts when the run is to stop at its next step, for a while: then the program throws `RunPaused`. */
  readonly pause: AbortSignal;
  /** Numbers, dedupes, stores and publishes. Never throws; after the end it does nothing. */
  readonly emit: (event: RunEventDraft) => void;
  /** Does `work`, which writes to the database, in the transaction of the next events. Never throws. */
  readonly persist: (work: () => void) => void;
  /** Does `work`, which writes to the database, now, together with all events so far. Throws what storing throws. */
  readonly commit: (work: () => void) => void;
}

export interface RunConclusion {
  readonly outcome: 'completed' | 'unverified';
  readonly answer: string;
  readonly rounds: number;
  readonly toolCalls: number;
}

/**
 * What a run does, wired in `compose.ts`. It returns, throws an `AppError`, `RunParked` or `RunPaused`, or
 * rejects with the signal's reason; the run service turns each into the run's one end.
 */
export type RunProgram = (context: RunContext) => Promise<RunConclusion>;

/** Gets every event once it is on disk, in order, without gaps, in batches. */
export type RunEventListener = (events: readonly RunEvent[]) => void;
