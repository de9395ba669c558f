import type { BaseCheckpointSaver } from '@langchain/langgraph';
import type { ToolFamily } from '#contract/tools.ts';
import { RUN_STEP } from '../base/step-path.ts';
import type { ChatMessage } from '../models/types.ts';
import type { CommitStep, RunJournal } from '../storage/types.ts';
import type { KnownTool } from '../tools/prepare-call.ts';
import type { ToolCatalogue } from '../tools/tool-catalogue.ts';
import type { ToolPipeline } from '../tools/tool-pipeline.ts';
import type { SkillRunAgents } from '../tools/types.ts';
import { ExecutorTurn } from './executor-turn.ts';
import type { Agent, AgentContext, AgentOutcome } from './types.ts';

/** Under which LangGraph knows a branch of a run. */
function checkpointKey({ runId, branch }: Pick<AgentContext, 'runId' | 'branch'>): string {
  return branch === RUN_STEP ? runId : `${runId}/${branch}`;
}

export interface ExecutorParts {
  readonly catalogue: ToolCatalogue;
  readonly pipeline: ToolPipeline;
  /** The models and agents that skills of a run may use; none if absent. */
  readonly skillAgents?: (context: AgentContext) => SkillRunAgents;
  /** Stores what was done, so that a run can resume after its process ended. */
  readonly journal: RunJournal;
  readonly checkpointer: (commit: CommitStep) => Promise<BaseCheckpointSaver>;
}

function selectTools(
  tools: ReadonlyMap<string, KnownTool>,
  names: readonly string[] | undefined,
): ReadonlyMap<string, KnownTool> {
  if (names === undefined) return tools;
  return new Map([...tools].filter(([name]) => names.includes(name)));
}

type Graph = ReturnType<typeof buildGraph>;

/** What a finished graph returned: its last round; in runs that were parked before, the outcome itself. */
type StoredEnd = number | AgentOutcome;

interface Loaded {
  readonly graph: Graph;
  readonly checkpointer: BaseCheckpointSaver;
}

/** The agent that does a task or one step of it. Loads LangGraph on first use. */
export class Executor implements Agent {
  readonly #parts: ExecutorParts;
  /** The in-memory state of running turns, by checkpoint key. */
  readonly #turns = new Map<string, ExecutorTurn>();
  #loaded: Promise<Loaded> | null = null;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
  }

  /** Starts loading the graph, so that it is ready once the model is open. */
  warm(): Promise<Loaded> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async run(messages: readonly ChatMessage[], context: AgentContext): Promise<AgentOutcome> {
    const { graph, checkpointer } = await this.warm();
    const { catalogue, pipeline, journal } = this.#parts;
    const skillAgents = this.#parts.skillAgents?.(context) ?? null;
    const toolsWith = (loaded: ReadonlySet<ToolFamily>): ReadonlyMap<string, KnownTool> =>
      selectTools(catalogue.forAgent('executor', context.executionMode, loaded), context.toolNames);
    const { maxRounds } = context;
    const key = checkpointKey(context);
    const config = {
      configurable: { thread_id: key },
      // The graph does not get the signal: it would abandon a task whose effect is still running.
      recursionLimit: maxRounds * 2 + 5,
    };
    const tools = { pipeline, journal, toolsWith, skillAgents };
    const turn = new ExecutorTurn(messages, context, tools);
    this.#turns.set(key, turn);
    try {
      const isResumed = context.resumed && (await checkpointer.getTuple(config)) !== undefined;
      const end: StoredEnd = await graph.invoke(isResumed ? null : { key }, config);
      return typeof end === 'number' ? turn.complete(end) : end;
    } finally {
      this.#turns.delete(key);
    }
  }

  async #load(): Promise<Loaded> {
    const turnOf = (key: string): ExecutorTurn => {
      const turn = this.#turns.get(key);
      if (turn === undefined) throw new Error(`No turn is running for ${key}`);
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
 * reason → act → reason … → complete, with each round as one LangGraph task. The functional API costs
 * half as much as a graph with a node for each, and one task per round half as much as two
 * (docs/decisions/0004). A task returns the number of its round, and the graph that of the last one: what a
 * round gave is in the journal, where the answer and each effect are on disk before anything that depends on them.
 */
function buildGraph(
  { entrypoint, task }: typeof import('../langgraph.ts'),
  parts: {
    readonly checkpointer: BaseCheckpointSaver;
    readonly turnOf: (key: string) => ExecutorTurn;
  },
) {
  const { checkpointer, turnOf } = parts;
  const round = task('round', (key: string) => turnOf(key).runRound());
  return entrypoint(
    { name: 'executor', checkpointer },
    async ({ key }: { key: string }): Promise<number> => {
      const turn = turnOf(key);
      for (;;) {
        const { number } = await round(key);
        const next = turn.applyRound(number);
        await turn.roundStored();
        if (next === 'complete') return number;
      }
    },
  );
}
