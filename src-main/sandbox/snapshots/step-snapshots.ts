import { setImmediate as nextTurn } from 'node:timers/promises';
import { raceAbort } from '../../base/abort.ts';
import type { TaskSandbox, Workspace, WorkspaceFiles } from '../types.ts';

export interface StepSnapshotsParts {
  readonly sandbox: TaskSandbox;
  /** The event that ended the newest step on disk. */
  readonly lastStep: () => number;
  /** Writes all results so far to disk: a snapshot must not claim to follow one that a crash would take away. */
  readonly flush: () => void;
  /** Takes a snapshot after that step. A rejection is reported, and the run continues. */
  readonly take: (seq: number) => Promise<void>;
  readonly onProblem: (error: unknown) => void;
}

const NOT_KEPT = 'the last snapshot of the files failed, so it could not be undone';

/**
 * Decides when to take the snapshots of a run: while the model works on the results of a step, and before the
 * next step touches the files. A step that changed nothing costs nothing.
 */
export class StepSnapshots {
  readonly #parts: StepSnapshotsParts;
  /** The task's sandbox; its commands and changes wait for a snapshot in progress. */
  readonly sandbox: TaskSandbox;
  /** Initially true: files may have been attached, or left by an interrupted run, since the last snapshot. */
  #isChanged = true;
  /** The user changed files: what they are now is kept before a call changes them. */
  #isByUser = false;
  /** Commands ran: they may have changed unreported files, such as those in folders of tools. */
  #mayBeChanged = false;
  #taking: Promise<void> = Promise.resolve();
  /** The newest snapshot was not taken: what runs now could not be undone. */
  #hasFailed = false;
  /** Commands in progress. */
  #running = 0;

  constructor(parts: StepSnapshotsParts) {
    this.#parts = parts;
    const workspace = this.#watched(parts.sandbox.workspace);
    this.sandbox = this.#waiting(parts.sandbox, workspace);
  }

  /** Wraps `sandbox`: its commands wait for a snapshot in progress. */
  #waiting(sandbox: TaskSandbox, workspace: Workspace): TaskSandbox {
    return {
      workspace,
      whyUncontained: async (signal) => {
        const [doubt] = await Promise.all([
          sandbox.whyUncontained(signal),
          raceAbort(this.#taking, signal),
        ]);
        return doubt ?? (this.#hasFailed ? NOT_KEPT : null);
      },
      beside: () => this.#waiting(sandbox.beside(), workspace),
      shell: (name) => {
        const shell = sandbox.shell(name);
        return {
          ...this.#waiting(shell, workspace),
          [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose](),
        };
      },
      openNetwork: (egressClient) => sandbox.openNetwork(egressClient),
      takeCalls: (take) => sandbox.takeCalls(take),
      runtime: async (options) => {
        const runtime = await sandbox.runtime(options);
        return {
          level: runtime.level,
          get network() {
            return runtime.network;
          },
          run: async (command, commandOptions) => {
            this.#keepState();
            await raceAbort(this.#taking, commandOptions.signal);
            this.#mayBeChanged = true;
            this.#running += 1;
            try {
              return await runtime.run(command, commandOptions);
            } finally {
              this.#running -= 1;
            }
          },
          programs: () => runtime.programs(),
          endPrograms: () => runtime.endPrograms(),
          [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
        };
      },
    };
  }

  /**
   * Starts a snapshot of what earlier calls of the step changed, before a call that could destroy it. Not while a
   * program runs: its half would become part of the state after the step, and there is one from before it.
   */
  #keepState(): void {
    if (!this.isDue || this.#running > 0) return;
    try {
      this.#parts.flush();
      this.#take();
    } catch (error) {
      this.#hasFailed = true;
      this.#parts.onProblem(error);
    }
  }

  /** The user changed files: a snapshot is due before a call could destroy what they are now. */
  filesChanged(): void {
    this.#isChanged = true;
    this.#isByUser = true;
  }

  /** A step has ended: starts a snapshot if it changed files. */
  stepIsOver(): void {
    if (!this.#isChanged) return;
    this.#take();
  }

  /** Resolves when no snapshot is in progress. */
  settled(): Promise<void> {
    return this.#taking;
  }

  /** Whether `end` has to take a snapshot. */
  get isDue(): boolean {
    return this.#isChanged || this.#mayBeChanged;
  }

  /** The run has ended or paused: resolves when its last snapshot is taken. Throws what `flush` throws. */
  async end(): Promise<void> {
    if (this.isDue) {
      this.#parts.flush();
      this.#take();
    }
    await this.#taking;
  }

  #take(): void {
    this.#isChanged = false;
    this.#isByUser = false;
    this.#mayBeChanged = false;
    const seq = this.#parts.lastStep();
    this.#taking = this.#taking
      // The request to the model goes out first.
      .then(() => nextTurn())
      .then(() => this.#parts.take(seq))
      .then(() => {
        this.#hasFailed = false;
      })
      .catch((error) => {
        // Tried again after the next step.
        this.#isChanged = true;
        this.#hasFailed = true;
        this.#parts.onProblem(error);
      });
  }

  #watched(workspace: Workspace): Workspace {
    const changing =
      <Arguments extends unknown[], Result>(work: (...args: Arguments) => Promise<Result>) =>
      async (...args: Arguments): Promise<Result> => {
        if (this.#isByUser) this.#keepState();
        await this.#taking;
        this.#isChanged = true;
        return await work(...args);
      };
    const watched = (files: WorkspaceFiles): WorkspaceFiles => {
      const remove = changing((path: string) => files.remove(path));
      return {
        list: (path, options) => files.list(path, options),
        read: (...given) => files.read(...given),
        write: changing((path, data) => files.write(path, data)),
        replace: changing((path, data) => files.replace(path, data)),
        remove: async (path) => {
          this.#keepState();
          await remove(path);
        },
        move: changing((from, to) => files.move(from, to)),
      };
    };
    return {
      ...watched(workspace),
      dir: workspace.dir,
      pathOf: (path, lastLink) => workspace.pathOf(path, lastLink),
      withoutLinks: () => watched(workspace.withoutLinks()),
      importFile: changing((hostPath, name, folder) =>
        workspace.importFile(hostPath, name, folder),
      ),
      touch: (path) => workspace.touch(path),
      exclusively: (work) => workspace.exclusively(work),
      watch: async (callId, within) => {
        const watch = await workspace.watch(callId, within);
        if (watch.others.length > 0) this.#isChanged = true;
        const end = async () => {
          const changes = await watch.end();
          if (changes.length > 0) this.#isChanged = true;
          return changes;
        };
        return { ...watch, end };
      },
      changes: async () => {
        const changes = await workspace.changes();
        if (changes.length > 0) this.#isChanged = true;
        return changes;
      },
    };
  }
}
