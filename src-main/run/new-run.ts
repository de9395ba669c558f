import type { Message, Run } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { RunStores } from './run-record.ts';

/** A run that is about to be at work. */
export function newRun(
  clock: Clock,
  fields: Pick<Run, 'threadId' | 'prompt' | 'options' | 'origin'>,
): Run {
  const now = clock.now();
  return {
    ...{ id: newId('run', now), status: 'running', ...fields },
    ...{ createdAt: now, startedAt: now, endedAt: null, lastSeq: 0, error: null },
  };
}

/** What the person says at the start of a run. */
export function newTurn(run: Run, attachments: Message['attachments']): Message {
  const { id: runId, threadId, prompt: content, createdAt } = run;
  return {
    id: newId('msg', createdAt),
    threadId,
    runId,
    role: 'user',
    content,
    attachments,
    createdAt,
  };
}

/** The run that the turn of a run began with: where one was tried again, the first of them. */
export function turnOfRun(runs: Pick<RunStores['runs'], 'get'>, runId: string): string {
  try {
    const { origin } = runs.get(runId);
    return origin?.kind === 'retry' ? turnOfRun(runs, origin.runId) : runId;
  } catch (error) {
    // In a copy of a task, the tries before are of the other task, which may be gone.
    if (error instanceof AppError && error.code === 'NOT_FOUND') return runId;
    throw error;
  }
}

/**
 * What the person said; a run that tries another again answers the turn of that. Throws `NOT_FOUND`
 * where the turn is gone.
 */
export function turnOf(run: Run, stores: Pick<RunStores, 'messages' | 'runs'>): Message {
  const own = stores.messages.listOfRun(run.id).find(({ role }) => role === 'user');
  if (own !== undefined) return own;
  if (run.origin?.kind === 'retry') return turnOf(stores.runs.get(run.origin.runId), stores);
  throw new AppError('NOT_FOUND', 'The turn of this run is gone.');
}
