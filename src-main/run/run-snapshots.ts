import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../base/abort.ts';
import type { Logger } from '../base/logger.ts';
import { timeLimit } from '../base/running-time.ts';
import { StepSnapshots } from '../sandbox/snapshots/step-snapshots.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { SandboxService, TaskSandbox } from '../sandbox/types.ts';
import type { UserEdits } from '../sandbox/user-edits.ts';
import type { RunContext } from './types.ts';

export interface RunSnapshotParts {
  readonly sandbox: SandboxService;
  /** Absent: no snapshots are taken. */
  readonly snapshots?: WorkspaceSnapshots;
  /** What others changed in the files. */
  readonly edits: Pick<UserEdits, 'look' | 'onSaved'>;
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
}

/** The snapshots of one run. Disposing takes the last one; it never throws. */
export interface RunSnapshots extends AsyncDisposable {
  /** The task's sandbox; operations that change files wait for the snapshot of the previous step. */
  readonly sandbox: TaskSandbox;
  /** Call it when the results of a step are on disk. */
  stepIsOver(): void;
}

/**
 * No command waits longer than this for a snapshot. An interrupted one continues after the next step with
 * what it has already read: an installation of ten thousand files is kept in pieces.
 */
const SNAPSHOT_MS = 20_000;
/** A run that stops does not wait longer than this for its last snapshot. */
const LAST_SNAPSHOT_MS = 5_000;

/**
 * Takes a snapshot of the files after each step of a run, and notes what others changed since the last one. If the
 * workspace is gone (removed, or missing from a restored backup of the data folder), its last snapshot is restored first,
 * and the run says so.
 */
export async function openRunSnapshots(
  context: RunContext,
  { sandbox, snapshots, edits, logger }: RunSnapshotParts,
): Promise<RunSnapshots> {
  const { run, emit, persist, commit, signal: stopped } = context;
  const { threadId, id: runId } = run;
  const forTask = sandbox.forTask(threadId, run.options.sandbox);
  if (snapshots === undefined) return withoutSnapshots(forTask);
  // The model changes files as well now, until the last snapshot of the run; a crash may come before it.
  const modelWorks = (): void => commit(() => snapshots.setComplete(threadId, false));
  if (!snapshots.isOn) {
    modelWorks();
    return withoutSnapshots(forTask);
  }
  await recoverFiles(snapshots, threadId, emit);
  const added = context.message.attachments.map(({ path }) => path);
  // The run goes on without knowing what changed.
  await edits.look(threadId, added).catch((error) => {
    logger?.warn('Files were not compared with their last state', { runId, error });
  });
  modelWorks();
  const ending = new AbortController();
  let isEnding = false;
  const steps = new StepSnapshots({
    sandbox: forTask,
    lastStep: () => snapshots.lastStep(runId),
    flush: () => commit(() => undefined),
    take: async (seq) => {
      const step = { runId, seq };
      // Stopping a run aborts the snapshot in progress; the last one has its own time limit.
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
  const watching = edits.onSaved(threadId, () => steps.filesChanged());
  return {
    sandbox: steps.sandbox,
    stepIsOver: () => steps.stepIsOver(),
    [Symbol.asyncDispose]: async () => {
      isEnding = true;
      watching[Symbol.dispose]();
      const limit = setTimeout(() => ending.abort(), LAST_SNAPSHOT_MS);
      try {
        // Whatever ended the run may have aborted this snapshot; then it is due again.
        await steps.settled();
        await steps.end();
        // A snapshot that failed is still due.
        if (!steps.isDue) commit(() => snapshots.setComplete(threadId, true));
      } catch (error) {
        // The log is closed: the run ends without its last snapshot.
        logger?.warn('The last snapshot of a run was not taken', { runId, error });
      } finally {
        clearTimeout(limit);
      }
    },
  };
}

async function recoverFiles(
  snapshots: WorkspaceSnapshots,
  threadId: string,
  emit: RunContext['emit'],
): Promise<void> {
  const report = (status: 'completed' | 'failed', description: string): void =>
    emit({ type: 'stage', name: 'files', status, description });
  try {
    const recovered = await snapshots.recover(threadId);
    if (recovered === null) return;
    report(
      'completed',
      `The workspace was empty: restored ${recovered.files} files from its last snapshot`,
    );
  } catch (error) {
    // The run can continue without them; a full disk stops it soon enough.
    if (!(error instanceof AppError)) throw error;
    report(
      'failed',
      `The workspace is empty, and its last snapshot cannot be restored: ${error.message}`,
    );
  }
}

/** What runs in it cannot be undone, so it is not contained either. */
function notUndoable(sandbox: TaskSandbox): TaskSandbox {
  return {
    ...sandbox,
    whyUncontained: async () => 'snapshots are off, so it could not be undone',
    beside: () => notUndoable(sandbox.beside()),
    shell: (name) => {
      const shell = sandbox.shell(name);
      return {
        ...notUndoable(shell),
        [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose](),
      };
    },
  };
}

function withoutSnapshots(sandbox: TaskSandbox): RunSnapshots {
  return {
    sandbox: notUndoable(sandbox),
    stepIsOver: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
