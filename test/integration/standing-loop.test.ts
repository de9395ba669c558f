import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Run } from '#contract/entities.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import { ensureBuilt, runTerminal } from '../setup/built-app.ts';

beforeAll(() => ensureBuilt());

/** With the app's own limits, in the built CLI. */
it('an app whose main thread stays blocked ends itself, and its run resumes at the next start', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'hyperagent-standing-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const hang = join(dir, 'hang.mjs');
  // Simulates a bug: once the run is running, the thread never returns.
  writeFileSync(
    hang,
    `import { isMainThread } from 'node:worker_threads';
import { existsSync } from 'node:fs';
if (isMainThread) setInterval(function hangsHere() { if (existsSync(${JSON.stringify(join(dir, 'go'))})) for (;;); }, 50).unref();`,
  );
  await using server = await startModelServer({
    models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
    turns: [{ steps: [{ text: 'Half ' }, { stall: true }] }, { steps: [{ text: 'Hello.' }] }],
  });
  const data = ['--base-url', server.url, '--data-dir', join(dir, 'data'), '--json'];
  const running = runTerminal(
    ['run', 'Do it', '--model', 'ollama:x', '--approve', 'all', ...data],
    { env: { NODE_OPTIONS: `--import=${hang}` } },
  );
  const isAsked = (): boolean => server.recording.to('/api/chat').length > 0;
  await expect.poll(isAsked, { timeout: 120_000 }).toBe(true);
  writeFileSync(join(dir, 'go'), '');
  const first = await running;
  expect([first.signal, first.stderr]).toEqual([
    'SIGKILL',
    expect.stringMatching(/was blocked for/),
  ]);
  expect(readFileSync(join(dir, 'data/logs/hyperagent.log'), 'utf8')).toMatch(
    /The main thread is blocked.*hangsHere \(file:.*hang\.mjs/,
  );
  const list = await runTerminal(['runs', 'list', '--json', '--data-dir', join(dir, 'data')]);
  const [run] = JSON.parse(list.stdout) as Run[];
  const second = await runTerminal(['resume', run?.id ?? '', ...data]);
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('"answer":"Hello."')]);
});
