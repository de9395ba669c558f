import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConnectorDraft } from '#contract/connectors.ts';
import { markForDeletion } from '#main/user-data/delete-data.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import { startDirectedModel } from '../fakes/directed-model.ts';
import { CALLER, newFolder, openUnder, withoutPolicy } from '../fakes/policed-app.ts';
import { INVALID_POLICY, policyOf } from '../fakes/policies.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/** Ways around a policy that an attack found, each over the whole app. */

const once = { content: 'Done.' };
/** A server that notes what it is asked. */
async function listen(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

describe('servers on this computer', () => {
  it.each([
    [{ modelHosts: ['llm.example.com:11434'] }],
    [{ hosts: { deny: ['127.0.0.1:*'] } }],
    [{ hosts: { deny: ['localhost:*'] } }],
  ])('are not asked for models under %j', async (document) => {
    const { url, asked } = await listen();
    const { app, ask } = await openUnder(policyOf(document));
    app.api['settings.update']({
      changes: { ollamaUrl: url, servers: [{ name: 'mine', baseUrl: `${url}/v1` }] },
    });
    expect(await ask('models.list')).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
  });

  it('are asked where the policy lists other hosts only', async () => {
    const { url, asked } = await listen();
    const { app, ask } = await openUnder(policyOf({ hosts: { allow: ['pypi.org'] } }));
    app.api['settings.update']({ changes: { ollamaUrl: url } });
    await ask('models.list');
    expect(asked).not.toEqual([]);
  });

  it('are not asked for pictures where they are denied', async () => {
    const { url, asked } = await listen();
    const { app, ask } = await openUnder(policyOf({ hosts: { deny: ['127.0.0.1:*'] } }));
    app.api['settings.update']({
      changes: { imageServers: { 'sd-server': url, webui: url, comfyui: url } },
    });
    await ask('images.servers');
    expect(asked).toEqual([]);
  });

  it('do not replace a locked address by a variable or a flag', async () => {
    const { url, asked } = await listen();
    vi.stubEnv('OLLAMA_HOST', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const policy = policyOf({ settings: { ollamaUrl: 'http://127.0.0.1:11434' } });
    const { ask } = await openUnder(policy);
    await ask('models.list');
    expect(asked).toEqual([]);
    await expect(
      openUnder(policy, newFolder(), { modelOverrides: { baseUrl: url } }),
    ).rejects.toMatchObject({ code: 'MANAGED' });
  });
});

it('a locked model answers turns that are made from older ones', async () => {
  const models = ['x', 'other'].map((name) => ({ name, capabilities: ['completion', 'tools'] }));
  await using model = await startDirectedModel(() => once, models);
  const dataDir = newFolder();
  const runId = await withoutPolicy(dataDir, async ({ api, runs }) => {
    api['settings.update']({ changes: { ollamaUrl: model.url, snapshotHours: 0 } });
    const { run } = await api['runs.start']({
      ...{ prompt: 'a', attachmentIds: [] },
      options: { model: { provider: 'ollama', name: 'other' }, network: 'offline' },
    });
    await runs.settled(run.id);
    return run.id;
  });
  expect(model.requests.map((request) => request.model)).toContain('other');
  const asked = model.requests.length;
  const policy = policyOf({ settings: { model: { provider: 'ollama', name: 'x' } } });
  const { app } = await openUnder(policy, dataDir);
  const { run } = await app.api['runs.edit']({ runId, prompt: 'b' });
  await app.runs.settled(run.id);
  const forked = await app.api['runs.fork']({ runId, seq: 1 });
  app.api['runs.resume']({ runId: forked.run.id });
  await app.runs.settled(forked.run.id);
  const later = model.requests.slice(asked).map((request) => request.model);
  expect(later.length).toBeGreaterThan(1);
  expect([...new Set(later)]).toEqual(['x']);
  // The user sees that it is another one than was chosen.
  const stages = app.runs.events(run.id, 0, 1_000).filter(({ type }) => type === 'stage');
  expect(stages).toContainEqual(
    expect.objectContaining({ description: 'The policy of this computer sets: model' }),
  );
  await app[Symbol.asyncDispose]();
});

it('a locked list of hosts is not made longer by a task', async () => {
  const { app } = await openUnder(policyOf({ settings: { egressHosts: ['pypi.org'] } }));
  const options = { allowHosts: ['evil.example.org'], model: { provider: 'ollama', name: 'x' } };
  await expect(
    app.api['runs.start']({ prompt: 'a', attachmentIds: [], options }),
  ).rejects.toMatchObject({ code: 'MANAGED' });
});

it('a model is not downloaded for a list that is locked', async () => {
  const { url, asked } = await listen();
  const { ask } = await openUnder(policyOf({ settings: { embeddedModels: [] } }));
  const wanted = { reference: `${url}/a.gguf` };
  expect(await ask('localModels.download', { wanted })).toMatchObject({
    error: { code: 'MANAGED' },
  });
  expect(asked).toEqual([]);
});

it('the runtime for model files is not installed where its registry is out of reach', async () => {
  const { ask } = await openUnder(policyOf({ hosts: { allow: ['example.com'] } }));
  expect(await ask('localModels.installRuntime')).toMatchObject({ error: { code: 'MANAGED' } });
});

describe.skipIf(!osSandboxReady)(`tasks${osSandboxNote}`, () => {
  it('the user is not asked about a page that nobody may open', async () => {
    const call = { id: 'c', name: 'fetch_page', arguments: { url: 'https://news.example.net/a' } };
    const bench = await openAppBench(
      ({ results }) => (results.length === 0 ? { calls: [call] } : once),
      { network: 'open', policyLevel: 'ask_on_exit' },
      undefined,
      policyOf({ hosts: { allow: ['pypi.org'] } }),
    );
    const run = await bench.start('Read the page', { approve: 'ask', network: 'open' });
    const played = await bench.settled(run.id);
    expect(played.of('interrupt')).toEqual([]);
    expect(played.of('tool_result')[0]?.content).toContain('the policy of this computer');
  });

  it.each([[{}], [{ organization: 'Example Ltd' }], [{ defaults: { fontSize: 16 } }]])(
    'run as ever under %j',
    async (document) => {
      const bench = await openAppBench(() => once, {}, undefined, policyOf(document));
      const played = await bench.play('Say hi');
      expect(played.run.error).toBeNull();
      expect(played.answer).toContain('Done.');
    },
  );
});

describe('an invalid policy', () => {
  it('sends nothing and starts nothing, when it is only looked at', async () => {
    const { url, asked } = await listen();
    const dataDir = newFolder();
    const connectorId = await withoutPolicy(dataDir, async ({ api }) => {
      api['settings.update']({ changes: { ollamaUrl: url, sandbox: 'os' } });
      const draft: ConnectorDraft = {
        ...{ kind: 'program', command: 'sh', args: ['-c', 'sleep 2'], env: {} },
        ...{ folders: [], hosts: [] },
      };
      return (await api['connectors.add']({ name: 'mine', draft })).connector.id;
    });
    const { app, ask } = await openUnder(INVALID_POLICY, dataDir);
    await ask('models.list');
    expect(asked).toEqual([]);
    await ask('connectors.prompt', { connectorId, name: 'p', arguments: {} });
    const { lines } = app.api['connectors.log']({ connectorId });
    expect(lines.map(({ text }) => text).join('\n')).not.toContain('start');
    const { sandboxes, verdict } = await app.api['setup.check']({}, CALLER);
    expect(sandboxes.flatMap(({ probes }) => probes)).toEqual([]);
    expect(verdict.text).toContain('the policy of this computer is invalid');
  });

  it('makes no folder where there is none', async () => {
    const dataDir = join(newFolder(), 'not', 'yet');
    const { app } = await openUnder(INVALID_POLICY, dataDir);
    await app.api['setup.check']({}, CALLER);
    expect(existsSync(join(dataDir, 'sandbox'))).toBe(false);
    expect(existsSync(join(dataDir, 'hyperagent.db'))).toBe(false);
  });

  it.each([
    [
      'data of an earlier version',
      (dataDir: string) => {
        const database = new Database(join(dataDir, 'hyperagent.db'));
        const version = Number(database.pragma('user_version', { simple: true }));
        database.pragma(`user_version = ${version - 1}`);
        database.close();
      },
    ],
    ['a deletion', (dataDir: string) => markForDeletion(dataDir, { keepModels: true })],
  ])('is what is named, not %s that waits', async (_, prepare) => {
    const dataDir = newFolder();
    await withoutPolicy(dataDir, ({ api }) =>
      api['settings.update']({ changes: { fontSize: 15 } }),
    );
    prepare(dataDir);
    await expect(openUnder(INVALID_POLICY, dataDir)).rejects.toMatchObject({
      code: 'POLICY_INVALID',
    });
    expect(existsSync(join(dataDir, 'hyperagent.db'))).toBe(true);
  });
});
