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
    // The signal is not given to the graph: it would let go of a task before its effect has ended.
    return graph.invoke(turn, { recursionLimit: context.maxRounds * 2 + 5 });
  }
}

/**
 * reason → act → reason … → complete, as LangGraph tasks. Its functional API costs 1.1 ms a round
 * where a graph with a node for each costs 2.3 (docs/decisions/0004).
 */
async function buildGraph() {
  const { entrypoint, task } = await import('@langchain/langgraph');
  const reason = task('reason', (turn: ExecutorTurn) => turn.reason());
  const act = task('act', (turn: ExecutorTurn) => turn.act());
  return entrypoint('executor', async (turn: ExecutorTurn): Promise<AgentOutcome> => {
    for (;;) {
      await reason(turn);
      const next = turn.next();
      if (next === 'complete') return turn.complete();
      if (next === 'act') await act(turn);
    }
  });
}
