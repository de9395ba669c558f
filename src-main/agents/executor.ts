import type { InterruptBroker } from '../hitl/types.ts';
import type { ChatMessage } from '../services/llm/types.ts';
import type { ToolCatalogue } from '../tools/tool-catalogue.ts';
import type { ToolPipeline } from '../tools/tool-pipeline.ts';
import { ExecutorTurn } from './executor-turn.ts';
import type { Agent, AgentContext, AgentOutcome } from './types.ts';

export interface ExecutorParts {
  readonly catalogue: ToolCatalogue;
  readonly pipeline: ToolPipeline;
  readonly broker: InterruptBroker;
}

type Graph = Awaited<ReturnType<typeof buildGraph>>;

/** The agent that does a task or one step of it. LangGraph is loaded on first use, and once. */
export class Executor implements Agent {
  readonly #parts: ExecutorParts;
  #graph: Promise<Graph> | null = null;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
  }

  /** Begins to load the graph, so that it is there when the model has been opened. */
  warm(): Promise<Graph> {
    this.#graph ??= buildGraph();
    return this.#graph;
  }

  async run(messages: readonly ChatMessage[], context: AgentContext): Promise<AgentOutcome> {
    const graph = await this.warm();
    const { catalogue, pipeline, broker } = this.#parts;
    const byName = catalogue.forAgent('executor');
    const schemas = [...byName.values()].map((tool) => tool.schema);
    const turn = new ExecutorTurn(messages, context, { pipeline, broker, byName, schemas });
    // The signal is not given to the graph: it would let go of a node before its effect has ended.
    const { outcome } = await graph.invoke({ turn }, { recursionLimit: context.maxRounds * 2 + 5 });
    return outcome;
  }
}

/** reason → act → reason … → complete. The nodes are the turn's own methods. */
async function buildGraph() {
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph');
  const State = Annotation.Root({
    turn: Annotation<ExecutorTurn>(),
    outcome: Annotation<AgentOutcome>(),
  });
  return new StateGraph(State)
    .addNode('reason', async ({ turn }) => {
      await turn.reason();
      return {};
    })
    .addNode('act', async ({ turn }) => {
      await turn.act();
      return {};
    })
    .addNode('complete', ({ turn }) => ({ outcome: turn.complete() }))
    .addEdge(START, 'reason')
    .addConditionalEdges('reason', ({ turn }) => turn.next(), ['act', 'reason', 'complete'])
    .addEdge('act', 'reason')
    .addEdge('complete', END)
    .compile();
}
