import type { Fact, PlanStepState } from '#contract/plans.ts';
import { planSteps } from '../agents/planner.ts';
import { type AgentContext, ROUNDS_PER_LANE } from '../agents/types.ts';
import { usageEvent } from '../agents/usage-event.ts';
import type { ChatMessage, ModelReply } from '../models/types.ts';
import { DEFAULT_RESULT_CHARS } from '../tools/shorten-result.ts';
import { checkFileClaims } from './evidence/claims.ts';
import { skillFacts } from './evidence/skill-facts.ts';
import { toFact } from './evidence/types.ts';
import { isModelFailure, judgeResults } from './judge.ts';
import { type PlanState, readySteps, stepsOfUser, takenIds } from './plan-state.ts';
import { PlanStore, type StepResult } from './plan-store.ts';
import { finalMessages, stepMessages } from './step-prompt.ts';
import { checkStep, isStepFailure, laneContext, runStep, type StepRun } from './step-runner.ts';
import type {
  NextNode,
  OrchestratedTask,
  OrchestratorOutcome,
  OrchestratorParts,
} from './types.ts';
import { failureOf, isLessThanAsked, notShown, withNotShown } from './unshown.ts';

type OwnShell = ReturnType<AgentContext['sandbox']['lane']>;

const FINAL = 'final';
const NOT_STARTED = 'The plan was not started: nothing was done.';

/** Plans and judgements are no rounds of a conversation: they stand between the lanes. */
const OUTSIDE_ROUNDS = ROUNDS_PER_LANE;

/**
 * A run that follows a plan. How far it is stands in the stored plan alone, which is read before each
 * step: so it goes on where it was after a crash, and does what the person made of the plan meanwhile.
 */
export class PlannedRun {
  readonly #task: OrchestratedTask;
  readonly #context: AgentContext;
  readonly #parts: OrchestratorParts;
  readonly #store: PlanStore;
  /** What the steps of the last wave gave, until it is checked. */
  #wave: readonly StepRun[] = [];
  /** The shells of steps beside the first of a wave, which has the task's own. */
  readonly #shells = new Map<string, OwnShell>();

  constructor(task: OrchestratedTask, context: AgentContext, parts: OrchestratorParts) {
    this.#task = task;
    this.#context = context;
    this.#parts = parts;
    this.#store = new PlanStore({ context, states: parts.states, clock: parts.clock });
  }

  /** Whether there is a plan already: of an earlier life of the run. */
  get isPlanned(): boolean {
    return this.#store.find() !== null;
  }

  /** Makes the plan, or makes it again. `failure`: what went wrong before there was one. */
  async plan(failure: string | null): Promise<NextNode> {
    this.#stopWhereAsked();
    const state = this.#store.find();
    // A run that goes on comes by here, whatever it was at: its plan may have been made again often enough.
    const mayPlan = state === null || (isLessThanAsked(state) && this.#mayReplan(state));
    if (mayPlan) await this.#makePlan(state, failure);
    return (await this.#mayStart()) ? 'dispatch_step' : 'finalize';
  }

  /** Works on the steps that may begin, side by side as far as the settings let it. */
  async dispatch(): Promise<NextNode> {
    this.#stopWhereAsked();
    const store = this.#store;
    store.tellChanges();
    const isBegun = ({ status }: PlanStepState): number => Number(status === 'running');
    const wave = readySteps(store.state())
      .sort((a, b) => isBegun(b) - isBegun(a))
      .slice(0, this.#parts.settings().parallelSteps);
    if (wave.length === 0) return 'verify';
    store.begin(wave);
    const messages = await this.#messagesOf(wave);
    for (const { id } of wave.slice(1)) this.#openShell(id);
    const runs = await this.#together(wave, (step, i) => this.#runStep(step, messages[i] ?? []));
    // Whoever failed was not alone: the others came to their end first.
    for (const run of runs) if (run.status === 'rejected') throw run.reason;
    this.#wave = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
    return 'verify';
  }

  /** Checks what the steps gave, by code first; when none is left, a model judges the whole. */
  async verify(): Promise<NextNode> {
    for (const run of this.#wave) await this.#checkStep(run);
    this.#wave = [];
    for (const shell of this.#shells.values()) await shell[Symbol.asyncDispose]();
    this.#shells.clear();
    const state = this.#store.state();
    const { plan } = state;
    const mayReplan = this.#mayReplan(state);
    const hasFailed = plan.steps.some(({ status }) => status === 'failed');
    if (hasFailed && mayReplan) return 'plan';
    this.#store.skipHopeless();
    this.#store.tellChanges();
    if (readySteps(this.#store.state()).length > 0) return 'dispatch_step';
    if (hasFailed) return 'finalize';
    this.#stopWhereAsked();
    await this.#judge(this.#store.state());
    return mayReplan && isLessThanAsked(this.#store.state()) ? 'plan' : 'finalize';
  }

  #mayReplan({ plan }: PlanState): boolean {
    return plan.replans < this.#parts.settings().maxReplans;
  }

  /** The last words: what came of it, and what was not shown. */
  async finalize(): Promise<OrchestratorOutcome> {
    const state = this.#store.state();
    if (!state.isApproved) return this.#conclude(NOT_STARTED, []);
    const undone = skillFacts(this.#parts, this.#context);
    const missing = [
      ...notShown(state),
      ...undone.map(({ claim, evidence }) => `${claim}. ${evidence}`),
    ];
    const results = this.#store.results();
    const only = results.length === 1 ? results[0] : undefined;
    if (only !== undefined && missing.length === 0) return this.#conclude(only.result, missing);
    const context = laneContext(this.#context, { lane: this.#store.lane(FINAL) });
    try {
      const window = context.model.contextWindow;
      const messages = finalMessages(this.#task.messages, { results, missing }, window);
      const outcome = await this.#parts.executor.run(messages, context);
      const claims = await checkFileClaims(outcome.answer, context.sandbox.workspace);
      const untrue = claims.filter(({ state: held }) => held === 'fails');
      const late = untrue.map(({ claim, evidence }) => `${claim}. ${evidence}`);
      return this.#conclude(outcome.answer, [...missing, ...late], outcome);
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      return this.#conclude(results.map(tell).join('\n\n'), missing);
    }
  }

  /** Between two pieces of work is where a pause or a stop takes effect; what is done is stored. */
  #stopWhereAsked(): void {
    this.#context.signal.throwIfAborted();
    this.#context.pause.throwIfAborted();
  }

  async #makePlan(state: PlanState | null, failure: string | null): Promise<void> {
    const { signal, emit } = this.#context;
    const model = await this.#context.tier('pro');
    const reason = state === null ? failure : failureOf(state);
    const stage = { type: 'stage', name: 'planning', agent: 'planner' } as const;
    const description = reason === null ? 'Making a plan' : 'Making the plan again';
    emit({ ...stage, status: 'running', description });
    let asked = 0;
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
                done: done.flatMap(completed),
                addedByUser: state === null ? [] : stepsOfUser(state).map(({ title }) => title),
                removedByUser: state?.person.dropped ?? [],
              },
      },
      {
        ...{ systemPrompt: this.#parts.prompts.planner, signal, emit },
        onReply: (reply) => {
          asked += 1;
          emit(usageEvent(reply, model, OUTSIDE_ROUNDS));
        },
      },
    );
    const made = reduced ?? `A plan of ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
    emit({ ...stage, status: 'completed', description: made });
    const before = state?.plan.replans ?? 0;
    this.#store.put(steps, {
      ...{ reason: reduced ?? reason, isFirst: state === null, asked },
      // A run that went straight to work first has used one of its times.
      replans: reason === null ? before : before + 1,
    });
  }

  /** Asks the person where the settings say so; once, for the first plan. */
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
    const todo = await this.#store.takeTodo();
    const earlier = this.#store.results().filter(({ step }) => step.status === 'completed');
    return wave.map((step) => {
      const at = steps.findIndex(({ id }) => id === step.id) + 1;
      const material = { step, place: [at, steps.length] as const, earlier, todo };
      return stepMessages(this.#task.messages, material, this.#context.model.contextWindow);
    });
  }

  async #runStep(step: PlanStepState, messages: readonly ChatMessage[]): Promise<StepRun> {
    const lane = { lane: this.#store.lane(step.id), stepId: step.id };
    const isMeasured = step.expectedEvidence.some(({ kind }) => kind === 'figure');
    const context = {
      ...laneContext(this.#contextOf(step), lane),
      // A figure is looked for in all of the output, not in its head and tail alone.
      ...(isMeasured ? { evidenceChars: DEFAULT_RESULT_CHARS } : {}),
    };
    const delegate = this.#parts.delegateFor(context);
    return runStep(this.#parts.executor, messages, { step, context, delegate });
  }

  /**
   * A step that goes on beside another one has a shell of its own over the same files: neither finds the
   * folder, the variables or the programs of the other. It is the same one again after a pause.
   */
  #openShell(stepId: string): void {
    if (this.#shells.has(stepId)) return;
    const name = `lane-${this.#store.lane(stepId)}`;
    this.#shells.set(stepId, this.#context.sandbox.lane(name));
  }

  #contextOf({ id }: PlanStepState): AgentContext {
    const sandbox = this.#shells.get(id);
    return sandbox === undefined ? this.#context : { ...this.#context, sandbox };
  }

  /** Does the work of every step at the same time, and tells of it where there are several. */
  async #together(
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
    const checked = await checkStep(run, this.#contextOf(step));
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
    const { signal, emit } = this.#context;
    const stage = { type: 'stage', name: 'verification' } as const;
    const description = 'Checking the results against the task';
    emit({ ...stage, status: 'running', description });
    let asked = 0;
    const ask = async () => {
      const model = await this.#context.tier('flash');
      const work = { task: this.#task.prompt, results: this.#store.results() };
      const onReply = (reply: ModelReply): void => {
        asked += 1;
        emit(usageEvent(reply, model, OUTSIDE_ROUNDS));
      };
      const options = { systemPrompt: this.#parts.prompts.judge, signal, onReply };
      return judgeResults(model, work, options);
    };
    const judged = await ask().catch((error: unknown) => {
      if (signal.aborted || !isModelFailure(error)) throw error;
      // The steps are done; a judge that cannot be asked is no reason to lose them.
      return null;
    });
    // A judge that gives no clear answer has no say: the facts hold.
    const said =
      judged === null
        ? { isDone: true, missing: '', isClear: false }
        : { ...judged, isClear: true };
    const status = said.isDone ? 'completed' : 'failed';
    emit({ ...stage, status, description: said.missing || description });
    this.#store.change((state) => ({ ...state, judgement: said, rounds: state.rounds + asked }));
  }

  #conclude(
    answer: string,
    missing: readonly string[],
    { rounds, toolCalls }: { readonly rounds: number; readonly toolCalls: number } = NOTHING_MORE,
  ): OrchestratorOutcome {
    const state = this.#store.state();
    const whole = withNotShown(answer, missing, this.#task.prompt);
    const isVerified = missing.length === 0;
    const facts = [...shownFacts(state), ...missing.map(unshownFact)];
    if (state.isApproved && facts.length > 0) {
      const verdict = isVerified ? 'verified' : 'unverified';
      this.#context.emit({ type: 'verification', verificationId: 'answer', facts, verdict });
    }
    this.#context.record([{ role: 'assistant', content: whole }]);
    return {
      outcome: isVerified ? 'completed' : 'unverified',
      answer: whole,
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
const DONE_CHARS = 1_000;
const EARLIER_CHARS = 3_000;

function completed({ step, result }: StepResult) {
  return step.status === 'completed'
    ? [{ title: step.title, result: result.slice(0, DONE_CHARS) }]
    : [];
}

/** What shows that the plan was carried out: facts of its steps, and the judgement of the whole. */
function shownFacts({ plan, judgement }: PlanState): Fact[] {
  const shown = plan.steps.flatMap(({ facts }) => facts.filter(({ holds }) => holds));
  if (judgement?.isClear !== true || !judgement.isDone) return shown;
  const claim = 'A model compared the results with the task';
  return [...shown, { claim, holds: true, evidence: 'It found nothing missing.' }];
}

function unshownFact(claim: string): Fact {
  return { claim, holds: false, evidence: '' };
}

function tell({ step, result }: StepResult): string {
  return `**${step.title}** (${step.status})\n\n${result}`;
}

/** The end of what was said before this turn. */
function earlierTurns(messages: readonly ChatMessage[]): string {
  const said = messages
    .slice(1, -1)
    .flatMap(({ role, content }) =>
      role === 'user' || role === 'assistant' ? [`${role}: ${content.slice(0, DONE_CHARS)}`] : [],
    );
  return said.join('\n').slice(-EARLIER_CHARS);
}
