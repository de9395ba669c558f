import { mkdir, rm } from 'node:fs/promises';
import type { ProbeResult, SandboxReport, Settings } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { SandboxChoice } from '#contract/vocabulary.ts';
import { raceAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { ProofStore } from '../../storage/types.ts';
import type {
  ProviderState,
  SandboxLimits,
  SandboxProvider,
  SandboxRuntime,
  SandboxService,
  TaskSandbox,
} from './types.ts';
import { HostWorkspace } from './workspace/host-workspace.ts';

export interface UnifiedSandboxManagerParts {
  /** In order of preference. */
  readonly providers: readonly SandboxProvider[];
  readonly workspaceDir: (taskId: string) => string;
  readonly proofs: ProofStore;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A runtime that nobody used for this long is ended; its files stay. */
const IDLE_MS = 30 * 60 * 1000;
/** Largest file that a program may write. */
const FILE_LIMIT_BYTES = 2 * 1024 ** 3;

/** What the person allows a sandbox, as limits. */
export function limitsFrom(settings: Settings): SandboxLimits {
  return {
    memoryBytes: settings.sandboxMemoryMb * 1024 * 1024,
    cpus: settings.sandboxCpus,
    pids: settings.sandboxPids,
    fileBytes: FILE_LIMIT_BYTES,
  };
}

type Progress = (line: string) => void;

interface Task {
  readonly workspace: HostWorkspace;
  runtime: Promise<SandboxRuntime> | null;
  idle: NodeJS.Timeout | null;
}

/**
 * One runtime for each task (`unified:{user}:{task}`), for code and apps alike, kept warm while it
 * is used. The wall of a provider is proved before its first use and again when what it stands on
 * has changed; a probe that gets through refuses everything.
 */
export class UnifiedSandboxManager implements SandboxService {
  readonly #parts: UnifiedSandboxManagerParts;
  readonly #tasks = new Map<string, Task>();
  readonly #closing = new AbortController();
  readonly #proving = new Map<SandboxProvider, Promise<void>>();

  constructor(parts: UnifiedSandboxManagerParts) {
    this.#parts = parts;
  }

  forTask(taskId: string, choice: SandboxChoice): TaskSandbox {
    const task = this.#task(taskId);
    return {
      workspace: task.workspace,
      runtime: ({ signal, onProgress }) => this.#runtime(taskId, { choice, signal, onProgress }),
    };
  }

  warm(taskId: string, choice: SandboxChoice): void {
    const signal = this.#closing.signal;
    // Only ahead of time: who needs the sandbox asks again and is told what is wrong.
    this.#runtime(taskId, { choice, signal, onProgress: () => undefined }).catch((error) =>
      this.#parts.logger.info('The sandbox could not be warmed', { taskId, error }),
    );
  }

  async report({
    probe,
    signal,
  }: {
    probe: boolean;
    signal: AbortSignal;
  }): Promise<SandboxReport[]> {
    return Promise.all(
      this.#parts.providers.map(async (provider): Promise<SandboxReport> => {
        const state = await provider.inspect(signal);
        if (state.status !== 'ready') {
          const { detail, remedy } = state;
          return { kind: provider.kind, available: false, detail, remedy, probes: [] };
        }
        const probes = probe
          ? await this.#probe(provider, state.fingerprint, signal)
          : [...(this.#knownProof(provider, state.fingerprint) ?? [])];
        return { kind: provider.kind, available: true, detail: state.detail, remedy: null, probes };
      }),
    );
  }

  async prepare(kind: 'docker' | 'os', onProgress: Progress, signal: AbortSignal): Promise<void> {
    const provider = this.#parts.providers.find((candidate) => candidate.kind === kind);
    if (provider === undefined)
      throw new AppError('NOT_FOUND', `There is no ${kind} sandbox here.`);
    await provider.prepare(onProgress, signal);
  }

  async removeTask(taskId: string): Promise<void> {
    const task = this.#tasks.get(taskId);
    this.#tasks.delete(taskId);
    if (task !== undefined) await this.#end(task);
    await rm(this.#parts.workspaceDir(taskId), { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new AppError('CANCELLED', 'The app is closing.'));
    await Promise.all([...this.#tasks.values()].map((task) => this.#end(task)));
  }

  #task(taskId: string): Task {
    const known = this.#tasks.get(taskId);
    if (known !== undefined) return known;
    const workspace = new HostWorkspace(this.#parts.workspaceDir(taskId));
    const task: Task = { workspace, runtime: null, idle: null };
    this.#tasks.set(taskId, task);
    return task;
  }

  async #runtime(
    taskId: string,
    {
      choice,
      signal,
      onProgress,
    }: { choice: SandboxChoice; signal: AbortSignal; onProgress: Progress },
  ): Promise<SandboxRuntime> {
    const task = this.#task(taskId);
    if (task.runtime === null) {
      // Starting is not tied to the caller: another one may wait for the same runtime.
      const starting = this.#start(taskId, choice, onProgress);
      task.runtime = starting;
      starting.catch(() => {
        if (task.runtime === starting) task.runtime = null;
      });
    }
    this.#keepWarm(task);
    return raceAbort(task.runtime, signal);
  }

  async #start(
    taskId: string,
    choice: SandboxChoice,
    onProgress: Progress,
  ): Promise<SandboxRuntime> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const provider = await this.#choose(choice, onProgress);
    const state = await provider.inspect(signal);
    if (state.status !== 'ready') throw noSandbox([[provider, state]]);
    await this.#prove(provider, state.fingerprint);
    const workspaceDir = this.#parts.workspaceDir(taskId);
    await mkdir(workspaceDir, { recursive: true });
    const limits = limitsFrom(this.#parts.settings());
    return provider.start({ key: `unified:local:${taskId}`, workspaceDir, limits }, signal);
  }

  /** The first that is ready; else the first that can be made ready. See docs/decisions/0002. */
  async #choose(choice: SandboxChoice, onProgress: Progress): Promise<SandboxProvider> {
    const { signal } = this.#closing;
    const candidates = this.#parts.providers.filter(
      (provider) => choice === 'auto' || provider.kind === choice,
    );
    const states: [SandboxProvider, ProviderState][] = [];
    for (const provider of candidates) {
      const state = await provider.inspect(signal);
      if (state.status === 'ready') return provider;
      states.push([provider, state]);
    }
    const preparable = states.find(([, state]) => state.status === 'needs_preparation');
    if (preparable === undefined) throw noSandbox(states);
    await preparable[0].prepare(onProgress, signal);
    return preparable[0];
  }

  /** Proves a provider once at a time, however many tasks wait for it. */
  #prove(provider: SandboxProvider, fingerprint: string): Promise<void> {
    const running = this.#proving.get(provider);
    if (running !== undefined) return running;
    const proving = this.#requireProof(provider, fingerprint).finally(() =>
      this.#proving.delete(provider),
    );
    this.#proving.set(provider, proving);
    return proving;
  }

  async #requireProof(provider: SandboxProvider, fingerprint: string): Promise<void> {
    const probes =
      this.#knownProof(provider, fingerprint) ??
      (await this.#probe(provider, fingerprint, this.#closing.signal));
    const open = probes.filter((probe) => !probe.held);
    if (open.length === 0 && probes.length > 0) return;
    const names = open.map((probe) => `${probe.name} (${probe.detail})`).join('; ');
    throw new AppError(
      'SANDBOX_NOT_PROVEN',
      `The ${provider.kind} sandbox does not hold, so nothing is run in it: ${names || 'no probe ran'}. Run "hyperagent doctor" for more, or choose another sandbox.`,
      { details: { probes: open } },
    );
  }

  #knownProof(provider: SandboxProvider, fingerprint: string): readonly ProbeResult[] | null {
    const proof = this.#parts.proofs.get(provider.kind);
    return proof?.fingerprint === fingerprint ? proof.probes : null;
  }

  async #probe(
    provider: SandboxProvider,
    fingerprint: string,
    signal: AbortSignal,
  ): Promise<ProbeResult[]> {
    const probes = await provider.probe(signal);
    const at = this.#parts.clock.now();
    // What did not hold is tried again the next time; it may have been the machine's bad moment.
    if (probes.every((probe) => probe.held)) {
      this.#parts.proofs.put({ kind: provider.kind, fingerprint, probes, at });
    } else {
      this.#parts.proofs.delete(provider.kind);
    }
    return probes;
  }

  #keepWarm(task: Task): void {
    if (task.idle !== null) clearTimeout(task.idle);
    task.idle = setTimeout(() => {
      this.#end(task).catch((error) =>
        this.#parts.logger.warn('An idle sandbox did not end', { error }),
      );
    }, IDLE_MS).unref();
  }

  async #end(task: Task): Promise<void> {
    if (task.idle !== null) clearTimeout(task.idle);
    const starting = task.runtime;
    task.idle = null;
    task.runtime = null;
    // One that failed to start has nothing to end, and was reported to who waited for it.
    const runtime = await starting?.catch(() => null);
    await runtime?.[Symbol.asyncDispose]();
  }
}

function noSandbox(states: readonly (readonly [SandboxProvider, ProviderState])[]): AppError {
  const wants = states.map(([provider, state]) =>
    state.status === 'ready' ? '' : `${provider.kind}: ${state.detail}. ${state.remedy}`,
  );
  return new AppError(
    'SANDBOX_UNAVAILABLE',
    `There is no sandbox, and nothing is run without one. ${wants.join(' — ')}`,
  );
}
