import type { BackgroundProgram } from '#contract/entities.ts';
import type { BackgroundPrograms, SandboxRun, SandboxRuntime } from './types.ts';

/** Characters shown of a command line. */
const COMMAND_CHARS = 300;
/** Most programs listed for a task: as many as a sandbox may have. */
const LISTED = 256;

interface TaskPrograms {
  /** Network policies under which the running programs may have been started. */
  policies: Set<string>;
  /** For each runtime: the run in which each program was first seen. */
  readonly runs: WeakMap<SandboxRuntime, ReadonlyMap<string, string>>;
  /** For each runtime: the runs that had a command there. */
  readonly ranIn: WeakMap<SandboxRuntime, Set<string>>;
  /** The latest run. */
  runId: string | null;
  /** Settles when every end in progress is over: until then a program runs that no shell knows any more. */
  ending: Promise<unknown>;
}

/**
 * Tracks programs that run in the background of a task's sandboxes, and ends them. Every process that was not
 * there before the first command belongs to the run in which it was first seen, whichever process started it;
 * therefore processes are listed when a run begins and ends. All programs of a task that run at the same time
 * were started under one network policy. The list is for display only: programs can hide, so ending them goes
 * by where commands ran.
 */
export class ProgramsOfTasks {
  readonly #runtimesOf: (taskId: string) => readonly SandboxRuntime[];
  readonly #tasks = new Map<string, TaskPrograms>();

  /** `runtimesOf`: the running ones of a task. */
  constructor(runtimesOf: (taskId: string) => readonly SandboxRuntime[]) {
    this.#runtimesOf = runtimesOf;
  }

  /** See `SandboxService.beginRun`. */
  async begin(taskId: string, { runId, network }: SandboxRun): Promise<BackgroundPrograms> {
    const task = this.#task(taskId);
    const policy = network();
    const isForeign = [...task.policies].some((other) => other !== policy);
    const ended = isForeign ? await this.#endAll(taskId) : NONE;
    // Programs first seen between two runs belong to the earlier one.
    await this.list(taskId);
    task.policies = new Set([policy]);
    task.runId = runId;
    return ended;
  }

  /** See `SandboxService.leaveRun`. */
  async leave(taskId: string, { network }: SandboxRun): Promise<BackgroundPrograms> {
    // The settings may have changed since it began.
    this.#task(taskId).policies.add(network());
    return await this.list(taskId);
  }

  /** Call before a command begins in `runtime`: it belongs to the latest run. */
  noteCommand(taskId: string, runtime: SandboxRuntime): void {
    const { ranIn, runId } = this.#task(taskId);
    const runs = ranIn.get(runtime) ?? new Set();
    if (runId !== null) runs.add(runId);
    ranIn.set(runtime, runs);
  }

  /** See `SandboxService.programs`. Waits for programs that are being ended. */
  async list(taskId: string): Promise<BackgroundPrograms> {
    await this.#task(taskId).ending;
    return await this.#programsOf(taskId, this.#runtimesOf(taskId));
  }

  /** See `SandboxService.endPrograms`. */
  async end(taskId: string, runId?: string): Promise<BackgroundPrograms> {
    const { ranIn } = this.#task(taskId);
    // A shell in which no command ran keeps its variables.
    const meant = this.#runtimesOf(taskId).filter((runtime) => {
      const runs = ranIn.get(runtime);
      return runId === undefined ? runs !== undefined : runs?.has(runId) === true;
    });
    return await this.#end(taskId, meant);
  }

  forget(taskId: string): void {
    this.#tasks.delete(taskId);
  }

  /**
   * Ends the shells too, even if nothing seems to run: a trap, or code injected into a process of the app,
   * would survive. Runtimes that never had egress have none now either.
   */
  #endAll(taskId: string): Promise<BackgroundPrograms> {
    const runtimes = this.#runtimesOf(taskId).filter(({ network }) => network !== null);
    return this.#end(taskId, runtimes);
  }

  async #end(taskId: string, runtimes: readonly SandboxRuntime[]): Promise<BackgroundPrograms> {
    const task = this.#task(taskId);
    const ending = Promise.all(
      runtimes.map(async (runtime) => {
        const found = await this.#programsOf(taskId, [runtime]);
        await runtime.endPrograms();
        return found;
      }),
    );
    task.ending = Promise.allSettled([task.ending, ending]);
    const ended = await ending;
    return {
      programs: ended.flatMap(({ programs }) => programs).slice(0, LISTED),
      isKnown: ended.every(({ isKnown }) => isKnown),
    };
  }

  async #programsOf(
    taskId: string,
    runtimes: readonly SandboxRuntime[],
  ): Promise<BackgroundPrograms> {
    const task = this.#task(taskId);
    const lists = await Promise.all(
      runtimes.map(async (runtime) => {
        const seen = await runtime.programs();
        if (seen === null) return null;
        const before = task.runs.get(runtime);
        const runs = new Map<string, string>();
        const programs = seen.map(({ id, pid, command, startedAt }): BackgroundProgram => {
          const runId = before?.get(id) ?? task.runId;
          if (runId !== null) runs.set(id, runId);
          return { pid, command: command.slice(0, COMMAND_CHARS), startedAt, runId };
        });
        task.runs.set(runtime, runs);
        return programs;
      }),
    );
    const programs = lists.flatMap((list) => list ?? []).slice(0, LISTED);
    return { programs, isKnown: !lists.includes(null) };
  }

  #task(taskId: string): TaskPrograms {
    const known = this.#tasks.get(taskId);
    if (known !== undefined) return known;
    const seen = { runs: new WeakMap(), ranIn: new WeakMap() };
    const task: TaskPrograms = {
      ...{ policies: new Set(), ...seen, runId: null, ending: Promise.resolve() },
    };
    this.#tasks.set(taskId, task);
    return task;
  }
}

const NONE: BackgroundPrograms = { programs: [], isKnown: true };
