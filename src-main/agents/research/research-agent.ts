import type { ResearchDepth } from '#contract/vocabulary.ts';
import { branchStep } from '../../base/step-path.ts';
import type { ChatMessage } from '../../models/types.ts';
import { sketchOf } from '../../research-text/sketch.ts';
import { isChinese } from '../../research-text/terms.ts';
import type { RunJournal } from '../../storage/types.ts';
import type { ToolCatalogue } from '../../tools/tool-catalogue.ts';
import type { ToolPipeline } from '../../tools/tool-pipeline.ts';
import { readUserTurn } from '../context/user-turn.ts';
import { messagePart } from '../transcript.ts';
import type { Agent, AgentContext, AgentOutcome } from '../types.ts';
import { analyze, synthesize } from './analysis.ts';
import { emitCarriedResearch } from './carry-research.ts';
import { DEPTHS, scenarioOf } from './depth.ts';
import { pushSource, storePage } from './read-pages.ts';
import type { ResearchPrompts } from './research-prompts.ts';
import { ResearchSession } from './research-session.ts';
import { PHASES, type Phase, type ResearchState, readResearch } from './research-state.ts';
import { searchLoop } from './search-loop.ts';
import { writeReport } from './write-report.ts';

export interface ResearchParts {
  readonly catalogue: Pick<ToolCatalogue, 'forAgent'>;
  readonly pipeline: ToolPipeline;
  readonly journal: RunJournal;
  readonly prompts: ResearchPrompts;
  /** The depth if the user did not choose one. */
  readonly depth: () => ResearchDepth;
  /** A page that takes longer is skipped, and another one is read instead. */
  readonly pageTimeoutMs: () => number;
}

/** A text that is attached to the question and serves as a source. */
export interface ResearchDocument {
  /** `workspace:/path`. */
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

export interface ResearchOutcome extends AgentOutcome {
  readonly report: {
    readonly title: string;
    readonly markdown: string;
    /** Null if the workspace could not store it. */
    readonly path: string | null;
    readonly sources: readonly {
      readonly index: number;
      readonly url: string;
      readonly title: string;
    }[];
  };
}

type Graph = Awaited<ReturnType<typeof buildGraph>>;

/**
 * Answers a question with a report whose statements cite what was read. The state is stored after each
 * piece of work, so that a resumed run does only what is left. Models answer by schema and never get
 * tools, so that no page can trigger a call.
 */
export class ResearchAgent implements Agent {
  readonly #parts: ResearchParts;
  /** Running sessions of this process, by run and branch. */
  readonly #sessions = new Map<string, ResearchSession>();
  #graph: Promise<Graph> | null = null;

  constructor(parts: ResearchParts) {
    this.#parts = parts;
  }

  /** Takes the last user message as the question. */
  run(messages: readonly ChatMessage[], context: AgentContext): Promise<ResearchOutcome> {
    const last = messages.findLast(({ role }) => role === 'user');
    const question = last === undefined ? '' : (readUserTurn(last) ?? last.content);
    return this.research(question, context);
  }

  /** Researches `question`. `documents` become the first sources. */
  async research(
    question: string,
    context: AgentContext,
    documents: readonly ResearchDocument[] = [],
  ): Promise<ResearchOutcome> {
    this.#graph ??= buildGraph((key) => this.#sessions.get(key));
    const graph = await this.#graph;
    const session = this.#open(question.trim(), context, documents);
    const key = `${context.runId}/${context.branch}`;
    this.#sessions.set(key, session);
    try {
      await graph.invoke({ key }, { recursionLimit: PHASES.length * 2 });
    } finally {
      this.#sessions.delete(key);
    }
    return outcomeOf(session);
  }

  #open(
    question: string,
    context: AgentContext,
    documents: readonly ResearchDocument[],
  ): ResearchSession {
    const { catalogue, pipeline, journal, prompts, pageTimeoutMs } = this.#parts;
    const tools = catalogue.forAgent('research');
    const parts = {
      ...{ journal, pipeline, prompts, tools },
      pageTimeoutMs: pageTimeoutMs(),
    };
    const known = readResearch(journal, context);
    if (known !== null) {
      const session = new ResearchSession(context, parts, known);
      emitCarriedResearch(session);
      return session;
    }
    const { depth, scenario } = context.research ?? { depth: null, scenario: null };
    const session = new ResearchSession(
      context,
      parts,
      newState(question, {
        depth: depth ?? this.#parts.depth(),
        scenario: scenario ?? scenarioOf(question),
      }),
    );
    for (const { url, title, text } of documents) {
      const found = { url, title, snippet: '', foundBy: 'task' };
      pushSource(session, { ...found, read: 'file', sketch: sketchOf(text) });
    }
    session.commit(() => {
      for (const { url, text } of documents) storePage(session, url, { status: 'ok', text });
    });
    return session;
  }
}

function newState(
  question: string,
  { depth, scenario }: Pick<ResearchState, 'depth' | 'scenario'>,
): ResearchState {
  return {
    ...{ phase: 'init_config', question, depth, scenario, access: null },
    language: isChinese(question) ? 'zh' : 'en',
    ...{ subQuestions: [], answered: [], nextQueries: [], rounds: [], sources: [], skipped: [] },
    ...{ openQuestions: [], summary: '', findings: [], synthesis: null, report: null },
    ...{ failedSearches: [], reduced: [], requests: 0, toolCalls: 0, lastRound: 0, isTold: true },
  };
}

function outcomeOf({ state, calls, context }: ResearchSession): ResearchOutcome {
  if (state.report === null) throw new Error('The research ended without a report');
  const { title, markdown, path, unverified } = state.report;
  const report = branchStep(context.branch, 'report');
  context.record(messagePart(report, { role: 'assistant', content: markdown }));
  const sources = state.sources.map(({ index, url, title: name }) => ({ index, url, title: name }));
  return {
    ...{ answer: markdown, rounds: state.requests, toolCalls: state.toolCalls, calls },
    unverified,
    report: { title, markdown, path, sources },
  };
}

type Work = (session: ResearchSession) => Promise<unknown>;

const WORK: Readonly<Record<Exclude<Phase, 'done'>, Work>> = {
  // Question and limits were set when the session was opened.
  init_config: async () => undefined,
  search_loop: searchLoop,
  analyze,
  synthesize,
  write_report: writeReport,
};

function describe(phase: Exclude<Phase, 'done'>, { state }: ResearchSession): string {
  const { pages, rounds } = DEPTHS[state.depth];
  switch (phase) {
    case 'init_config':
      return `Research (${state.depth}, ${state.scenario}): up to ${pages} pages in ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`;
    case 'search_loop':
      return 'Searching and reading';
    case 'analyze':
      return 'Finding what the sources say about each question';
    case 'synthesize':
      return 'Comparing the sources';
    case 'write_report':
      return 'Writing the report';
  }
}

/** Runs one phase unless it is done already. Its completion is stored together with its last events. */
async function runPhase(phase: Exclude<Phase, 'done'>, session: ResearchSession): Promise<void> {
  const { state } = session;
  if (state.phase !== phase) return;
  session.checkPoint();
  session.stage(phase, 'running', describe(phase, session));
  await WORK[phase](session);
  session.stage(phase, 'completed', describe(phase, session));
  state.phase = PHASES[PHASES.indexOf(phase) + 1] ?? 'done';
  session.commit();
}

/**
 * init_config → search_loop → analyze → synthesize → write_report. The graph has no checkpointer, because
 * the state of the research records progress in finer steps than phases.
 */
async function buildGraph(sessionOf: (key: string) => ResearchSession | undefined) {
  const { Annotation, END, START, StateGraph } = await import('../../langgraph.ts');
  const State = Annotation.Root({ key: Annotation<string> });
  const node =
    (phase: Exclude<Phase, 'done'>) =>
    async ({ key }: { readonly key: string }): Promise<{ key: string }> => {
      const session = sessionOf(key);
      if (session === undefined) throw new Error(`No research is running for ${key}`);
      await runPhase(phase, session);
      return { key };
    };
  return new StateGraph(State)
    .addNode('init_config', node('init_config'))
    .addNode('search_loop', node('search_loop'))
    .addNode('analyze', node('analyze'))
    .addNode('synthesize', node('synthesize'))
    .addNode('write_report', node('write_report'))
    .addEdge(START, 'init_config')
    .addEdge('init_config', 'search_loop')
    .addEdge('search_loop', 'analyze')
    .addEdge('analyze', 'synthesize')
    .addEdge('synthesize', 'write_report')
    .addEdge('write_report', END)
    .compile();
}
