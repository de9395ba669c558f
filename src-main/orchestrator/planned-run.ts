import type { PlanStepState } from '#contract/plans.ts';
import { draftedSteps, planSteps } from '../agents/planner.ts';
import { messagePart, readCalls } from '../agents/transcript.ts';
import type { AgentContext } from '../agents/types.ts';
import { usageEvent } from '../agents/usage-event.ts';
import { withUserInstructions } from '../agents/user-instructions.ts';
import { branchStep, RUN_STEP } from '../base/step-path.ts';
import type { ChatMessage } from '../models/types.ts';
import type { DraftedPlan } from '../tools/definitions/make-plan.ts';
import { DEFAULT_RESULT_CHARS } from '../tools/shorten-result.ts';
import { skillFacts } from './evidence/skill-facts.ts';
import { toFact } from './evidence/types.ts';
import { checkFinalAnswer } from './final-answer.ts';
import { judgeWork, OUTSIDE_ROUNDS } from './judge.ts';
import {
  branchOfStep,
  type PlanState,
  readySteps,
  removedByUser,
  stepsOfUser,
  takenIds,
} from './plan-state.ts';
import { completedResult, describeResult, PlanStore } from './plan-store.ts';
import { earlierTurns, finalMessages, stepMessages } from './step-prompt.ts';
import { branchContext, checkStep, isStepFailure, runStep, type StepRun } from './step-runner.ts';
import type {
  NextNode,
  OrchestratedTask,
  OrchestratorOutcome,
  OrchestratorParts,
} from './types.ts';
import {
  describeFailure,
  fallsShort,
  shownFacts,
  unverifiedClaims,
  unverifiedFact,
  withUnverified,
} from './unverified.ts';

/** The branch that writes the answer from the results of the steps, and that answer itself. */
const FINAL = branchStep(RUN_STEP, 'final');
const PLAN_ANSWER = branchStep(FINAL, 'answer');
const NOT_STARTED = 'The plan was not started, so nothing was done.';

/**
 * A run that follows a plan. Only the stored plan records progress, and it is read before each step. So the
 * run resumes where it was after a crash, and follows changes that the user makes meanwhile.
 */
export class PlannedRun {
  readonly #task: OrchestratedTask;
  readonly #context: AgentContext;
  readonly #parts: OrchestratorParts;
  readonly #store: PlanStore;
  /** The results of the last wave until they are checked. */
  #wave: readonly StepRun[] = [];
  /** Shells of parallel steps; the first step of a wave uses the shell of the task. */
  readonly #shells = new Map<string, ReturnType<AgentContext['sandbox']['shell']>>();

  constructor(task: OrchestratedTask, context: AgentContext, parts: OrchestratorParts) {
    this.#task = task;
    this.#context = context;
    this.#parts = parts;
    this.#store = new PlanStore({ context, journal: parts.journal, clock: parts.clock });
  }

  /** Whether an earlier process of this run made a plan already. */
  get isPlanned(): boolean {
    return this.#store.find() !== null;
  }

  /** Makes or revises the plan. `failure`: what went wrong before there was one. */
  async plan(failure: string | null): Promise<NextNode> {
    this.#throwIfStopped();
    const state = this.#store.find();
    // A resumed run always passes here, even if it has used up its replans.
    if (state !== null && this.#endIfUserStopped()) return 'finalize';
    const mayPlan = state === null || (fallsShort(state) && this.#mayReplan(state));
    if (mayPlan) await this.#makePlan(state, failure);
    return (await this.#mayStart()) ? 'dispatch_step' : 'finalize';
  }

  /** Begins with the plan that the executor's first call made, which was one request. */
  async take(drafted: DraftedPlan): Promise<NextNode> {
    this.#throwIfStopped();
    const steps = draftedSteps(drafted);
    this.#store.put(steps, { reason: null, isFirst: true, requests: 1, replans: 0 });
    return (await this.#mayStart()) ? 'dispatch_step' : 'finalize';
  }

  /** Runs the steps that may start, as many in parallel as the settings allow. */
  async dispatch(): Promise<NextNode> {
    this.#throwIfStopped();
    const store = this.#store;
    store.emitChanges();
    const hasBegun = ({ status }: PlanStepState): number => Number(status === 'running');
    const wave = readySteps(store.state())
      .sort((a, b) => hasBegun(b) - hasBegun(a))
      .slice(0, this.#parts.settings().parallelSteps);
    if (wave.length === 0) return 'verify';
    store.begin(wave);
    const messages = await this.#messagesOf(wave);
    for (const { id } of wave.slice(1)) this.#openShell(id);
    const runs = await this.#runInParallel(wave, (step, i) =>
      this.#runStep(step, messages[i] ?? []),
    );
    // All siblings have finished: now rethrow.
    for (const run of runs) if (run.status === 'rejected') throw run.reason;
    this.#wave = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
    return 'verify';
  }

  /** Checks the results of the steps by code. After the last step, a model judges the whole. */
  async verify(): Promise<NextNode> {
    for (const run of this.#wave) await this.#checkStep(run);
    this.#wave = [];
    for (const shell of this.#shells.values()) await shell[Symbol.asyncDispose]();
    this.#shells.clear();
    if (this.#endIfUserStopped()) return 'finalize';
    const state = this.#store.state();
    const { plan } = state;
    const mayReplan = this.#mayReplan(state);
    const hasFailed = plan.steps.some(({ status }) => status === 'failed');
    if (hasFailed && mayReplan) return 'plan';
    this.#store.skipBlocked();
    this.#store.emitChanges();
    if (readySteps(this.#store.state()).length > 0) return 'dispatch_step';
    if (hasFailed) return 'finalize';
    this.#throwIfStopped();
    await this.#judge(this.#store.state());
    return mayReplan && fallsShort(this.#store.state()) ? 'plan' : 'finalize';
  }

  /** Skips what is left of the plan if the user stopped the run at a checkpoint. */
  #endIfUserStopped(): boolean {
    if (this.#parts.isStopped?.(this.#context) !== true) return false;
    this.#store.skipRest('You stopped the task at a checkpoint.');
    return true;
  }

  #mayReplan({ plan }: PlanState): boolean {
    return plan.replans < this.#parts.settings().maxReplans;
  }

  /** Writes the final answer: the result, and what could not be verified. */
  async finalize(): Promise<OrchestratorOutcome> {
    const state = this.#store.state();
    if (!state.isApproved) return this.#conclude(NOT_STARTED, []);
    const undone = skillFacts(this.#parts, this.#context);
    const missing = [
      ...unverifiedClaims(state),
      ...undone.map(({ claim, evidence }) => `${claim}. ${evidence}`),
    ];
    const results = this.#store.results();
    const only = results.length === 1 ? results[0] : undefined;
    // What is not shown follows the answer, without a model.
    if (only?.step.status === 'completed' && !fallsShort(state) && undone.length === 0) {
      return this.#conclude(only.result, missing);
    }
    const context = branchContext(this.#context, { branch: FINAL });
    try {
      const window = context.model.contextWindow;
      const messages = finalMessages(this.#task.messages, { results, missing }, window);
      const outcome = await this.#parts.executor.run(messages, context);
      const late = await checkFinalAnswer(outcome.answer, {
        ...{ context, results, task: this.#task },
        calls: readCalls(this.#parts.journal, context.runId, FINAL),
        runTests: this.#parts.runTestsAt(context, FINAL),
      });
      return this.#conclude(outcome.answer, [...missing, ...late], outcome);
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      return this.#conclude(results.map(describeResult).join('\n\n'), missing);
    }
  }

  /** Throws if the run was cancelled or paused. Called between steps, when all results are stored. */
  #throwIfStopped(): void {
    this.#context.signal.throwIfAborted();
    this.#context.pause.throwIfAborted();
  }

  async #makePlan(state: PlanState | null, failure: string | null): Promise<void> {
    const { signal, emit } = this.#context;
    const model = await this.#context.tier('pro');
    const reason = state === null ? failure : describeFailure(state);
    const stage = { type: 'stage', name: 'planning', agent: 'planner' } as const;
    const description = reason === null ? 'Making a plan' : 'Revising the plan';
    emit({ ...stage, status: 'running', description });
    let requests = 0;
    const done = state === null ? [] : this.#store.results();
    const { steps, reduced } = await planSteps(
      model,
      {
        task: this.#task.prompt,
        conversation: earlierTurns(this.#task.messages),
        files: await this.#files(),
        tools: this.#parts.tools(),
        takenIds: state === null ? new Set() : takenIds(state),
        revision:
          reason === null
            ? null
            : {
                failure: reason,
                done: done.flatMap(completedResult),
                addedByUser: state === null ? [] : stepsOfUser(state).map(({ title }) => title),
                removedByUser: state === null ? [] : removedByUser(state),
              },
      },
      {
        systemPrompt: withUserInstructions(this.#parts.prompts.planner, this.#context.instructions),
        ...{ signal, emit },
        onReply: (reply) => {
          requests += 1;
          emit(usageEvent(reply, model, OUTSIDE_ROUNDS));
        },
      },
    );
    const summary = reduced ?? `A plan of ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
    emit({ ...stage, status: 'completed', description: summary });
    const before = state?.plan.replans ?? 0;
    this.#store.put(steps, {
      ...{ reason: reduced ?? reason, isFirst: state === null, requests },
      // A failed direct attempt counts as one replan.
      replans: reason === null ? before : before + 1,
    });
  }

  /** Asks the user to approve the first plan if the settings say so. */
  async #mayStart(): Promise<boolean> {
    const { plan, isApproved } = this.#store.state();
    if (isApproved) return true;
    const asks = this.#parts.settings().planReview === 'ask' && this.#context.approve === 'ask';
    if (asks) {
      const titles = plan.steps.map(({ title }) => title);
      if (!(await this.#parts.askToStart(titles, this.#context))) return false;
    }
    this.#store.change((state) => ({ ...state, isApproved: true }));
    return true;
  }

  /** The conversation of each step of a wave, with the list in the workspace as it is now. */
  async #messagesOf(wave: readonly PlanStepState[]): Promise<(readonly ChatMessage[])[]> {
    const { steps } = this.#store.state().plan;
    const todo = await this.#store.refreshTodo();
    const earlier = this.#store.results().filter(({ step }) => step.status === 'completed');
    return wave.map((step) => {
      const at = steps.findIndex(({ id }) => id === step.id) + 1;
      const material = { step, place: [at, steps.length] as const, earlier, todo };
      return stepMessages(this.#task.messages, material, this.#context.model.contextWindow);
    });
  }

  async #runStep(step: PlanStepState, messages: readonly ChatMessage[]): Promise<StepRun> {
    const branch = { branch: branchOfStep(step.id), stepId: step.id };
    const isMeasured = step.expectedEvidence.some(({ kind }) => /^(?:figure|page)$/.test(kind));
    const context = {
      ...branchContext(this.#contextOf(step), branch),
      // Figures and words of pages are searched in the whole output, not only in its head and tail.
      ...(isMeasured ? { evidenceChars: DEFAULT_RESULT_CHARS } : {}),
    };
    const delegate = this.#parts.delegateFor(context);
    return runStep(this.#parts.executor, messages, { step, context, delegate });
  }

  /**
   * Gives a parallel step its own shell over the same files, so that steps do not share working directory,
   * variables or processes. After a pause, it gets the same shell again.
   */
  #openShell(stepId: string): void {
    if (this.#shells.has(stepId)) return;
    this.#shells.set(stepId, this.#context.sandbox.shell(branchOfStep(stepId)));
  }

  #contextOf({ id }: PlanStepState): AgentContext {
    const sandbox = this.#shells.get(id);
    return sandbox === undefined ? this.#context : { ...this.#context, sandbox };
  }

  /** Runs all steps at the same time. Publishes a parallel group if there are several. */
  async #runInParallel(
    wave: readonly PlanStepState[],
    work: (step: PlanStepState, i: number) => Promise<StepRun>,
  ): Promise<PromiseSettledResult<StepRun>[]> {
    if (wave.length === 1) return Promise.allSettled(wave.map(work));
    const { emit } = this.#context;
    const taskIds = wave.map(({ id }) => id);
    const groupId = `steps ${taskIds.join(' ')}`;
    const title = `${wave.length} steps at the same time`;
    emit({ type: 'parallel_start', groupId, title, taskIds });
    const runs = await Promise.allSettled(
      wave.map(async (step, i) => {
        const task = {
          type: 'parallel_task',
          groupId,
          taskId: step.id,
          title: step.title,
        } as const;
        emit({ ...task, status: 'running' });
        const run = await work(step, i);
        emit({ ...task, status: run.outcome === null ? 'failed' : 'completed' });
        return run;
      }),
    );
    if (runs.every(({ status }) => status === 'fulfilled')) {
      const failed = runs.filter((run) => run.status === 'fulfilled' && run.value.outcome === null);
      const completed = wave.length - failed.length;
      emit({ type: 'parallel_complete', groupId, completed, failed: failed.length });
    }
    return runs;
  }

  async #checkStep(run: StepRun): Promise<void> {
    const { step, outcome, problem } = run;
    const { runId } = this.#context;
    const earlierCalls = readCalls(this.#parts.journal, runId, branchOfStep(step.id));
    const branch = branchOfStep(step.id);
    const context = branchContext(this.#contextOf(step), { branch, stepId: step.id });
    const runTests = this.#parts.runTestsAt(context, branch);
    const { prompt } = this.#task;
    const checked = await checkStep(run, { context, earlierCalls, prompt, runTests });
    const facts = checked.map(toFact);
    const hasFailed = checked.some(({ state }) => state === 'fails');
    if (facts.length > 0) {
      const isUnclear = checked.some(({ state }) => state === 'unknown');
      const verdict = hasFailed ? 'failed' : isUnclear ? 'unverified' : 'verified';
      const verificationId = `verify ${step.id}`;
      this.#context.emit({ type: 'verification', verificationId, stepId: step.id, verdict, facts });
    }
    this.#store.end(step, {
      status: hasFailed ? 'failed' : 'completed',
      result: outcome?.answer ?? problem,
      facts,
      rounds: outcome?.rounds ?? 0,
      toolCalls: outcome?.toolCalls ?? 0,
    });
    await this.#store.writeTodo();
  }

  async #judge({ judgement }: PlanState): Promise<void> {
    if (judgement !== null) return;
    const work = { task: this.#task.prompt, results: this.#store.results() };
    const judged = await judgeWork(work, this.#context, this.#parts.prompts.judge);
    this.#store.change((state) => ({
      ...state,
      judgement: judged.judgement,
      rounds: state.rounds + judged.requests,
    }));
  }

  #conclude(
    answer: string,
    missing: readonly string[],
    { rounds, toolCalls }: { readonly rounds: number; readonly toolCalls: number } = NOTHING_MORE,
  ): OrchestratorOutcome {
    const state = this.#store.state();
    const fullAnswer = withUnverified(answer, missing, this.#task.prompt);
    const isVerified = missing.length === 0;
    const facts = [...shownFacts(state), ...missing.map(unverifiedFact)];
    if (state.isApproved && facts.length > 0) {
      const verdict = isVerified ? 'verified' : 'unverified';
      this.#context.emit({ type: 'verification', verificationId: 'answer', facts, verdict });
    }
    this.#context.record(messagePart(PLAN_ANSWER, { role: 'assistant', content: fullAnswer }));
    return {
      outcome: isVerified ? 'completed' : 'unverified',
      answer: fullAnswer,
      rounds: state.rounds + rounds,
      toolCalls: state.toolCalls + toolCalls,
    };
  }

  async #files(): Promise<string[]> {
    const { entries } = await this.#context.sandbox.workspace.list('', { recursive: true });
    return entries
      .filter(({ kind, path }) => kind === 'file' && !path.startsWith('.'))
      .slice(0, LISTED_FILES)
      .map(({ path }) => path);
  }
}

const NOTHING_MORE = { rounds: 0, toolCalls: 0 };
const LISTED_FILES = 50;
