import { MAX_EDITED_STEPS, type PlanStep, type PlanStepState } from '#contract/plans.ts';
import type { AgentContext } from '../agents/types.ts';
import type { Clock } from '../base/clock.ts';
import type { RunJournal } from '../storage/types.ts';
import {
  isOver,
  newPlanState,
  type PlanState,
  readPlanState,
  stepsOfUser,
  toPending,
  toPlanStep,
  withSoundDependencies,
  writePlanState,
} from './plan-state.ts';
import { readTodo, renderTodo, writeTodo } from './todo.ts';

const RESULT_CHARS = 8_000;
const DEPENDS_ON_FAILED = 'It depends on a step that failed.';
const SUMMARY_CHARS = 600;

export interface StepEnd {
  readonly status: 'completed' | 'failed';
  readonly result: string;
  readonly facts: PlanStepState['facts'];
  readonly rounds: number;
  readonly toolCalls: number;
}

export interface StepResult {
  readonly step: PlanStepState;
  readonly result: string;
}

export interface PlanStoreParts {
  readonly context: AgentContext;
  readonly journal: RunJournal;
  readonly clock: Clock;
}

/**
 * The stored plan of one run and its events. Every change is read and written in one transaction with its
 * events, because the user may change the plan at any time.
 */
export class PlanStore {
  readonly #context: AgentContext;
  readonly #journal: RunJournal;
  readonly #clock: Clock;

  constructor({ context, journal, clock }: PlanStoreParts) {
    this.#context = context;
    this.#journal = journal;
    this.#clock = clock;
  }

  /** Null until there is a plan. */
  find(): PlanState | null {
    return readPlanState(this.#journal, this.#context.runId);
  }

  state(): PlanState {
    return requirePlan(this.find());
  }

  change(alter: (state: PlanState) => PlanState): void {
    this.#write((state) => alter(requirePlan(state)));
  }

  /** Stores the first plan, or new steps after the completed ones. `requests`: model requests it took. */
  put(
    steps: readonly PlanStep[],
    {
      reason,
      isFirst,
      requests,
      replans,
    }: {
      readonly reason: string | null;
      readonly isFirst: boolean;
      readonly requests: number;
      readonly replans: number;
    },
  ): void {
    const withNewSteps = (state: PlanState | null): PlanState => {
      if (state === null || isFirst) {
        const first = newPlanState(this.#context.runId, withSoundDependencies(steps));
        return { ...first, rounds: requests, toldRevision: 0, plan: { ...first.plan, replans } };
      }
      const kept = state.plan.steps.filter(({ status }) => status === 'completed');
      const revision = state.plan.revision + 1;
      const planned = [...kept, ...steps.map(toPending)];
      const before = planned.map(({ id }) => id);
      // Steps of the user stay, after everything else, and may use all results before them.
      const userSteps = stepsOfUser(state).map((step, at, all) => {
        const earlier = all.slice(0, at).map(({ id }) => id);
        return { ...step, dependsOn: [...before, ...earlier].slice(-MAX_EDITED_STEPS) };
      });
      const all = withSoundDependencies([...planned, ...userSteps]);
      return {
        ...state,
        judgement: null,
        rounds: state.rounds + requests,
        toldRevision: revision,
        plan: { ...state.plan, steps: all, revision, replans },
      };
    };
    this.#emitOverview(withNewSteps(this.find()), reason);
    this.#write(withNewSteps);
  }

  /** Publishes a plan that is not in the log yet: the user changed it, or an earlier run made it. */
  emitChanges(): void {
    const state = this.state();
    if (state.plan.revision <= state.toldRevision) return;
    const isCarried = state.toldRevision < 0;
    const reason = isCarried ? 'The plan of the previous run.' : 'You changed the plan.';
    this.#emitOverview(state, reason);
    for (const step of isCarried ? state.plan.steps : []) this.#emitCarried(step);
    this.change((now) => ({ ...now, toldRevision: state.plan.revision }));
  }

  /** Marks steps as running. */
  begin(wave: readonly PlanStepState[]): void {
    const fresh = new Set(wave.filter(({ status }) => status === 'pending').map(({ id }) => id));
    for (const { id: stepId, title } of wave.filter(({ id }) => fresh.has(id))) {
      this.#context.emit({ type: 'plan_step', stepId, title, status: 'running' });
    }
    if (fresh.size === 0) return;
    const startedAt = this.#clock.now();
    this.change((state) => {
      const begun = [...new Set([...state.begun, ...fresh])];
      return withSteps({ ...state, begun }, (step) =>
        fresh.has(step.id) ? { ...step, status: 'running', startedAt } : step,
      );
    });
  }

  end(step: PlanStepState, { status, result, facts, rounds, toolCalls }: StepEnd): void {
    const endedAt = this.#clock.now();
    const began = this.state().plan.steps.find(({ id }) => id === step.id)?.startedAt ?? endedAt;
    const summary = result.slice(0, SUMMARY_CHARS);
    this.#emitEnd(step, { status, summary, durationMs: Math.max(0, endedAt - began) });
    this.change((state) => {
      const results = { ...state.results, [step.id]: result.slice(0, RESULT_CHARS) };
      const paid = { rounds: state.rounds + rounds, toolCalls: state.toolCalls + toolCalls };
      return withSteps({ ...state, results, ...paid }, (one) =>
        one.id === step.id ? { ...one, status, summary, facts: [...facts], endedAt } : one,
      );
    });
  }

  /** Skips steps that depend on a failed step. */
  skipBlocked(): void {
    const { steps } = this.state().plan;
    const failed = new Set(steps.filter(({ status }) => status === 'failed').map(({ id }) => id));
    const blocked = steps.filter(({ id, status, dependsOn }) => {
      const isBlocked = status === 'pending' && dependsOn.some((one) => failed.has(one));
      if (isBlocked) failed.add(id);
      return isBlocked;
    });
    this.#skip(blocked, DEPENDS_ON_FAILED);
  }

  /** Skips every step that has not ended. */
  skipRest(why: string): void {
    const { steps } = this.state().plan;
    this.#skip(
      steps.filter(({ status }) => status === 'pending' || status === 'running'),
      why,
    );
  }

  #skip(steps: readonly PlanStepState[], summary: string): void {
    if (steps.length === 0) return;
    for (const step of steps) {
      this.#emitEnd(step, { status: 'skipped', summary, durationMs: 0 });
    }
    const skipped = new Set(steps.map(({ id }) => id));
    this.change((state) =>
      withSteps(state, (step) =>
        skipped.has(step.id) ? { ...step, status: 'skipped', summary } : step,
      ),
    );
  }

  /** The results of finished and failed steps, in order. */
  results(): StepResult[] {
    const { plan, results } = this.state();
    return plan.steps
      .filter((step) => isOver(step) || step.status === 'failed')
      .map((step) => ({ step, result: results[step.id] ?? step.summary }));
  }

  /** Returns the list as it is in the workspace, with edits by others, and then writes the current one. */
  async refreshTodo(): Promise<string> {
    const { steps } = this.state().plan;
    const todo = await readTodo(this.#context.sandbox.workspace, renderTodo(steps));
    await this.writeTodo();
    return todo;
  }

  /** Writes the list to the workspace. Its event was already published with the change behind it. */
  writeTodo(): Promise<void> {
    return writeTodo(this.#context.sandbox.workspace, renderTodo(this.state().plan.steps));
  }

  #emitOverview({ plan }: PlanState, reason: string | null): void {
    const { revision, steps } = plan;
    this.#context.emit({
      ...{ type: 'plan_overview', revision, steps: steps.map(toPlanStep) },
      ...(reason === null ? {} : { reason }),
    });
  }

  /** Publishes what the previous run completed, which is not in this log. */
  #emitCarried(step: PlanStepState): void {
    const { id, status, facts, summary, startedAt, endedAt } = step;
    if (status !== 'completed') return;
    if (facts.length > 0) {
      const verdict = facts.every(({ holds }) => holds) ? 'verified' : 'unverified';
      const verification = { verificationId: `verify ${id}`, stepId: id, verdict, facts } as const;
      this.#context.emit({ type: 'verification', ...verification });
    }
    const durationMs = Math.max(0, (endedAt ?? 0) - (startedAt ?? endedAt ?? 0));
    this.#emitEnd(step, { status, summary, durationMs });
  }

  #emitEnd(
    { id: stepId, title }: PlanStepState,
    end: {
      readonly status: 'completed' | 'failed' | 'skipped';
      readonly summary: string;
      readonly durationMs: number;
    },
  ): void {
    const { emit } = this.#context;
    emit({ type: 'plan_step', stepId, title, status: end.status });
    const { revision } = this.state().plan;
    emit({ type: 'plan_step_completed', revision, stepId, ...end });
  }

  #write(alter: (state: PlanState | null) => PlanState): void {
    const markdown = renderTodo(alter(this.find()).plan.steps);
    this.#context.emit({ type: 'todo_update', markdown });
    this.#context.commit(() => writePlanState(this.#journal, alter(this.find())));
  }
}

function requirePlan(state: PlanState | null): PlanState {
  if (state === null) throw new Error('There is no plan yet');
  return state;
}

function withSteps(state: PlanState, alter: (step: PlanStepState) => PlanStepState): PlanState {
  return { ...state, plan: { ...state.plan, steps: state.plan.steps.map(alter) } };
}

const DONE_CHARS = 1_000;

/** What a completed step gave, for the planner; none for another. */
export function completedResult({ step, result }: StepResult) {
  return step.status === 'completed'
    ? [{ title: step.title, result: result.slice(0, DONE_CHARS) }]
    : [];
}

/** A step and its result as Markdown. */
export function describeResult({ step, result }: StepResult): string {
  return `**${step.title}** (${step.status})\n\n${result}`;
}
