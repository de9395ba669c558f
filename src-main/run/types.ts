import type { Message, Run, RunOptions, RunOrigin } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { GivenFolder } from '#contract/user-folder.ts';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import type { RunScope } from '../run-scope.ts';

/** A file on the host that is attached to a turn, and the user's name for it. */
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
  /** The user's own folder, copied into the workspace. */
  readonly folder?: GivenFolder;
  readonly options: RunOptions;
  /** The approval level of the task from now on; absent: it keeps its own. */
  readonly level?: PolicyLevel;
  /** What the turn was made from. */
  readonly origin?: RunOrigin;
  /** Files of the turn that are already in the workspace. */
  readonly kept?: Message['attachments'];
}

/** What a run's program may use. */
export interface RunContext extends RunScope {
  readonly run: Run;
  /** The turn that started the run; its attachments are already in the workspace. */
  readonly message: Message;
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

/** Receives every event once it is on disk, in order, without gaps, in batches. */
export type RunEventListener = (events: readonly RunEvent[]) => void;
