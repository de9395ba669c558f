import type { Message, Run } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { RunStores } from './run-record.ts';
import { titleOf } from './run-title.ts';
import type { TurnFiles } from './turn-files.ts';
import type { StartRun } from './types.ts';

/** A run that is about to start. */
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

/** The user's message that starts a run. */
function newTurn(run: Run, attachments: Message['attachments']): Message {
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

/** A turn that is about to start, with the files that it has in the workspace. */
interface NewTurn extends Pick<StartRun, 'prompt' | 'options' | 'origin' | 'level'> {
  readonly threadId: string;
  readonly isNew: boolean;
  readonly files: TurnFiles;
}

/** Stores a turn with its run, and its task if that is new; all of its rows or none. */
export function storeTurn(
  { threadId, isNew, prompt, options, origin, level, files }: NewTurn,
  { stores, clock }: { readonly stores: RunStores; readonly clock: Clock },
): { run: Run; message: Message } {
  const now = clock.now();
  const run = newRun(clock, { threadId, prompt, options, origin: origin ?? null });
  const message = newTurn(run, files.attachments);
  const names = files.attachments.map(({ name }) => name);
  stores.transaction(() => {
    if (isNew) {
      stores.threads.insert({ id: threadId, title: titleOf(prompt, names), createdAt: now });
    } else {
      stores.threads.touch(threadId, now);
      // Work goes on in it, so it is shown again.
      stores.threads.mark(threadId, 'archived', null);
    }
    if (level !== undefined) stores.threads.setLevel(threadId, level);
    stores.runs.insert(run);
    stores.messages.insert(message);
    files.persist();
  });
  return { run, message };
}

/** The run that a run's turn belongs to: for a retry, the first run of the chain. */
export function turnOfRun(runs: Pick<RunStores['runs'], 'get'>, runId: string): string {
  try {
    const { origin } = runs.get(runId);
    return origin?.kind === 'retry' ? turnOfRun(runs, origin.runId) : runId;
  } catch (error) {
    // In a copy of a task, earlier attempts belong to the original task, which may be gone.
    if (error instanceof AppError && error.code === 'NOT_FOUND') return runId;
    throw error;
  }
}

/**
 * The user's message that a run answers; a retry answers that of the run it retries. Throws `NOT_FOUND` if
 * the message is gone.
 */
export function turnOf(run: Run, stores: Pick<RunStores, 'messages' | 'runs'>): Message {
  const own = stores.messages.listOfRun(run.id).find(({ role }) => role === 'user');
  if (own !== undefined) return own;
  if (run.origin?.kind === 'retry') return turnOf(stores.runs.get(run.origin.runId), stores);
  throw new AppError('NOT_FOUND', 'The turn of this run is gone.');
}
