import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { Settings } from '#contract/settings.ts';
import type { ApprovalPolicy, NetworkPolicy, ResearchDepth } from '#contract/vocabulary.ts';
import { ResearchAgent } from '#main/agents/research/research-agent.ts';
import { readResearchPrompts } from '#main/agents/research/research-prompts.ts';
import type { AgentContext } from '#main/agents/types.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { RUN_STEP, type StepPath } from '#main/base/step-path.ts';
import { parseStoredQuestion } from '#main/hitl/stored-question.ts';
import type { ChatMessage, ChatModel } from '#main/models/types.ts';
import { DedupeFilter } from '#main/run/dedupe.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { openStores } from '#main/storage/open-stores.ts';
import type { ToolParts } from '#main/tools/define-tool.ts';
import { tool as fetchPageTool } from '#main/tools/definitions/fetch-page.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import type { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { ToolPipeline } from '#main/tools/tool-pipeline.ts';
import { testEgress } from '../../../fakes/egress.ts';
import { testGuards } from '../../../fakes/fake-guards.ts';
import { knownTools, memoryBroker, memoryRules } from '../../../fakes/fake-tools.ts';
import { fitterFor } from '../../../fakes/fitter.ts';
import { fixtureSearchTool } from '../../../fakes/fixture-web/search-tool.ts';
import type { FixtureWeb } from '../../../fakes/fixture-web/server.ts';
import { inlineDocuments } from '../../../fakes/inline-documents.ts';
import { noBrowsers } from '../../../fakes/no-browsers.ts';

export interface ResearchBenchOptions {
  readonly model: ChatModel;
  readonly depth?: ResearchDepth;
  readonly network?: NetworkPolicy;
  readonly approve?: ApprovalPolicy;
  readonly attended?: boolean;
  readonly guardrails?: boolean;
  readonly branch?: StepPath;
  /** None unless given. */
  readonly browsers?: ToolParts['browsers'];
  readonly pageTimeoutMs?: number;
}

/**
 * A research over a fixture web with the real pipeline, guardrails, egress broker, database and
 * workspace. Calling `start` again continues the same run as a new process would.
 */
export function researchBench(web: FixtureWeb, options: ResearchBenchOptions) {
  const {
    model,
    depth = 'standard',
    network = 'open',
    approve = 'ask',
    branch = RUN_STEP,
    browsers = noBrowsers,
    pageTimeoutMs = 10_000,
  } = options;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hyperagent-research-'));
  const stores = openStores({
    ...{ dataDir, entryPoint: 'terminal', readOnly: false, seal: null, onSecret: () => undefined },
    ...{ parseQuestion: parseStoredQuestion },
    ...{ clock: systemClock, logger: silentLogger },
  });
  onTestFinished(() => {
    stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  stores.runStores.threads.insert({ id: 'thr_1', title: 'Research', createdAt: 1 });
  stores.runStores.runs.insert({
    ...{ id: 'run_1', threadId: 'thr_1', status: 'running', prompt: 'x', createdAt: 1 },
    ...{ startedAt: 1, endedAt: null, error: null, origin: null },
    options: {
      ...{ mode: 'research', model: { provider: 'fake', name: 'rule' }, sandbox: 'auto', network },
      ...{ allowHosts: [], approve, timeoutSeconds: null },
    },
  });
  const current = Settings.parse({ egressPrivateHosts: ['127.0.0.1:*'] });
  const { egress } = testEgress({ settings: { current } });
  const guards = testGuards({ guardrails: options.guardrails ?? true });
  const rules = memoryRules();
  const broker = memoryBroker(rules, {
    interrupts: stores.interrupts,
    isAttended: () => options.attended ?? true,
  });
  const tools = knownTools([
    fixtureSearchTool(web.searchUrl),
    fetchPageTool({ library: null, documents: inlineDocuments, browsers }),
  ]);
  const agent = new ResearchAgent({
    catalogue: { forAgent: () => tools } as unknown as ToolCatalogue,
    pipeline: new ToolPipeline({
      ...{ guards, ledger: new DurableToolLedger(stores.journal) },
      standing: { rules: rules.list, level: () => null },
    }),
    ...{ journal: stores.journal, depth: () => depth, pageTimeoutMs: () => pageTimeoutMs },
    prompts: readResearchPrompts(path.resolve('resources/prompts')),
  });
  const dir = path.join(dataDir, 'workspace');
  const workspace = new HostWorkspace(dir);
  const events: RunEventDraft[] = [];
  const recorded: ChatMessage[] = [];
  /** Drops duplicates, as the log of a run does. */
  const filter = new DedupeFilter();
  const open = (more: Partial<AgentContext> = {}) => {
    const abort = new AbortController();
    const taint = new Set<string>();
    const emit = (event: RunEventDraft): void => {
      if (filter.accept(event)) events.push(event);
    };
    const context: AgentContext = {
      ...{ runId: 'run_1', threadId: 'thr_1', approve, executionMode: 'standard', model, emit },
      tier: async () => model,
      vision: async () => model,
      fitter: fitterFor(model, { signal: abort.signal, emit }),
      openFitter: () => fitterFor(model, { signal: abort.signal, emit }),
      ...{ broker, secondOpinion: null },
      sandbox: { workspace } as unknown as TaskSandbox,
      egress: egress.forRun({ runId: 'run_1', threadId: 'thr_1', network, allowHosts: [] }),
      signal: abort.signal,
      pause: new AbortController().signal,
      taint: { sources: () => [...taint], add: (source) => void taint.add(source) },
      persist: (work) => work(),
      commit: (work) => stores.runStores.transaction(work),
      record: ({ messages }) => void recorded.push(...messages),
      ...{ resumed: false, branch, delegate: null, roundsBefore: 0, maxRounds: 100 },
      ...{ repeatsBeforeHint: 3, errorsBeforeReplan: 5, connectorShare: 0.05 },
      ...more,
    };
    return { abort, context };
  };
  const start = (question: string, more: Partial<AgentContext> = {}) =>
    agent.run([{ role: 'user', content: question }], open(more).context);
  return { agent, open, start, stores, broker, events, recorded, dir, egress, workspace };
}

export type ResearchBench = ReturnType<typeof researchBench>;

/** Text of every page that a research stored. */
export function storedTexts({ stores }: Pick<ResearchBench, 'stores'>): string[] {
  return stores.journal.list('run_1', 'page').flatMap(({ payload }) => {
    const { page } = payload as { page: { status: string; text?: string } };
    return page.status === 'ok' && page.text !== undefined ? [page.text] : [];
  });
}

export function ofType<Type extends RunEventDraft['type']>(
  events: readonly RunEventDraft[],
  type: Type,
): Extract<RunEventDraft, { type: Type }>[] {
  return events.filter((event) => event.type === type) as Extract<RunEventDraft, { type: Type }>[];
}
