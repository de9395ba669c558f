import type { BaseCheckpointSaver } from '@langchain/langgraph';
import type { InterruptBroker } from '../hitl/types.ts';
import type { ChatMessage } from '../services/llm/types.ts';
import type { AnswerStore, CommitStep } from '../storage/types.ts';
import type { ToolCatalogue } from '../tools/tool-catalogue.ts';
import type { ToolPipeline } from '../tools/tool-pipeline.ts';
import { ExecutorTurn } from './executor-turn.ts';
import type { Agent, AgentContext, AgentOutcome } from './types.ts';

export interface ExecutorParts {
  readonly catalogue: ToolCatalogue;
  readonly pipeline: ToolPipeline;
  readonly broker: InterruptBroker;
  /** Where answers are kept while their calls are made. */
  readonly answers: AnswerStore;
  /** Where the steps of runs are kept, so that a run can go on after its process ended. */
  readonly checkpointer: (commit: CommitStep) => Promise<BaseCheckpointSaver>;
}

type Graph = ReturnType<typeof buildGraph>;

interface Loaded {
  readonly graph: Graph;
  readonly checkpointer: BaseCheckpointSaver;
}

/** The agent that does a task or one step of it. LangGraph is loaded on first use, and once. */
export class Executor implements Agent {
  readonly #parts: ExecutorParts;
  /** What is not stored of runs that are at work in this process, by run. */
  readonly #turns = new Map<string, ExecutorTurn>();
  #loaded: Promise<Loaded> | null = null;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
  }

  /** Begins to load the graph, so that it is there when the model has been opened. */
  warm(): Promise<Loaded> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async run(messages: readonly ChatMessage[], context: AgentContext): Promise<AgentOutcome> {
    const { graph, checkpointer } = await this.warm();
    const { catalogue, pipeline, broker, answers } = this.#parts;
    const byName = catalogue.forAgent('executor', context.executionMode);
    const schemas = [...byName.values()].map((tool) => tool.schema);
    const { runId, maxRounds } = context;
    const config = {
      configurable: { thread_id: runId },
      // The signal is not given to the graph: it would let go of a task before its effect has ended.
      recursionLimit: maxRounds * 2 + 5,
    };
    this.#turns.set(
      runId,
      new ExecutorTurn(messages, context, { pipeline, broker, answers, byName, schemas }),
    );
    try {
      const goesOn = context.resumed && (await checkpointer.getTuple(config)) !== undefined;
      return await graph.invoke(goesOn ? null : { runId }, config);
    } finally {
      this.#turns.delete(runId);
    }
  }

  async #load(): Promise<Loaded> {
    const turnOf = (runId: string): ExecutorTurn => {
      const turn = this.#turns.get(runId);
      if (turn === undefined) throw new Error(`No turn of run ${runId} is at work`);
      return turn;
    };
    const [langgraph, checkpointer] = await Promise.all([
      import('@langchain/langgraph'),
      this.#parts.checkpointer((runId, work, { isResult }) =>
        turnOf(runId).commitRound(work, isResult),
      ),
    ]);
    return { graph: buildGraph(langgraph, { checkpointer, turnOf }), checkpointer };
  }
}

/**
 * reason → act → reason … → complete, with each round as one LangGraph task. Its functional API costs
 * half of what a graph with a node for each costs, and a task for each round half of two
 * (docs/decisions/0004). What a round gave is stored when it is done; a run that goes on takes it from
 * there. Within a round, the answer and each effect are on disk before what follows from them.
 */
function buildGraph(
  { entrypoint, task }: typeof import('@langchain/langgraph'),
  parts: {
    readonly checkpointer: BaseCheckpointSaver;
    readonly turnOf: (runId: string) => ExecutorTurn;
  },
) {
  const { checkpointer, turnOf } = parts;
  const round = task('round', (runId: string) => turnOf(runId).round());
  return entrypoint(
    { name: 'executor', checkpointer },
    async ({ runId }: { runId: string }): Promise<AgentOutcome> => {
      const turn = turnOf(runId);
      for (;;) {
        const next = turn.take(await round(runId));
        await turn.roundStored();
        if (next === 'complete') return turn.complete();
      }
    },
  );
}
