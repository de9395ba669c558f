import { AppError } from '#contract/errors.ts';
import { SKILL_DEPTH, type SkillExecution } from '#contract/skills.ts';
import type { Clock } from '../base/clock.ts';
import { outsideGraphs } from '../base/outside-graphs.ts';
import type { StepPath } from '../base/step-path.ts';
import type { SkillExecutionStore } from '../storage/skill-types.ts';
import type { RunJournal } from '../storage/types.ts';
import { ExecutionContext } from './execution-context.ts';
import { checkRequiredTools } from './required-tools.ts';
import { checkOutput, validateInput } from './skill-input.ts';
import { SkillJournal } from './skill-journal.ts';
import type { SkillRegistry } from './skill-registry.ts';
import type {
  JsonObject,
  LangGraph,
  Skill,
  SkillFailure,
  SkillHost,
  SkillResult,
  WorkClock,
} from './types.ts';
import { LimitedWorkClock } from './work-clock.ts';

export interface SkillExecutorParts {
  readonly registry: SkillRegistry;
  readonly executions: SkillExecutionStore;
  readonly journal: RunJournal;
  readonly clock: Clock;
  /** The text of a Python module that skills put into the workspace; without it there are none. */
  readonly readModule?: (name: string) => Promise<string>;
}

export interface SkillInvocation {
  /** An id or an alias. */
  readonly skillId: string;
  readonly params: JsonObject;
  readonly host: SkillHost;
  /** Stays the same when the invocation is repeated after a crash. */
  readonly executionId: string;
  /** The skill that invokes it. */
  readonly parent?: {
    readonly executionId: string;
    /** The child's step. */
    readonly step: StepPath;
    /** From the outermost to the innermost. */
    readonly chain: readonly string[];
    /** Aborts this child alone. */
    readonly signal: AbortSignal;
    /** Paused whenever the child's is. */
    readonly clock: WorkClock;
  };
}

/** Runs skills: checks input and output, enforces limits, and stores every execution. */
export class SkillExecutor {
  readonly #parts: SkillExecutorParts;
  #langgraph: Promise<LangGraph> | null = null;

  constructor(parts: SkillExecutorParts) {
    this.#parts = parts;
  }

  /**
   * The result of a skill; a failure is a result too. Throws only what ends or pauses the run: then the
   * execution stays open, and resumes when it is invoked again under its id.
   */
  async execute(invocation: SkillInvocation): Promise<SkillResult> {
    const { executionId, host, parent } = invocation;
    const { executions, journal, registry, clock } = this.#parts;
    const step = parent?.step ?? host.step;
    const known = executions.find(executionId);
    if (known !== null && known.endedAt !== null) return ended(known);
    let skill: Skill;
    let params: JsonObject;
    try {
      ({ skill, params } = await this.#open(invocation));
      if (parent !== undefined) {
        const { signal, clock: waiting } = parent;
        const child = { skillId: skill.metadata.id, params: invocation.params };
        const allowed = await host.approveChild(child, step, { signal, clock: waiting });
        ({ skill, params } = await this.#open({ ...invocation, ...allowed }));
      }
    } catch (error) {
      const failure = this.#failure(error, host);
      if (known !== null) this.#giveUp(known, failure, host);
      return { ok: false, executionId, error: failure };
    }
    const { metadata } = skill;
    if (known === null) {
      const startedAt = clock.now();
      host.commit(() => {
        executions.begin({
          id: executionId,
          skillId: metadata.id,
          runId: host.runId,
          threadId: host.threadId,
          parentId: parent?.executionId ?? null,
          depth: (parent?.chain.length ?? 0) + 1,
          input: params as SkillExecution['input'],
          startedAt,
        });
        registry.noteInvocation(metadata.id, startedAt);
      });
    }
    const stop = new AbortController();
    const signal = AbortSignal.any([parent?.signal ?? host.signal, stop.signal]);
    const timeUp = (): void => stop.abort(timedOut(skill));
    using limit = new LimitedWorkClock(metadata.maxExecutionTimeSeconds * 1000, timeUp);
    const workClock: WorkClock = {
      // While a child waits for an answer, its parents wait too.
      waitFor: (answer) => limit.waitFor(() => parent?.clock.waitFor(answer) ?? answer()),
    };
    const chain = [...(parent?.chain ?? []), metadata.id];
    const context = new ExecutionContext({
      executionId,
      step,
      metadata,
      host,
      executions,
      clock,
      signal,
      workClock,
      depth: chain.length,
      emitted: known?.events ?? [],
      optionalTools: skill.optionalTools ?? [],
      readModule: this.#parts.readModule ?? noModule,
      journal: new SkillJournal(step, journal, host),
      invoke: (skillId, childParams, child) =>
        this.execute({
          skillId,
          params: childParams,
          host,
          executionId: child.executionId,
          parent: { executionId, step: child.step, chain, signal: child.signal, clock: workClock },
        }),
    });
    context.report('running', `Skill ${metadata.name}`);
    try {
      const output = await this.#work(skill, context, { params, signal });
      await context.end(stop, {
        status: 'completed',
        description: `Skill ${metadata.name}`,
        finish: this.#finisher(executionId, { status: 'completed', output, error: null }),
      });
      return { ok: true, executionId, output };
    } catch (error) {
      // The execution stays open for a resumed run; a run that ends closes it.
      if (host.signal.aborted || host.passesThrough(error)) throw error;
      const cause = signal.aborted ? signal.reason : error;
      const failure = this.#failure(cause, host);
      const isCancelled = signal.aborted && !stop.signal.aborted;
      const status = isCancelled ? 'cancelled' : 'failed';
      await context.end(stop, {
        status: 'failed',
        description: failure.message,
        finish: this.#finisher(executionId, { status, output: null, error: failure }),
      });
      return { ok: false, executionId, error: failure };
    }
  }

  async #load({ skillId, host, parent }: SkillInvocation): Promise<Skill> {
    const { registry } = this.#parts;
    const id = registry.resolve(skillId);
    const chain = parent?.chain ?? [];
    if (chain.includes(id)) {
      throw new AppError(
        'SKILL_TOO_DEEP',
        `${[...chain, id].join(' → ')}: a skill may not call itself, directly or through another.`,
      );
    }
    if (chain.length >= SKILL_DEPTH) {
      throw new AppError(
        'SKILL_TOO_DEEP',
        `${[...chain, id].join(' → ')}: skills call skills at most ${SKILL_DEPTH} deep.`,
      );
    }
    const skill = await registry.load(id);
    checkRequiredTools(skill.metadata, host.toolNames);
    return skill;
  }

  async #open(invocation: SkillInvocation): Promise<{ skill: Skill; params: JsonObject }> {
    const skill = await this.#load(invocation);
    return { skill, params: this.#input(skill, invocation.params) };
  }

  #input({ metadata }: Skill, given: JsonObject): JsonObject {
    const checked = validateInput(metadata, given);
    if (checked.ok) return checked.params;
    throw new AppError(
      'SKILL_INPUT_INVALID',
      `The parameters do not fit ${metadata.id}: ${checked.problem}`,
      { details: { expectedParameters: metadata.parameters } },
    );
  }

  async #work(
    skill: Skill,
    context: ExecutionContext,
    { params, signal }: { readonly params: JsonObject; readonly signal: AbortSignal },
  ): Promise<JsonObject> {
    this.#langgraph ??= import('../langgraph.ts');
    const langgraph = await this.#langgraph;
    const { metadata } = skill;
    const graph = skill.createGraph(context, langgraph);
    const state = { skillId: metadata.id, inputParams: params, work: {}, output: {} };
    const recursionLimit = metadata.maxIterations + 1;
    const done = outsideGraphs(() => graph.invoke(state, { recursionLimit }));
    const { output } = await untilAborted(done, signal);
    const problem = checkOutput(metadata, output);
    if (problem === null) return output;
    throw new AppError(
      'SKILL_OUTPUT_INVALID',
      `The output of ${metadata.id} does not fit its output schema: ${problem}.`,
    );
  }

  /** Ends an execution that an earlier process left open, where the skill is now gone, switched off or changed. */
  #giveUp({ id, skillId, events }: SkillExecution, failure: SkillFailure, host: SkillHost): void {
    const { executions, clock } = this.#parts;
    const open = new Map<string, string>();
    for (const { name, status, description } of events) {
      if (status !== 'running') open.delete(name);
      else if (!open.has(name)) open.set(name, description);
    }
    const whole = `skill_${skillId}`;
    const ends = [...open].filter(([name]) => name !== whole).reverse();
    const skill = { id: skillId, executionId: id, toolCallId: host.toolCallId };
    const status = 'failed';
    for (const [name, description] of [...ends, [whole, failure.message] as const]) {
      host.persist(() => {
        executions.addEvent(id, { at: clock.now(), name, status, description });
        if (name === whole) this.#finisher(id, { status, output: null, error: failure })();
      });
      host.emit({ type: 'stage', name, status, description, skill });
    }
  }

  /** The write that stores how an execution ended. */
  #finisher(executionId: string, end: UncheckedEnd): () => void {
    const { executions, clock } = this.#parts;
    const { status, output, error } = end;
    const stored = {
      status,
      endedAt: clock.now(),
      output: output as SkillExecution['output'],
      error: error === null ? null : { code: error.code, message: error.message },
    };
    return () => executions.finish(executionId, stored);
  }

  #failure(error: unknown, host: SkillHost): SkillFailure {
    if (host.passesThrough(error)) throw error;
    if (error instanceof AppError) {
      const { expectedParameters } = error.details;
      return {
        code: error.code,
        message: error.message,
        ...(expectedParameters === undefined
          ? {}
          : { expectedParameters: expectedParameters as SkillFailure['expectedParameters'] & {} }),
      };
    }
    const text = error instanceof Error ? error.message : String(error);
    const isLimit = error instanceof Error && error.name === 'GraphRecursionError';
    if (isLimit) {
      return {
        code: 'SKILL_ITERATION_LIMIT',
        message: 'The skill reached its limit of steps before it was done.',
      };
    }
    const isAbort = error instanceof Error && error.name === 'AbortError';
    if (isAbort) return { code: 'CANCELLED', message: 'The skill was cancelled.' };
    return { code: 'SKILL_FAILED', message: `The skill failed: ${text}` };
  }
}

interface UncheckedEnd {
  readonly status: SkillExecution['status'];
  readonly output: JsonObject | null;
  readonly error: SkillFailure | null;
}

function noModule(name: string): Promise<never> {
  return Promise.reject(new AppError('NOT_FOUND', `The app has no Python module ${name} here.`));
}

function ended({ id, status, output, error }: SkillExecution): SkillResult {
  if (status === 'completed' && output !== null) return { ok: true, executionId: id, output };
  const failure = error ?? { code: 'CANCELLED', message: 'The skill was cancelled.' };
  return { ok: false, executionId: id, error: failure as SkillFailure };
}

function timedOut({ metadata: { id, maxExecutionTimeSeconds } }: Skill): AppError {
  return new AppError(
    'SKILL_TIMED_OUT',
    `The skill ${id} ran longer than its limit of ${maxExecutionTimeSeconds} s and was stopped.`,
  );
}

/** The result of `work`; throws the signal's reason on abort. `work` itself must listen to the signal too. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  // After an abort the signal's reason is thrown, and a later failure of `work` is ignored.
  work.catch(() => undefined);
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
