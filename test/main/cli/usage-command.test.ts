import { expect, it } from 'vitest';
import { showUsage } from '#main/cli/commands/usage.ts';
import { openData } from '../../fakes/open-data.ts';
import { settingsCommand } from '../../fakes/settings-command.ts';

it('prints what models cost, of all tasks and of one', async () => {
  const { dataDir, environment, take } = settingsCommand();
  const stores = openData(dataDir);
  const now = Date.now();
  for (const task of ['old', 'new']) {
    const at = task === 'old' ? now - 40 * 86_400_000 : now;
    stores.runStores.threads.insert({ id: task, title: task, createdAt: at });
    stores.runStores.runs.insert({
      ...{ id: `run-${task}`, threadId: task, status: 'completed', prompt: 'Do it', createdAt: at },
      options: {
        ...{ mode: 'task', model: { provider: 'ollama', name: 'a' }, sandbox: 'auto' },
        ...{ network: 'offline', allowHosts: [], approve: 'ask', timeoutSeconds: null },
      },
      ...{ startedAt: at, endedAt: at, lastSeq: 0, error: null, origin: null },
    });
    stores.runStores.events.append([
      {
        ...{
          type: 'usage',
          runId: `run-${task}`,
          seq: 1,
          at,
          round: 1,
          model: 'ollama:a\u001b[31m',
        },
        ...{ durationMs: 1_500, promptTokens: 200 },
        ...(task === 'old' ? { completionTokens: 20 } : { completionEstimate: 7 }),
      },
    ]);
  }
  stores.close();
  await showUsage({ dataDir }, environment);
  const recent = '200 tokens in, 7 out, 1.5 s, 1 request, 1 of them estimated';
  const printed = take();
  expect(printed).not.toContain('\u001b');
  expect(printed.replaceAll(/ {2}ollama:a\S+ {2}/g, '')).toBe(
    `Last 30 days\n${recent}\n\nAll time\n400 tokens in, 27 out, 3.0 s, 2 requests, 1 of them estimated\n`,
  );
  await showUsage({ dataDir, task: 'old', json: true }, environment);
  expect(JSON.parse(take())).toMatchObject({ all: [{ requests: 1, estimated: 0 }], recent: [] });
  await expect(showUsage({ dataDir, task: 'none' }, environment)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
