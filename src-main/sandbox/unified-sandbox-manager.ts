import { mkdir } from 'node:fs/promises';
import type { SandboxReport } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import type { SandboxChoice, SandboxKind } from '#contract/vocabulary.ts';
import { raceAbort } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { requireOnline } from '../egress/require-online.ts';
import type { ProofStore } from '../storage/types.ts';
import { ProgramsOfTasks } from './background-programs.ts';
import { whyUncontained } from './containment.ts';
import { IsolationChecks } from './isolation-checks.ts';
import { ProviderChoice } from './provider-choice.ts';
import { limitsFrom } from './provider-parts.ts';
import { TaskChannel } from './relay/task-channel.ts';
import type {
  BackgroundPrograms,
  Command,
  CommandOptions,
  OpenedFolder,
  SandboxProvider,
  SandboxRun,
  SandboxRuntime,
  SandboxService,
  TaskSandbox,
} from './types.ts';
import { copyWorkspaceTree } from './workspace/copy-tree.ts';
import { HostWorkspace } from './workspace/host-workspace.ts';
import { removeWorkspace } from './workspace/remove-tree.ts';

export interface UnifiedSandboxManagerParts {
  /** In order of preference. */
  readonly providers: readonly SandboxProvider[];
  readonly workspaceDir: (taskId: string) => string;
  /** Folders of the host that are open to the programs of a task; none if absent. */
  readonly foldersOf?: (taskId: string) => readonly OpenedFolder[];
  readonly proofs: ProofStore;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A runtime that is unused for this long is ended; its files stay. Defaults to 30 minutes. */
  readonly idleMs?: number;
}

const IDLE_MS = 30 * 60 * 1000;
/** Id of the runtime that serves calls of a script while the script runs. */
function besideId(taskId: string): string {
  return taskId.endsWith(BESIDE) ? taskId : `${taskId}${BESIDE}`;
}

const BESIDE = ':calls';

type Progress = (line: string) => void;

interface Task {
  readonly id: string;
  /** The task that it belongs to: itself, unless it runs beside another one. */
  readonly root: string;
  readonly workspace: HostWorkspace;
  readonly channel: TaskChannel;
  /** Progress callbacks of callers that wait for the runtime. */
  readonly watchers: Set<Progress>;
  runtime: Promise<SandboxRuntime> | null;
  /** The runtime, once it is up. */
  up: SandboxRuntime | null;
  /** A start ahead of time, which prepares nothing; callers that need the runtime wait for it. */
  warming: Promise<void> | null;
  idle: NodeJS.Timeout | null;
  /** Number of running and waiting commands. */
  busy: number;
}

/**
 * One runtime for each task (`unified:{user}:{task}`), for code and apps alike, kept warm while it is used. The
 * isolation of a provider is checked before its first use and again when its fingerprint changes; if a probe
 * gets through, nothing runs. While a runtime is up its task keeps it, whatever is chosen later; if its engine
 * dies, commands fail, and no weaker sandbox takes over.
 */
export class UnifiedSandboxManager implements SandboxService {
  readonly #parts: UnifiedSandboxManagerParts;
  readonly #choice: ProviderChoice;
  readonly #proofs: IsolationChecks;
  readonly #tasks = new Map<string, Task>();
  readonly #closing = new AbortController();
  readonly #programs = new ProgramsOfTasks((taskId) =>
    this.#withBesides(taskId).flatMap(({ up }) => (up === null ? [] : [up])),
  );

  constructor(parts: UnifiedSandboxManagerParts) {
    this.#parts = parts;
    this.#choice = new ProviderChoice(parts.providers, parts);
    this.#proofs = new IsolationChecks(parts.proofs, parts.clock);
  }

  forTask(taskId: string, choice: SandboxChoice): TaskSandbox {
    return this.#sandboxOf(this.#task(taskId), choice);
  }

  #sandboxOf(task: Task, choice: SandboxChoice): TaskSandbox {
    return {
      workspace: task.workspace,
      runtime: ({ signal, onProgress }) => this.#runtime(task, { choice, signal, onProgress }),
      whyUncontained: (signal) =>
        whyUncontained(
          choice,
          () => this.#runtime(task, { choice, signal, onProgress: null }),
          signal,
        ),
      beside: () => this.#sandboxOf(this.#besideOf(task), choice),
      shell: (name) => ({
        ...this.#sandboxOf(this.#withShell(task, name), choice),
        [Symbol.asyncDispose]: () => this.#forget(`${task.id}:${name}`),
      }),
      openNetwork: (egressClient) => task.channel.open(egressClient),
      takeCalls: (take) => task.channel.takeCalls(take),
    };
  }

  warm(taskId: string, choice: SandboxChoice): void {
    const task = this.#task(taskId);
    if (task.runtime !== null || task.warming !== null) return;
    task.warming = this.#ensureStarted(task, choice, null).then(
      () => {
        task.warming = null;
        this.#endWhenIdle(task);
      },
      (error) => {
        task.warming = null;
        // The next caller that needs the sandbox starts it again and gets the error.
        this.#parts.logger.info('Could not start the sandbox ahead of time', { taskId, error });
      },
    );
  }

  async report({
    probe,
    signal,
  }: {
    probe: boolean;
    signal: AbortSignal;
  }): Promise<SandboxReport[]> {
    const chosen = this.#parts.settings().sandbox;
    const shown = this.#parts.providers.filter(
      ({ kind, isOptIn }) => isOptIn !== true || kind === chosen,
    );
    return await Promise.all(shown.map((provider) => this.#reportOn(provider, probe, signal)));
  }

  async prepare(kind: SandboxKind, onProgress: Progress, signal: AbortSignal): Promise<void> {
    const provider = this.#parts.providers.find((candidate) => candidate.kind === kind);
    if (provider === undefined) {
      throw new AppError('NOT_FOUND', `There is no ${kind} sandbox here.`);
    }
    if (kind === 'docker') requireOnline(this.#parts.settings(), 'Building the image');
    await provider.prepare(onProgress, signal);
    this.#choice.forget(provider);
  }

  beginRun(taskId: string, run: SandboxRun): Promise<BackgroundPrograms> {
    return this.#programs.begin(taskId, run);
  }

  leaveRun(taskId: string, run: SandboxRun): Promise<BackgroundPrograms> {
    return this.#programs.leave(taskId, run);
  }

  programs(taskId: string): Promise<BackgroundPrograms> {
    return this.#programs.list(taskId);
  }

  endPrograms(taskId: string, runId?: string): Promise<BackgroundPrograms> {
    return this.#programs.end(taskId, runId);
  }

  async copyTask(fromTaskId: string, toTaskId: string): Promise<void> {
    const { workspaceDir } = this.#parts;
    await copyWorkspaceTree(workspaceDir(fromTaskId), workspaceDir(toTaskId));
  }

  /** Ends the runtime of a task and forgets the state of its files, because they are changed elsewhere now. */
  async release(taskId: string): Promise<void> {
    await this.#forget(taskId);
  }

  /** Ends the runtime stored under `id`, and all beside it. */
  async #forget(id: string): Promise<void> {
    const gone = this.#withBesides(id);
    for (const task of gone) this.#tasks.delete(task.id);
    for (const task of gone) await this.#end(task);
  }

  /** The runtime stored under `id`, and all beside it. */
  #withBesides(id: string): Task[] {
    return [...this.#tasks.values()].filter(
      (task) => task.id === id || task.id.startsWith(`${id}:`),
    );
  }

  async removeTask(taskId: string): Promise<void> {
    await this.release(taskId);
    this.#programs.forget(taskId);
    await removeWorkspace(this.#parts.workspaceDir(taskId));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new AppError('CANCELLED', 'The app is closing.'));
    await Promise.all([...this.#tasks.values()].map((task) => this.#end(task)));
  }

  #task(id: string): Task {
    const known = this.#tasks.get(id);
    if (known !== undefined) return known;
    const workspace = new HostWorkspace(this.#parts.workspaceDir(id));
    return this.#addTask({ id, root: id, workspace, channel: new TaskChannel() });
  }

  /** A separate runtime over the files and with the egress of `task`. */
  #besideOf({ id, root, workspace, channel }: Task): Task {
    const known = this.#tasks.get(besideId(id));
    return known ?? this.#addTask({ id: besideId(id), root, workspace, channel });
  }

  /** The same with separate calls: two parallel scripts must not receive each other's calls. */
  #withShell({ id, root, workspace, channel }: Task, name: string): Task {
    const shellId = `${id}:${name}`;
    const known = this.#tasks.get(shellId);
    return (
      known ?? this.#addTask({ id: shellId, root, workspace, channel: new TaskChannel(channel) })
    );
  }

  #addTask(made: Pick<Task, 'id' | 'root' | 'workspace' | 'channel'>): Task {
    const watchers = new Set<Progress>();
    const none = { runtime: null, up: null, warming: null, idle: null, busy: 0 };
    const task: Task = { ...made, watchers, ...none };
    this.#tasks.set(task.id, task);
    return task;
  }

  async #runtime(
    task: Task,
    {
      choice,
      signal,
      onProgress,
    }: { choice: SandboxChoice; signal: AbortSignal; onProgress: Progress | null },
  ): Promise<SandboxRuntime> {
    if (onProgress !== null) task.watchers.add(onProgress);
    try {
      if (task.warming !== null) await raceAbort(task.warming, signal);
      const emit: Progress = (line) => {
        for (const watcher of task.watchers) watcher(line);
      };
      const progress = onProgress === null ? null : emit;
      const runtime = await raceAbort(this.#ensureStarted(task, choice, progress), signal);
      this.#endWhenIdle(task);
      return this.#withBusyCount(task, runtime);
    } finally {
      if (onProgress !== null) task.watchers.delete(onProgress);
    }
  }

  /** Not tied to a caller's signal: another caller may wait for the same runtime. */
  #ensureStarted(
    task: Task,
    choice: SandboxChoice,
    emit: Progress | null,
  ): Promise<SandboxRuntime> {
    if (task.runtime !== null) return task.runtime;
    const starting = this.#start(task, choice, emit);
    task.runtime = starting;
    starting.then(
      (runtime) => {
        if (task.runtime === starting) task.up = runtime;
      },
      () => {
        if (task.runtime === starting) task.runtime = null;
      },
    );
    return starting;
  }

  async #start(task: Task, choice: SandboxChoice, emit: Progress | null): Promise<SandboxRuntime> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    // Building an image downloads its base.
    const mayPrepare = this.#parts.settings().egress !== 'offline';
    const { provider, state } = await this.#choice.choose(choice, mayPrepare ? emit : null, signal);
    const workspaceDir = task.workspace.dir;
    await mkdir(workspaceDir, { recursive: true });
    const limits = limitsFrom(this.#parts.settings());
    const { channel } = task;
    const folders = this.#parts.foldersOf?.(task.root) ?? [];
    const key = `unified:local:${task.id}`;
    // In parallel; nothing runs in the runtime before its isolation is checked.
    const [proof, runtime] = await Promise.allSettled([
      this.#proofs.require(provider, state.fingerprint, signal),
      provider.start({ key, workspaceDir, limits, channel, folders }, signal),
    ]);
    if (proof.status === 'fulfilled' && runtime.status === 'fulfilled') return runtime.value;
    if (runtime.status === 'fulfilled') await runtime.value[Symbol.asyncDispose]();
    this.#choice.forget(provider);
    throw runtime.status === 'rejected' ? runtime.reason : (proof as PromiseRejectedResult).reason;
  }

  /** Wraps the runtime, so that it is not ended while commands run in it. */
  #withBusyCount(task: Task, runtime: SandboxRuntime): SandboxRuntime {
    return {
      level: runtime.level,
      get network() {
        return runtime.network;
      },
      run: async (command: Command, options: CommandOptions) => {
        task.busy += 1;
        this.#programs.noteCommand(task.root, runtime);
        try {
          return await runtime.run(command, options);
        } finally {
          task.busy -= 1;
          this.#endWhenIdle(task);
        }
      },
      programs: () => runtime.programs(),
      endPrograms: () => runtime.endPrograms(),
      [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
    };
  }

  #endWhenIdle(task: Task): void {
    if (task.idle !== null) clearTimeout(task.idle);
    task.idle = null;
    if (task.runtime === null) return;
    const endIfUnused = (): void => {
      if (task.busy > 0) return;
      this.#end(task).catch((error) =>
        this.#parts.logger.warn('An idle sandbox did not end', { taskId: task.id, error }),
      );
    };
    task.idle = setTimeout(endIfUnused, this.#parts.idleMs ?? IDLE_MS).unref();
  }

  async #end(task: Task): Promise<void> {
    if (task.idle !== null) clearTimeout(task.idle);
    const starting = task.runtime;
    task.idle = null;
    task.runtime = null;
    task.up = null;
    // One that failed to start has nothing to end, and its callers got the error.
    const runtime = await starting?.catch(() => null);
    await runtime?.[Symbol.asyncDispose]();
  }

  async #reportOn(
    provider: SandboxProvider,
    probe: boolean,
    signal: AbortSignal,
  ): Promise<SandboxReport> {
    const { kind } = provider;
    if (probe) this.#choice.forget(provider);
    const state = await this.#choice.stateOf(provider, signal);
    if (state.status !== 'ready') {
      return { kind, available: false, detail: state.detail, remedy: state.remedy, probes: [] };
    }
    const { detail, fingerprint } = state;
    try {
      const probes = probe
        ? await this.#proofs.prove(provider, fingerprint, signal)
        : [...(this.#proofs.known(provider, fingerprint) ?? [])];
      const failed = probes.filter(({ held }) => !held).map(({ name }) => name);
      if (failed.length === 0) return { kind, available: true, detail, remedy: null, probes };
      const remedy = 'Nothing runs in it. Update it, or choose another sandbox in the settings.';
      return {
        kind,
        available: false,
        detail: `${detail}; failed isolation probes: ${failed.join(', ')}`,
        remedy,
        probes,
      };
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      const remedy = 'See the log for details.';
      return {
        kind,
        available: false,
        detail: `${detail}; its isolation could not be checked: ${reason}`,
        remedy,
        probes: [],
      };
    }
  }
}
