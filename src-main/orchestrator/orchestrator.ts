import type { AgentContext } from '../agents/types.ts';
import { usageEvent } from '../agents/usage-event.ts';
import { outsideGraphs } from '../base/outside-graphs.ts';
import type { DraftedPlan } from '../tools/definitions/make-plan.ts';
import { DirectRun } from './direct-run.ts';
import { PlannedRun } from './planned-run.ts';
import type { Classification } from './quick-route.ts';
import type {
  NextNode,
  OrchestratedTask,
  OrchestratorOutcome,
  OrchestratorParts,
} from './types.ts';

type Graph = ReturnType<typeof buildGraph>;

/**
 * Decides by rules whether a task runs directly, by a plan or as research, and carries it out. Where the rules
 * are not certain, the executor starts and may still choose, with its first call:
 * classify → plan → dispatch_step → verify → finalize, with an edge back to a better plan. The graph's
 * edges decide. `PlanState` stores the progress of a planned run, so the graph needs no checkpoints.
 */
export class Orchestrator {
  readonly #parts: OrchestratorParts;
  readonly #runs = new Map<string, OrchestratedRun>();
  #graph: Promise<Graph> | null = null;

  constructor(parts: OrchestratorParts) {
    this.#parts = parts;
  }

  /** Starts loading the graph, so that it is ready once the model is open. */
  warm(): Promise<Graph> {
    this.#graph ??= this.#load();
    return this.#graph;
  }

  /** The graph as a Mermaid flowchart, without styles. */
  async draw(): Promise<string> {
    const graph = await (await this.warm()).getGraphAsync();
    return graph.drawMermaid({ withStyles: false });
  }

  /** Picks the route of a task. May be called ahead of the run, while the model is loading. */
  async classify({
    prompt,
    mode,
    attachments,
    skill,
  }: Omit<OrchestratedTask, 'messages' | 'classification'>): Promise<Classification> {
    if (skill !== undefined) {
      const reason = `The task was started as the skill "${skill.id}".`;
      return { route: 'simple', agent: 'executor', reason, skill: skill.id };
    }
    return await this.#parts.classify({ prompt, mode, attachments });
  }

  /** Throws errors that end the run; the outcome lists what could not be verified. */
  async run(task: OrchestratedTask, context: AgentContext): Promise<OrchestratorOutcome> {
    const graph = await this.warm();
    const { runId } = context;
    const classification = task.classification ?? (await this.classify(task));
    const run = new OrchestratedRun(task, context, { parts: this.#parts, classification });
    this.#runs.set(runId, run);
    try {
      // The graph does not get the signal: it would abandon a node whose effect is still running.
      await graph.invoke({ runId }, { recursionLimit: STEPS_LIMIT });
      return run.outcome();
    } finally {
      this.#runs.delete(runId);
    }
  }

  async #load(): Promise<Graph> {
    return buildGraph(await import('../langgraph.ts'), (runId) => {
      const run = this.#runs.get(runId);
      if (run === undefined) throw new Error(`The run ${runId} is not running`);
      return run;
    });
  }
}

const PLANNED_FIRST = 'The model began by making a plan.';

/** Nodes that one run may visit: far more than its plans have steps. */
const STEPS_LIMIT = 1_000;

/** Each node names the next one, which costs less than edges that inspect the state. */
function buildGraph(
  { StateGraph, Annotation, Command, START }: typeof import('../langgraph.ts'),
  runOf: (runId: string) => OrchestratedRun,
) {
  const State = Annotation.Root({ runId: Annotation<string> });
  const node =
    (work: (run: OrchestratedRun) => Promise<NextNode>) =>
    async ({ runId }: typeof State.State) =>
      new Command({ goto: await work(runOf(runId)) });
  return new StateGraph(State)
    .addNode(
      'classify',
      node((run) => run.classify()),
      { ends: ['plan', 'dispatch_step'] },
    )
    .addNode(
      'plan',
      node((run) => run.plan()),
      { ends: ['dispatch_step', 'finalize'] },
    )
    .addNode(
      'dispatch_step',
      node((run) => run.dispatchStep()),
      { ends: ['verify', 'plan'] },
    )
    .addNode(
      'verify',
      node((run) => run.verify()),
      { ends: ['plan', 'dispatch_step', 'finalize'] },
    )
    .addNode('finalize', async ({ runId }) => {
      await runOf(runId).finalize();
      return {};
    })
    .addEdge(START, 'classify')
    .compile({ name: 'orchestrator' });
}

/** One run in the graph: what each node does. */
class OrchestratedRun {
  readonly #task: OrchestratedTask;
  readonly #context: AgentContext;
  readonly #parts: OrchestratorParts;
  readonly #classification: Classification;
  readonly #planned: PlannedRun;
  #direct: DirectRun | null = null;
  #failure: string | null = null;
  #drafted: DraftedPlan | null = null;
  #outcome: OrchestratorOutcome | null = null;

  constructor(
    task: OrchestratedTask,
    context: AgentContext,
    {
      parts,
      classification,
    }: { readonly parts: OrchestratorParts; readonly classification: Classification },
  ) {
    this.#task = task;
    this.#context = context;
    this.#parts = parts;
    this.#classification = classification;
    this.#planned = new PlannedRun(task, context, parts);
  }

  outcome(): OrchestratorOutcome {
    if (this.#outcome === null) throw new Error('The run has no outcome yet');
    return this.#outcome;
  }

  async classify(): Promise<NextNode> {
    // A run that has a plan follows it, even if it started without one.
    if (this.#planned.isPlanned) return 'plan';
    const classification = await outsideGraphs(() => this.#settledRoute());
    this.#emitRouting(classification);
    if (classification.route === 'complex') return 'plan';
    this.#direct = new DirectRun(this.#task, this.#context, { parts: this.#parts, classification });
    return 'dispatch_step';
  }

  /** Where the words leave the route open, a small model may be asked. */
  async #settledRoute(): Promise<Classification> {
    const { flash, prompt } = this.#task;
    if (this.#classification.route !== 'uncertain' || flash === undefined)
      return this.#classification;
    const { runId, signal, emit, persist } = this.#context;
    const { journal, prompts } = this.#parts;
    const { askRoute } = await import('./ask-route.ts');
    const asked = await askRoute(
      {
        ...{ prompt, model: flash, systemPrompt: prompts.route, signal },
        // Not a round of the conversation, so its usage counts for the first one.
        onReply: (reply, model) => emit(usageEvent(reply, model, 1)),
      },
      { journal, runId, persist },
    );
    return asked ?? this.#classification;
  }

  plan(): Promise<NextNode> {
    this.#direct = null;
    return outsideGraphs(() => {
      if (this.#drafted === null) return this.#planned.plan(this.#failure);
      // In one transaction with the plan: a run that resumes in between reads the stored answer again.
      this.#emitRouting({
        route: 'complex',
        agent: 'executor',
        reason: PLANNED_FIRST,
        skill: null,
      });
      return this.#planned.take(this.#drafted);
    });
  }

  dispatchStep(): Promise<NextNode> {
    return outsideGraphs(async () => {
      if (this.#direct === null) return this.#planned.dispatch();
      const { next, failure, drafted } = await this.#direct.dispatch();
      this.#drafted = drafted;
      if (failure !== null) {
        this.#failure = failure;
        const reason = 'The direct attempt failed, so the task gets a plan';
        this.#emitRouting({ route: 'complex', agent: 'planner', reason, skill: null });
      }
      return next;
    });
  }

  verify(): Promise<NextNode> {
    return outsideGraphs(() => this.#direct?.verify() ?? this.#planned.verify());
  }

  async finalize(): Promise<void> {
    this.#outcome = await outsideGraphs(async () =>
      this.#direct === null ? this.#planned.finalize() : this.#direct.finalize(),
    );
  }

  #emitRouting({ route, agent, reason }: Classification): void {
    this.#context.emit({ type: 'routing', route, agent, reason });
  }
}
