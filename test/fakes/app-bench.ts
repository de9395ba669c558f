import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Run, RunOptions } from '#contract/entities.ts';
import type { RunEvent, RunEventOf, RunEventType } from '#contract/events/run-event.ts';
import type { App } from '#main/compose/app.ts';
import { compose } from '#main/compose.ts';
import type { PolicyState } from '#main/policy/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { dataPaths } from '#main/storage/data-paths.ts';
import {
  type DirectedModelFacts,
  type DirectedReply,
  type DirectedRequest,
  startDirectedModel,
} from './directed-model.ts';

/** A run that came to rest, and all that it said. */
export interface PlayedRun {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  of<Type extends RunEventType>(type: Type): RunEventOf<Type>[];
  /** The final answer; empty where there is none. */
  readonly answer: string;
}

export interface AppBench {
  readonly app: App;
  readonly dataDir: string;
  readonly requests: readonly DirectedRequest[];
  start(
    prompt: string,
    options?: Partial<RunOptions>,
    files?: Readonly<Record<string, Uint8Array>>,
  ): Promise<Run>;
  settled(runId: string): Promise<PlayedRun>;
  play(prompt: string, options?: Partial<RunOptions>): Promise<PlayedRun>;
  /** The task's workspace, as the sandbox of the system has it. */
  workspace(threadId: string): HostWorkspace;
  /** A file of the task's workspace as text; null where there is none. */
  file(threadId: string, path: string): Promise<string | null>;
}

/** The whole app over a data folder of its own, with a model whose answers follow from what it is asked. */
export async function openAppBench(
  direct: (request: DirectedRequest) => DirectedReply | Promise<DirectedReply>,
  settings: Readonly<Record<string, unknown>> = {},
  models?: readonly DirectedModelFacts[],
  policy: PolicyState = { state: 'none' },
): Promise<AppBench> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-bench-'));
  const model = await startDirectedModel(direct, models);
  const app = await compose({
    ...{ dataDir, entryPoint: 'browser', attended: true, readOnly: false },
    ...{ seal: null, policy },
  });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true, force: true });
  });
  app.api['settings.update']({
    changes: {
      model: { provider: 'ollama', name: 'x' },
      ...{ ollamaUrl: model.url, sandbox: 'os', snapshotHours: 0, ...settings },
    },
  });
  const { api, runs } = app;
  const bench: AppBench = {
    ...{ app, dataDir, requests: model.requests },
    start: async (prompt, options = {}, files = {}) => {
      const given = { approve: 'all' as const, ...options };
      const attachmentIds: string[] = [];
      for (const [name, bytes] of Object.entries(files)) {
        const data = Buffer.from(bytes).toString('base64');
        attachmentIds.push((await api['attachments.add']({ name, data })).attachmentId);
      }
      return (await api['runs.start']({ prompt, attachmentIds, options: given })).run;
    },
    settled: async (runId) => {
      const run = await runs.settled(runId);
      const events = runs.events(runId, 0, 100_000);
      const of: PlayedRun['of'] = (type) =>
        events.filter((event): event is RunEventOf<typeof type> => event.type === type);
      return { run, events, of, answer: of('complete')[0]?.answer ?? '' };
    },
    play: async (prompt, options) => bench.settled((await bench.start(prompt, options)).id),
    workspace: (threadId) => new HostWorkspace(dataPaths(dataDir).workspace(threadId)),
    file: async (threadId, path) => {
      try {
        return (await bench.workspace(threadId).read(path, 1_000_000)).data.toString('utf8');
      } catch {
        // There is none.
        return null;
      }
    },
  };
  return bench;
}
