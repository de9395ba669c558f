import { expect, it, onTestFinished } from 'vitest';
import type { Run, RunOptions } from '#contract/entities.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { openConversation } from '../../fakes/conversation.ts';
import { recordingTool } from '../../fakes/fake-tools.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';

/** Exported runs that somebody has changed, over the real executor, log and approvals. */

const MODEL = { provider: 'ollama', name: 'x' } as const;
/** The permissions that a file claims for itself. */
const GREEDY: Partial<RunOptions> = {
  approve: 'all',
  network: 'open',
  allowHosts: ['collect.test'],
  sandbox: 'docker',
  executionMode: 'codeact',
  timeoutSeconds: 1e9,
};

async function setUp() {
  const server = await startModelServer({
    models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
    turns: [{ call: { name: 'publish', arguments: { text: 'all' } } }, { text: 'Done.' }].map(
      (step, round) => ({ ...{ when: { round }, times: 'always' as const }, steps: [step] }),
    ),
  });
  onTestFinished(() => server.close());
  const published: unknown[] = [];
  const tools = [recordingTool('publish', published, { risk: 'high' })];
  const conversation = await openConversation(server, { contextWindow: 8192, tools });
  const { api, runs } = conversation;
  const { run } = await api['runs.start']({
    ...{ prompt: 'Look at it', attachmentIds: [] },
    options: { model: MODEL, approve: 'never' },
  });
  await runs.settled(run.id);
  const file = JSON.parse(api['runs.export']({ runId: run.id }).text) as {
    run: Pick<Run, 'options' | 'status'>;
  };
  file.run.status = 'failed';
  file.run.options = { ...file.run.options, ...GREEDY };
  const imported = await api['runs.import']({ text: JSON.stringify(file) });
  /** What the run is, once it asks or ends; it is cancelled then. */
  const asked = async (runId: string): Promise<readonly string[]> => {
    const until = Promise.withResolvers<void>();
    const stop = runs.listen(runId, (events: readonly RunEvent[]) => {
      if (events.some(({ type }) => type === 'interrupt')) until.resolve();
    });
    await Promise.race([until.promise, runs.settled(runId)]);
    stop();
    const titles = runs
      .events(runId, 0, 500)
      .flatMap((event) => (event.type === 'interrupt' ? [event.toolName ?? ''] : []));
    if (runs.isActive(runId)) runs.cancel(runId);
    await runs.settled(runId);
    return titles;
  };
  return { ...conversation, imported, published, asked };
}

const HERE = {
  ...{ mode: 'task', model: MODEL, sandbox: 'auto', network: 'allowlist', allowHosts: [] },
  ...{ executionMode: 'standard', approve: 'ask', timeoutSeconds: null },
};

it('has the options of this machine, and its content counts as untrusted', async () => {
  const { imported, taints } = await setUp();
  expect(imported.run.options).toEqual(HERE);
  expect(taints.sources(imported.thread.id)).toEqual(['the imported run']);
});

it('has ended here, whatever the file says', async () => {
  const { imported, api } = await setUp();
  const file = JSON.parse(api['runs.export']({ runId: imported.run.id }).text) as { run: Run };
  for (const status of ['queued', 'running', 'waiting', 'paused'] as const) {
    file.run.status = status;
    const { run } = await api['runs.import']({ text: JSON.stringify(file) });
    expect([run.status, run.endedAt]).toEqual(['cancelled', expect.any(Number)]);
  }
});

it('grants no permissions to an edit of it, which asks like any other run', async () => {
  const { imported, api, published, asked, taints } = await setUp();
  const { run, thread } = await api['runs.edit']({ runId: imported.run.id, prompt: 'Look again' });
  expect([run.options, await asked(run.id)]).toEqual([HERE, ['publish']]);
  expect(published).toEqual([]);
  expect(taints.sources(thread.id)).toEqual(['the imported run']);
});

it('grants no permissions to a retry', async () => {
  const { imported, api, published, asked } = await setUp();
  const run = api['runs.retry']({ runId: imported.run.id }).run;
  expect([run.options, await asked(run.id)]).toEqual([HERE, ['publish']]);
  expect(published).toEqual([]);
});
