import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ModelRef, Run } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { Settings } from '#contract/settings.ts';
import { Executor, type ExecutorParts } from '#main/agents/executor.ts';
import { Transcript } from '#main/agents/transcript.ts';
import type { Agent } from '#main/agents/types.ts';
import { runRequests } from '#main/api/runs.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { Guards } from '#main/guardrails/guards.ts';
import { parseStoredQuestion } from '#main/hitl/stored-question.ts';
import { createModelService } from '#main/models/model-service.ts';
import { ProfileRegistry } from '#main/models/profiles/profile-registry.ts';
import { PictureDecoder } from '#main/pictures/picture-decoder.ts';
import { PictureStore } from '#main/pictures/picture-store.ts';
import { PolicyLimits } from '#main/policy/limits.ts';
import { createAgentProgram } from '#main/run/agent-program.ts';
import type { RunStep } from '#main/run/fork-run.ts';
import { RunService } from '#main/run/run-service.ts';
import { ThreadSlots } from '#main/run/thread-slots.ts';
import { BlobStore } from '#main/sandbox/snapshots/blob-store.ts';
import { WorkspaceSnapshots } from '#main/sandbox/snapshots/workspace-snapshots.ts';
import type { BackgroundPrograms, SandboxService } from '#main/sandbox/types.ts';
import { UserEdits } from '#main/sandbox/user-edits.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import type { ArtifactStore } from '#main/storage/artifact-store.ts';
import { openStores } from '#main/storage/open-stores.ts';
import type { TaintStore } from '#main/storage/types.ts';
import { DurableToolLedger } from '#main/tools/durable-ledger.ts';
import type { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { ToolPipeline } from '#main/tools/tool-pipeline.ts';
import type { ToolDefinition } from '#main/tools/types.ts';
import { testEgress } from './egress.ts';
import { testGuards } from './fake-guards.ts';
import { knownTools, memoryBroker, memoryRules } from './fake-tools.ts';
import type { FakeModelServer } from './model-server/server.ts';
import { straightTo } from './straight-orchestrator.ts';

export interface ConversationOptions {
  readonly contextWindow: number;
  readonly tools: readonly ToolDefinition[];
  readonly approve?: 'ask' | 'all';
  /** Workspaces and their snapshots, on disk; without them files are nobody's business. */
  readonly withFiles?: boolean;
  readonly guards?: Guards;
  /** Another agent than the executor, over the same parts. */
  readonly agent?: (parts: ExecutorParts) => Agent;
}

export interface Conversation {
  /** One turn of the person, to its end. */
  say(
    prompt: string,
    model: ModelRef,
    files?: readonly string[],
  ): Promise<{ readonly run: Run; readonly events: readonly RunEvent[] }>;
  readonly runs: RunService;
  /** What windows ask of runs, with workspaces that are empty. */
  readonly api: ReturnType<typeof runRequests>;
  /** Pairs of tasks of which the second got the files of the first. */
  readonly copied: readonly (readonly [string, string])[];
  readonly snapshots: WorkspaceSnapshots;
  readonly edits: UserEdits;
  readonly slots: ThreadSlots;
  readonly artifacts: ArtifactStore;
  readonly taints: Pick<TaintStore, 'sources'>;
  workspaceDir(threadId: string): string;
  /** The same for everybody who works in it. */
  workspaceOf(threadId: string): HostWorkspace;
  /** The run that was started last. */
  newestRun(): string;
}

const noPrograms = async (): Promise<BackgroundPrograms> => ({ programs: [], isKnown: true });

const noSandbox = {
  forTask: () => ({
    openNetwork: () => ({ [Symbol.dispose]: () => undefined }),
    workspace: {
      read: () => Promise.reject(new AppError('NOT_FOUND', 'There are no files here.')),
    },
  }),
  beginRun: noPrograms,
  leaveRun: noPrograms,
  warm: () => undefined,
} as unknown as SandboxService;

/**
 * A thread over the real run service, executor, model layer and database, with tools of the test's own
 * and a scripted model server. Whatever is asked is approved. Ends with the test.
 */
export async function openConversation(
  server: FakeModelServer,
  {
    contextWindow,
    tools,
    approve = 'all',
    withFiles = false,
    guards = testGuards(),
    agent = (parts) => new Executor(parts),
  }: ConversationOptions,
): Promise<Conversation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-conversation-'));
  const stores = openStores({
    ...{ dataDir, entryPoint: 'terminal', readOnly: false, seal: null, onSecret: () => undefined },
    ...{ parseQuestion: parseStoredQuestion },
    ...{ clock: systemClock, logger: silentLogger },
  });
  const settings = () => Settings.parse({ contextWindow, ollamaUrl: server.url });
  const known = knownTools(tools);
  const rules = memoryRules();
  const broker = memoryBroker(rules, { interrupts: stores.interrupts });
  const slots = new ThreadSlots();
  const snapshots = new WorkspaceSnapshots({
    ...{ store: stores.snapshots, blobs: new BlobStore(stores.paths.snapshots) },
    ...{ workspaceDir: stores.paths.workspace, settings, clock: systemClock },
    ...{ quiet: async () => undefined, logger: silentLogger },
  });
  const edits = new UserEdits({
    ...{ store: stores.userEdits, snapshots },
    isThere: async (threadId, path) => existsSync(join(stores.paths.workspace(threadId), path)),
  });
  const workspaces = new Map<string, HostWorkspace>();
  const workspaceOf = (threadId: string): HostWorkspace => {
    const known = workspaces.get(threadId);
    const workspace = known ?? new HostWorkspace(stores.paths.workspace(threadId));
    workspaces.set(threadId, workspace);
    return workspace;
  };
  const folders = {
    forTask: (threadId: string) => ({
      openNetwork: () => ({ [Symbol.dispose]: () => undefined }),
      workspace: workspaceOf(threadId),
      runtime: () => Promise.reject(new Error('Nothing runs here')),
    }),
    beginRun: noPrograms,
    leaveRun: noPrograms,
    warm: () => undefined,
  } as unknown as SandboxService;
  const pictures = new PictureStore(stores.paths.pictures, new PictureDecoder(process.cwd()));
  const runs = new RunService({
    stores: stores.runStores,
    slots,
    program: createAgentProgram({
      browsers: { leaveRun: () => undefined },
      broker,
      guards,
      orchestrator: straightTo(
        agent({
          catalogue: { forAgent: () => known } as unknown as ToolCatalogue,
          pipeline: new ToolPipeline({
            guards,
            ledger: new DurableToolLedger(stores.journal),
            standing: { rules: rules.list, level: () => null },
          }),
          checkpointer: stores.checkpointer,
          journal: stores.journal,
        }),
      ),
      models: createModelService({
        settings,
        readSecret: () => null,
        env: {},
        memoryBytes: 16 * 1024 ** 3,
        root: process.cwd(),
      }),
      settings,
      level: () => null,
      egress: testEgress().egress,
      ...(withFiles ? { sandbox: folders, snapshots } : { sandbox: noSandbox }),
      edits,
      pictures,
      transcript: new Transcript(stores.journal),
      summaries: stores.summaries,
      taints: stores.taints,
      journal: stores.journal,
      profiles: new ProfileRegistry(stores.profiles, systemClock),
      systemPrompt: 'You do what is asked, with tools.',
      checkPrompts: { secondOpinion: '', answer: '' },
      today: () => '2026-11-21',
    }),
    importAttachments: async (_threadId, files) =>
      files.map(({ name }) => ({ name, path: name, size: 3 })),
    removeWorkspace: async () => undefined,
    releaseReserve: () => undefined,
    hasOpenQuestions: (runId) => stores.interrupts.openOf(runId).length > 0,
    clock: systemClock,
    logger: silentLogger,
  });
  onTestFinished(async () => {
    await runs.dispose();
    stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  let threadId: string | undefined;
  const approveAll = (events: readonly RunEvent[]): void => {
    for (const event of events) {
      if (event.type !== 'interrupt') continue;
      broker.respond(event.runId, event.interruptId, {
        action: 'approve',
        argumentsSha256: event.argumentsSha256 ?? '',
        always: false,
      });
    }
  };
  const copied: [string, string][] = [];
  const api = runRequests({
    checkSkill: (skill) => skill,
    limits: new PolicyLimits({ state: 'none' }),
    ...{ runs, broker, clock: systemClock, isSecondary: false, settings },
    stores: stores.runStores,
    transcript: new Transcript(stores.journal),
    taints: stores.taints,
    interrupts: stores.interrupts,
    copier: stores.copier,
    journal: stores.journal,
    attachments: { find: () => [], remove: async () => undefined },
    review: () => {
      throw new Error('No arguments are changed in this test');
    },
    copyWorkspace: async (from, to) => void copied.push([from, to]),
    copyPictures: (from, to) => pictures.copyTask(from, to),
    ...(withFiles
      ? { copyFilesAt: (step: RunStep, to: string) => snapshots.copyAt(step, to) }
      : {}),
    removeWorkspace: async () => undefined,
    onNewTask: () => undefined,
  });
  return {
    runs,
    api,
    copied,
    ...{ snapshots, edits, slots, taints: stores.taints, workspaceDir: stores.paths.workspace },
    artifacts: stores.artifacts,
    workspaceOf,
    newestRun: () => stores.runStores.runs.list()[0]?.id ?? '',
    say: async (prompt, model, files = []) => {
      const { run, thread } = await runs.start({
        ...(threadId === undefined ? {} : { threadId }),
        prompt,
        attachments: files.map((name) => ({ name, hostPath: '/dev/null' })),
        options: {
          ...{
            mode: 'task',
            model,
            sandbox: 'auto',
            network: 'offline',
            allowHosts: [],
            executionMode: 'standard',
          },
          ...{ approve, timeoutSeconds: null },
        },
      });
      threadId = thread.id;
      const stop = runs.listen(run.id, approveAll);
      const ended = await runs.settled(run.id);
      stop();
      return { run: ended, events: runs.events(run.id, 0, 500) };
    },
  };
}
