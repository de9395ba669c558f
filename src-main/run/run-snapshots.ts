import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../base/abort.ts';
import type { Logger } from '../base/logger.ts';
import { timeLimit } from '../base/running-time.ts';
import { StepSnapshots } from '../sandbox/snapshots/step-snapshots.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { SandboxService, TaskSandbox } from '../sandbox/types.ts';
import type { RunContext } from './types.ts';

export interface RunSnapshotParts {
  readonly sandbox: SandboxService;
  /** Absent: no state of files is kept. */
  readonly snapshots?: WorkspaceSnapshots;
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
}

/** The files of one run. Disposing takes the last snapshot; it never throws. */
export interface RunSnapshots extends AsyncDisposable {
  /** The task's sandbox; what changes files in it waits for the snapshot of the step before. */
  readonly sandbox: TaskSandbox;
  /** To be called when the results of a step are on disk. */
  stepIsOver(): void;
}

/**
 * No command waits longer than this for a snapshot. One that is broken off goes on after the next step,
 * with what it read already: an installation of ten thousand files is kept in pieces.
 */
const SNAPSHOT_MS = 20_000;
/** A run that stops does not wait longer than this for its last snapshot. */
const LAST_SNAPSHOT_MS = 5_000;

/**
 * Keeps a state of the files for each step of a run. Files that are gone (a folder that was removed, a
 * data folder that came back from a backup without them) are brought back first, and that is said.
 */
export async function openRunSnapshots(
  { run, emit, persist, commit, signal: stopped }: RunContext,
  { sandbox, snapshots, logger }: RunSnapshotParts,
): Promise<RunSnapshots> {
  const { threadId, id: runId } = run;
  const forTask = sandbox.forTask(threadId, run.options.sandbox);
  if (snapshots === undefined || !snapshots.isOn) return untouched(forTask);
  await bringBack(snapshots, threadId, emit);
  const ending = new AbortController();
  let isEnding = false;
  const steps = new StepSnapshots({
    sandbox: forTask,
    lastStep: () => snapshots.lastStep(runId),
    take: async (seq) => {
      const step = { runId, seq };
      // A run that is stopped lets go of the one at work, and takes its last one in its own time.
      const signal = isEnding
        ? ending.signal
        : AbortSignal.any([stopped, ending.signal, timeLimit(SNAPSHOT_MS)]);
      await snapshots.take({ threadId, step, cause: 'step', persist, signal });
    },
    onProblem: (error) => {
      const level = stopped.aborted || isAbortError(error) ? 'info' : 'warn';
      logger?.[level]('A snapshot was not taken', { runId, error });
    },
  });
  return {
    sandbox: steps.sandbox,
    stepIsOver: () => steps.stepIsOver(),
    [Symbol.asyncDispose]: async () => {
      isEnding = true;
      const limit = setTimeout(() => ending.abort(), LAST_SNAPSHOT_MS);
      try {
        // What ended the run may break it off, and then it is due again.
        await steps.settled();
        // What the last calls gave must be on disk before a snapshot is said to be of after them.
        if (steps.isDue) commit(() => undefined);
        await steps.end();
      } catch (error) {
        // The log takes nothing more, and the run ends with that.
        logger?.warn('The last snapshot of a run was not taken', { runId, error });
      } finally {
        clearTimeout(limit);
      }
    },
  };
}

async function bringBack(
  snapshots: WorkspaceSnapshots,
  threadId: string,
  emit: RunContext['emit'],
): Promise<void> {
  const tell = (status: 'completed' | 'failed', description: string): void =>
    emit({ type: 'stage', name: 'files', status, description });
  try {
    const back = await snapshots.recover(threadId);
    if (back === null) return;
    tell('completed', `The workspace was empty: ${back.files} files of its last snapshot are back`);
  } catch (error) {
    // The run can go on without them; a disk that is full stops it soon enough.
    if (!(error instanceof AppError)) throw error;
    tell('failed', `The workspace is empty, and its last snapshot is no help: ${error.message}`);
  }
}

function untouched(sandbox: TaskSandbox): RunSnapshots {
  return {
    sandbox,
    stepIsOver: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
