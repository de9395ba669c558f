import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentContext } from '../agents/types.ts';
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
 * Decides by rules whether a task is done directly, by a plan or by research, and sees it through:
 * classify → plan → dispatch_step → verify → finalize, with the way back to a better plan. The graph's
 * edges decide; how far a planned run is, is stored (`PlanState`), so that the graph needs no checkpoints.
 */
export class Orchestrator {
  readonly #parts: OrchestratorParts;
  readonly #runs = new Map<string, OrchestratedRun>();
  #graph: Promise<Graph> | null = null;

  constructor(parts: OrchestratorParts) {
    this.#parts = parts;
  }

  /** Begins to load the graph, so that it is there when the model has been opened. */
  warm(): Promise<Graph> {
    this.#graph ??= this.#load();
    return this.#graph;
  }

  /** Where a task will go; may be asked ahead of its run, while the model's server is waited for. */
  async classify({
    prompt,
    mode,
    attachments,
    skill,
  }: Omit<OrchestratedTask, 'messages' | 'way'>): Promise<Classification> {
    if (skill !== undefined) {
      const reason = `The task was started as the skill "${skill.id}".`;
      return { route: 'simple', agent: 'executor', reason, skill: skill.id };
    }
    return await this.#parts.classify({ prompt, mode, attachments });
  }

  /** Throws what ends the run; what could not be shown is in the outcome. */
  async run(task: OrchestratedTask, context: AgentContext): Promise<OrchestratorOutcome> {
    const graph = await this.warm();
    const { runId } = context;
    const way = task.way ?? (await this.classify(task));
    const run = new OrchestratedRun(task, context, { parts: this.#parts, way });
    this.#runs.set(runId, run);
    try {
      // The signal is not given to the graph: it would let go of a node before its effect has ended.
      await graph.invoke({ runId }, { recursionLimit: STEPS_LIMIT });
      return run.outcome();
    } finally {
      this.#runs.delete(runId);
    }
  }

  async #load(): Promise<Graph> {
    return buildGraph(await import('../langgraph.ts'), (runId) => {
      const run = this.#runs.get(runId);
      if (run === undefined) throw new Error(`Nothing of ${runId} is at work`);
      return run;
    });
  }
}

/** Nodes that one run may pass: far more than its plans have steps. */
const STEPS_LIMIT = 1_000;

/** Each node says which one comes next; that costs less than edges that look at the state. */
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

/** One run on its way through the graph: what each node does. */
class OrchestratedRun {
  readonly #task: OrchestratedTask;
  readonly #context: AgentContext;
  readonly #parts: OrchestratorParts;
  readonly #way: Classification;
  readonly #planned: PlannedRun;
  #direct: DirectRun | null = null;
  #failure: string | null = null;
  #outcome: OrchestratorOutcome | null = null;
  /**
   * Agents have graphs of their own. Run inside a node, LangGraph would take them for parts of this
   * graph; they are run outside of it instead.
   */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(
    task: OrchestratedTask,
    context: AgentContext,
    { parts, way }: { readonly parts: OrchestratorParts; readonly way: Classification },
  ) {
    this.#task = task;
    this.#context = context;
    this.#parts = parts;
    this.#way = way;
    this.#planned = new PlannedRun(task, context, parts);
  }

  outcome(): OrchestratorOutcome {
    if (this.#outcome === null) throw new Error('The run came to no end');
    return this.#outcome;
  }

  async classify(): Promise<NextNode> {
    const way = this.#way;
    // A run that has a plan follows it, also where it went straight to work at first.
    if (this.#planned.isPlanned) return 'plan';
    this.#tellWay(way);
    if (way.route === 'complex') return 'plan';
    this.#direct = new DirectRun(this.#task, this.#context, { parts: this.#parts, way });
    return 'dispatch_step';
  }

  plan(): Promise<NextNode> {
    this.#direct = null;
    return this.#outside(() => this.#planned.plan(this.#failure));
  }

  dispatchStep(): Promise<NextNode> {
    return this.#outside(async () => {
      if (this.#direct === null) return this.#planned.dispatch();
      const { next, failure } = await this.#direct.dispatch();
      if (failure !== null) {
        this.#failure = failure;
        const reason = 'It did not work out directly: the task gets a plan';
        this.#tellWay({ route: 'complex', agent: 'planner', reason, skill: null });
      }
      return next;
    });
  }

  verify(): Promise<NextNode> {
    return this.#outside(() => this.#direct?.verify() ?? this.#planned.verify());
  }

  async finalize(): Promise<void> {
    this.#outcome = await this.#outside(async () =>
      this.#direct === null ? this.#planned.finalize() : this.#direct.finalize(),
    );
  }

  #tellWay({ route, agent, reason }: Classification): void {
    this.#context.emit({ type: 'routing', route, agent, reason });
  }
}
