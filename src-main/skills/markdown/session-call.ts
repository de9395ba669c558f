import type { StepPath } from '../../base/step-path.ts';
import type { RunScope } from '../../run-scope.ts';

/** A call that may move a skill session, and how its consequences are stored. */
export interface SessionCall extends Pick<RunScope, 'threadId' | 'runId' | 'persist' | 'emit'> {
  /** The step of the model's answer that contains the call. */
  readonly answer: StepPath;
  readonly toolCallId: string;
}

/** A task and its run. */
export type SessionTask = Pick<SessionCall, 'threadId' | 'runId'>;
