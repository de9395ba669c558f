import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ModelRef, type Run, Settings } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { Executor } from '#main/agents/executor.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { InMemoryInterruptBroker } from '#main/hitl/interrupt-broker.ts';
import { createAgentProgram } from '#main/run/agent-program.ts';
import { RunService } from '#main/run/run-service.ts';
import { createModelService } from '#main/services/llm/model-service.ts';
import { ProfileKeeper } from '#main/services/llm/profiles/profile-keeper.ts';
import { parseStoredMessage } from '#main/services/llm/stored-message.ts';
import type { SandboxService } from '#main/services/sandbox/types.ts';
import { openStores } from '#main/storage/open-stores.ts';
import type { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { ToolPipeline } from '#main/tools/tool-pipeline.ts';
import type { ToolDefinition } from '#main/tools/types.ts';
import { knownTools, memoryRules } from './fake-tools.ts';
import type { FakeModelServer } from './model-server/server.ts';

export interface ConversationOptions {
  readonly contextWindow: number;
  readonly tools: readonly ToolDefinition[];
  readonly approve?: 'ask' | 'all';
}

export interface Conversation {
  /** One turn of the person, to its end. */
  say(
    prompt: string,
    model: ModelRef,
    files?: readonly string[],
  ): Promise<{ readonly run: Run; readonly events: readonly RunEvent[] }>;
}

const noSandbox = { forTask: () => ({}), warm: () => undefined } as unknown as SandboxService;

/**
 * A thread over the real run service, executor, model layer and database, with tools of the test's own
 * and a scripted model server. Whatever is asked is approved. Ends with the test.
 */
export async function openConversation(
  server: FakeModelServer,
  { contextWindow, tools, approve = 'all' }: ConversationOptions,
): Promise<Conversation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-conversation-'));
  const stores = openStores({
    ...{ dataDir, door: 'terminal', readOnly: false, seal: null, onSecret: () => undefined },
    ...{ parseMessage: parseStoredMessage, clock: systemClock, logger: silentLogger },
  });
  const settings = () => Settings.parse({ contextWindow, ollamaUrl: server.url });
  const known = knownTools(tools);
  const broker = new InMemoryInterruptBroker({ rules: memoryRules(), attended: true });
  const runs = new RunService({
    stores: stores.runStores,
    program: createAgentProgram({
      agent: new Executor({
        catalogue: { forAgent: () => known } as unknown as ToolCatalogue,
        pipeline: new ToolPipeline({
          ledger: { around: (_call, run) => run() },
          clock: systemClock,
        }),
        broker,
      }),
      models: createModelService({
        settings,
        readSecret: () => null,
        env: {},
        memoryBytes: 16 * 1024 ** 3,
        root: process.cwd(),
      }),
      settings,
      sandbox: noSandbox,
      transcripts: stores.transcripts,
      summaries: stores.summaries,
      profiles: new ProfileKeeper(stores.profiles, systemClock),
      systemPrompt: 'You do what is asked, with tools.',
      today: () => '2026-11-21',
    }),
    importAttachments: async (_threadId, files) =>
      files.map(({ name }) => ({ name, path: name, size: 3 })),
    removeWorkspace: async () => undefined,
    releaseReserve: () => undefined,
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
  return {
    say: async (prompt, model, files = []) => {
      const { run, thread } = await runs.start({
        ...(threadId === undefined ? {} : { threadId }),
        prompt,
        attachments: files.map((name) => ({ name, hostPath: '/dev/null' })),
        options: {
          ...{ mode: 'task', model, sandbox: 'auto', network: 'offline', allowHosts: [] },
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
