import type { BaseCheckpointSaver } from '@langchain/langgraph';
import type { InterruptBroker } from '../hitl/types.ts';
import type { ChatMessage } from '../models/types.ts';
import type { AnswerStore, CommitStep } from '../storage/types.ts';
import type { KnownTool } from '../tools/prepare-call.ts';
import type { ToolCatalogue } from '../tools/tool-catalogue.ts';
import type { ToolPipeline } from '../tools/tool-pipeline.ts';
import type { SkillRunAgents } from '../tools/types.ts';
import { ExecutorTurn } from './executor-turn.ts';
import type { Agent, AgentContext, AgentOutcome } from './types.ts';

/** What the steps of a piece of work are stored under: its run, and its lane where it is a part of one. */
function checkpointKey({ runId, lane }: Pick<AgentContext, 'runId' | 'lane'>): string {
  return lane === 0 ? runId : `${runId}/${lane}`;
}

export interface ExecutorParts {
  readonly catalogue: ToolCatalogue;
  readonly pipeline: ToolPipeline;
  readonly broker: InterruptBroker;
  /** What skills of a run may use of its models and agents; without it they have none. */
  readonly skillAgents?: (context: AgentContext) => SkillRunAgents;
  /** Where answers are kept while their calls are made. */
  readonly answers: AnswerStore;
  /** Where the steps of runs are kept, so that a run can go on after its process ended. */
  readonly checkpointer: (commit: CommitStep) => Promise<BaseCheckpointSaver>;
}

function only(
  tools: ReadonlyMap<string, KnownTool>,
  names: readonly string[] | undefined,
): ReadonlyMap<string, KnownTool> {
  if (names === undefined) return tools;
  return new Map([...tools].filter(([name]) => names.includes(name)));
}

type Graph = ReturnType<typeof buildGraph>;

interface Loaded {
  readonly graph: Graph;
  readonly checkpointer: BaseCheckpointSaver;
}

/** The agent that does a task or one step of it. LangGraph is loaded on first use, and once. */
export class Executor implements Agent {
  readonly #parts: ExecutorParts;
  /** What is not stored of what is at work in this process, by its key. */
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
    const { catalogue, pipeline, answers } = this.#parts;
    const broker = context.broker ?? this.#parts.broker;
    const skillAgents = this.#parts.skillAgents?.(context) ?? null;
    const byName = only(catalogue.forAgent('executor', context.executionMode), context.toolNames);
    const schemas = [...byName.values()].map((tool) => tool.schema);
    const { maxRounds } = context;
    const key = checkpointKey(context);
    const config = {
      configurable: { thread_id: key },
      // The signal is not given to the graph: it would let go of a task before its effect has ended.
      recursionLimit: maxRounds * 2 + 5,
    };
    this.#turns.set(
      key,
      new ExecutorTurn(messages, context, {
        ...{ pipeline, broker, answers, byName, schemas, skillAgents },
      }),
    );
    try {
      const goesOn = context.resumed && (await checkpointer.getTuple(config)) !== undefined;
      return await graph.invoke(goesOn ? null : { key }, config);
    } finally {
      this.#turns.delete(key);
    }
  }

  async #load(): Promise<Loaded> {
    const turnOf = (key: string): ExecutorTurn => {
      const turn = this.#turns.get(key);
      if (turn === undefined) throw new Error(`Nothing of ${key} is at work`);
      return turn;
    };
    const [langgraph, checkpointer] = await Promise.all([
      import('../langgraph.ts'),
      this.#parts.checkpointer((key, work, { isResult }) =>
        turnOf(key).commitRound(work, isResult),
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
  { entrypoint, task }: typeof import('../langgraph.ts'),
  parts: {
    readonly checkpointer: BaseCheckpointSaver;
    readonly turnOf: (key: string) => ExecutorTurn;
  },
) {
  const { checkpointer, turnOf } = parts;
  const round = task('round', (key: string) => turnOf(key).round());
  return entrypoint(
    { name: 'executor', checkpointer },
    async ({ key }: { key: string }): Promise<AgentOutcome> => {
      const turn = turnOf(key);
      for (;;) {
        const next = turn.take(await round(key));
        await turn.roundStored();
        if (next === 'complete') return turn.complete();
      }
    },
  );
}
