import type { BackgroundProgram } from '#contract/entities.ts';
import type { BackgroundPrograms, SandboxRun, SandboxRuntime } from './types.ts';

/** What is shown of a command line. */
const COMMAND_CHARS = 300;
/** Programs that are listed of a task: the most that a sandbox may have. */
const LISTED = 256;

interface TaskPrograms {
  /** Network policies under which what runs now may have been started. */
  policies: Set<string>;
  /** Of each runtime: runs by the programs that were first seen in them. */
  readonly runs: WeakMap<SandboxRuntime, ReadonlyMap<string, string>>;
  /** Of each runtime: the runs that had a command there. */
  readonly ranIn: WeakMap<SandboxRuntime, Set<string>>;
  /** The run that began last. */
  runId: string | null;
}

/**
 * What goes on in the sandboxes of tasks when no command waits for it, and what ends it. Every process of a
 * sandbox that was not there before its first command belongs to the run in which it was first seen, whoever
 * started it; so it is looked at when a run begins and when it is left. All of a task that may go on at one
 * time was started under one network policy. What is seen is for showing alone: programs can hide, so what is
 * ended goes by where commands ran.
 */
export class ProgramsOfTasks {
  readonly #runtimesOf: (taskId: string) => readonly SandboxRuntime[];
  readonly #tasks = new Map<string, TaskPrograms>();

  /** `runtimesOf`: those of a task that are up. */
  constructor(runtimesOf: (taskId: string) => readonly SandboxRuntime[]) {
    this.#runtimesOf = runtimesOf;
  }

  /** See `SandboxService.beginRun`. */
  async begin(taskId: string, { runId, network }: SandboxRun): Promise<BackgroundPrograms> {
    const task = this.#task(taskId);
    const policy = network();
    const isForeign = [...task.policies].some((other) => other !== policy);
    const ended = isForeign ? await this.#endAll(taskId) : NONE;
    // What ran between two runs belongs to the earlier one.
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

  /** To be called before a command begins in `runtime`: it is one of the run that began last. */
  noteCommand(taskId: string, runtime: SandboxRuntime): void {
    const { ranIn, runId } = this.#task(taskId);
    const runs = ranIn.get(runtime) ?? new Set();
    if (runId !== null) runs.add(runId);
    ranIn.set(runtime, runs);
  }

  async list(taskId: string): Promise<BackgroundPrograms> {
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
   * The shells too, also where nothing is seen to run: a trap, or what was written into a process of the app's
   * own, would go on. What never had a way out reaches nothing now either.
   */
  #endAll(taskId: string): Promise<BackgroundPrograms> {
    const runtimes = this.#runtimesOf(taskId).filter(({ network }) => network !== null);
    return this.#end(taskId, runtimes);
  }

  async #end(taskId: string, runtimes: readonly SandboxRuntime[]): Promise<BackgroundPrograms> {
    const ended = await Promise.all(
      runtimes.map(async (runtime) => {
        const found = await this.#programsOf(taskId, [runtime]);
        await runtime.endPrograms();
        return found;
      }),
    );
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
    const task: TaskPrograms = { policies: new Set(), ...seen, runId: null };
    this.#tasks.set(taskId, task);
    return task;
  }
}

const NONE: BackgroundPrograms = { programs: [], isKnown: true };
