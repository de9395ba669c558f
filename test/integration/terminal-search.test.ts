import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../fakes/model-server/server.ts';
import { openData } from '../fakes/open-data.ts';
import { startSearchWeb } from '../fakes/search-web.ts';
import { ensureBuilt, eventsOf, runTerminal } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { removeFolder } from '../setup/remove-folder.ts';

/** The built app with a SearXNG server of the person's own, on loopback. */
describe('search at the terminal', () => {
  let dir: string;
  let web: Awaited<ReturnType<typeof startSearchWeb>>;

  beforeAll(async () => {
    ensureBuilt();
    dir = mkdtempSync(join(tmpdir(), 'hyperagent-search-'));
    web = await startSearchWeb();
    web.answers.set('searxng', [
      { url: 'https://a.example/tides', title: 'Tides', snippet: 'High at noon.' },
    ]);
  });

  afterAll(async () => {
    await web[Symbol.asyncDispose]();
    removeFolder(dir);
  });

  const folder = (name: string, changes: Record<string, unknown>): string => {
    const dataDir = join(dir, name);
    const stores = openData(dataDir);
    stores.settings.update(changes);
    stores.close();
    return dataDir;
  };
  const searxngUrl = (): string => `http://127.0.0.1:${web.port}`;

  it('finds, and what left is on the list of connections', async () => {
    const dataDir = folder('asked', { searxngUrl: searxngUrl(), searchProvider: 'searxng' });
    const found = await runTerminal(['search', 'tides', '--json', '--data-dir', dataDir]);
    const list = await runTerminal(['egress', 'list', '--json', '--data-dir', dataDir]);
    const doctor = await runTerminal(['doctor', '--json', '--data-dir', dataDir]);

    expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(found.stdout)).toMatchObject({
      results: [{ url: 'https://a.example/tides', title: 'Tides', provider: 'searxng' }],
      asked: ['searxng'],
    });
    expect(
      list.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { actor: 'search', runId: null, host: '127.0.0.1', port: web.port, verdict: 'allowed' },
    ]);
    const { items } = JSON.parse(doctor.stdout) as { items: { id: string }[] };
    expect(items.find(({ id }) => id === 'search')).toMatchObject({
      status: 'ok',
      detail: 'SearXNG',
    });
  });

  it('with the switch off it sends nothing, and says so', async () => {
    const before = web.requests.length;
    const dataDir = folder('off', { searxngUrl: searxngUrl(), egress: 'offline' });
    const { code, stdout, stderr } = await runTerminal(['search', 'x', '--data-dir', dataDir]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^hyperagent: Nothing could be searched: the network is switched off/);
    expect(web.requests.length).toBe(before);
  });

  it.skipIf(!osSandboxReady)(
    `a run under a list of hosts searches there without asking${osSandboxNote}`,
    async () => {
      const call = { name: 'web_search', arguments: { query: 'high water' } };
      await using server = await startModelServer({
        models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
        turns: [{ steps: [{ call }] }, { steps: [{ text: 'At noon.' }] }],
      });
      const dataDir = folder('run', { searxngUrl: searxngUrl() });
      const { code, stderr, events } = await runTerminal([
        ...['run', 'When is high water?', '--model', 'ollama:x', '--base-url', server.url],
        ...['--json', '--network', 'allowlist', '--data-dir', dataDir, '--sandbox', 'os'],
      ]);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(eventsOf(events(), 'interrupt')).toEqual([]);
      expect(eventsOf(events(), 'tool_result')).toMatchObject([
        { status: 'ok', content: expect.stringContaining('1. Tides\n   https://a.example/tides') },
      ]);
      expect(server.recording.requests.at(-1)?.body).toContain('a.example/tides');
      expect(web.requests.at(-1)?.url).toBe('/search?q=high+water&format=json');
    },
  );
});
