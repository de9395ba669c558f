import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { REQUESTS, type RequestName } from '#contract/requests.ts';
import { compose } from '#main/compose.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import { startDirectedModel } from '../fakes/directed-model.ts';
import { CALLER, newFolder, openUnder } from '../fakes/policed-app.ts';
import { INVALID_POLICY, policyOf } from '../fakes/policies.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/** The whole app under a policy of its computer. */

/** Every file of a folder with its content, but for logs, and what SQLite needs to read. */
function contentOf(dir: string): Record<string, string> {
  const files = globSync('**/*', { cwd: dir }).filter(
    (name) => !/^logs|-(?:shm|wal)$/.test(name) && statSync(join(dir, name)).isFile(),
  );
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    ]),
  );
}

describe('settings of a policy', () => {
  const policy = policyOf({
    organization: 'Example Ltd',
    settings: { egress: 'allowlist', policyLevel: 'ask_every_time', sandbox: 'os', maxRounds: 7 },
    defaults: { language: 'en', fontSize: 20 },
  });

  it('hold whatever was stored before, and what was stored holds again without it', async () => {
    const dataDir = newFolder();
    {
      await using app = await compose({
        ...{ dataDir, entryPoint: 'browser', attended: true, readOnly: false, seal: null },
        policy: { state: 'none' },
      });
      app.api['settings.update']({ changes: { maxRounds: 99, fontSize: 15, egress: 'open' } });
    }
    {
      await using app = await compose({
        ...{ dataDir, entryPoint: 'browser', attended: true, readOnly: false, seal: null, policy },
      });
      expect(app.api['settings.get']().settings).toMatchObject({
        ...{ maxRounds: 7, egress: 'allowlist', egressWhenOn: 'allowlist', fontSize: 15 },
        ...{ policyLevel: 'ask_every_time', language: 'en' },
      });
    }
    const { app } = await openUnder({ state: 'none' }, dataDir);
    expect(app.api['settings.get']().settings).toMatchObject({
      ...{ maxRounds: 99, egress: 'open', language: 'system' },
    });
  });

  it('cannot be changed, and nothing else of such a change is stored', async () => {
    const { ask, app } = await openUnder(policy);
    const refused = await ask('settings.update', { changes: { fontSize: 13, maxRounds: 8 } });
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'MANAGED',
        message: 'The setting "maxRounds" cannot be changed: the policy of Example Ltd says so.',
      },
    });
    expect(app.api['settings.get']().settings).toMatchObject({ maxRounds: 7, fontSize: 20 });
    // A default is the user's to change, and a locked one may be sent as it is.
    expect(await ask('settings.update', { changes: { fontSize: 13, maxRounds: 7 } })).toMatchObject(
      {
        ok: true,
        data: { settings: { fontSize: 13, maxRounds: 7 } },
      },
    );
  });

  it('leave the switch of the network, which leads back to what holds', async () => {
    const { ask, app, dataDir } = await openUnder(policy);
    expect(await ask('settings.update', { changes: { egress: 'open' } })).toMatchObject({
      error: { code: 'MANAGED' },
    });
    await ask('settings.update', { changes: { egress: 'offline' } });
    expect(app.api['settings.get']().settings.egress).toBe('offline');
    await app[Symbol.asyncDispose]();
    const again = await openUnder(policy, dataDir);
    expect(again.app.api['settings.get']().settings.egress).toBe('offline');
    const on = { egress: 'allowlist', egressWhenOn: 'allowlist' };
    expect(await again.ask('settings.update', { changes: on })).toMatchObject({ ok: true });
    expect(again.app.api['settings.get']().settings.egress).toBe('allowlist');
  });

  it('are shown with their source', async () => {
    const { ask } = await openUnder(policy);
    expect(await ask('app.info')).toMatchObject({
      data: {
        policy: {
          ...{ state: 'holds', source: '/etc/hyperagent/policy.json', organization: 'Example Ltd' },
          locked: ['egress', 'egressWhenOn', 'maxRounds', 'policyLevel', 'sandbox'],
        },
      },
    });
  });
});

describe.skipIf(!osSandboxReady)(`tasks under a policy${osSandboxNote}`, () => {
  const once = { content: 'Done.' };
  const policy = policyOf({
    settings: { network: 'offline', approve: 'ask', policyLevel: 'ask_every_time' },
    skills: { block: ['deep_research'] },
    connectors: { allow: [] },
    sandboxes: ['os', 'landlock'],
  });

  it('cannot ask for more than it holds', async () => {
    const { app, start } = await openAppBench(() => once, {}, undefined, policy);
    await expect(start('a', { network: 'open', approve: 'ask' })).rejects.toThrow('network access');
    await expect(start('a', { approve: 'all' })).rejects.toThrow('another approval');
    await expect(
      app.api['runs.start']({
        ...{ prompt: 'a', attachmentIds: [], options: {}, level: 'unattended' },
      }),
    ).rejects.toMatchObject({ code: 'MANAGED' });
    const run = await start('a', { approve: 'ask', network: 'offline' });
    expect(() =>
      app.api['threads.setLevel']({ threadId: run.threadId, level: 'ask_on_exit' }),
    ).toThrow('approval level');
    expect(app.api['threads.setLevel']({ threadId: run.threadId, level: null })).toMatchObject({});
  });

  it('have what it holds, although they were started before it was there', async () => {
    const asks = { id: 'c1', name: 'execute_code', arguments: { language: 'python', code: '1' } };
    await using model = await startDirectedModel(({ results }) =>
      results.length === 0 ? { calls: [asks] } : once,
    );
    const dataDir = newFolder();
    const options = { entryPoint: 'browser', attended: true, readOnly: false, seal: null } as const;
    let runId = '';
    {
      await using app = await compose({ ...options, dataDir, policy: { state: 'none' } });
      const changes = { model: { provider: 'ollama', name: 'x' }, ollamaUrl: model.url };
      app.api['settings.update']({ changes: { ...changes, sandbox: 'os', network: 'open' } });
      const { run } = await app.api['runs.start']({
        ...{ prompt: 'a', attachmentIds: [], options: { approve: 'all' } },
      });
      runId = run.id;
      app.api['threads.setLevel']({ threadId: run.threadId, level: 'ask_on_exit' });
      const draft = { kind: 'remote', url: 'http://127.0.0.1:1/mcp', headers: {} } as const;
      await app.api['connectors.add']({ name: 'mine', draft });
      await app.runs.settled(runId);
      expect(app.runs.events(runId, 0, 1_000).map(({ type }) => type)).not.toContain('interrupt');
    }
    const { app, ask } = await openUnder(policy, dataDir);
    const [connector] = app.api['connectors.list']().connectors;
    expect(connector).toMatchObject({ isEnabled: false, state: 'off' });
    expect(connector?.problem).toContain('policy');
    expect(
      await ask('connectors.enable', { connectorId: connector?.id, isEnabled: true }),
    ).toMatchObject({ error: { code: 'MANAGED' } });
    // The same again is asked about: neither the level of the task nor a flag of the run answers.
    const { run } = await app.api['runs.edit']({ runId, prompt: 'b' });
    await vi.waitUntil(() => app.api['runs.waiting']().questions.length > 0, 60_000);
    expect(app.api['runs.waiting']().questions).toMatchObject([{ runId: run.id }]);
    // Before its model server.
    await app[Symbol.asyncDispose]();
  });

  it('do not use skills and connectors that it forbids', async () => {
    const { ask, app } = await openUnder(policy);
    expect(await ask('skills.get', { skillId: 'deep_research' })).toMatchObject({
      data: {
        skill: { summary: { state: 'disabled', problem: expect.stringContaining('policy') } },
      },
    });
    expect(
      await ask('skills.setEnabled', { skillId: 'deep_research', enabled: true }),
    ).toMatchObject({ error: { code: 'MANAGED' } });
    expect(
      await ask('skills.setEnabled', { skillId: 'data_analysis', enabled: true }),
    ).toMatchObject({ ok: true });
    const skill = { id: 'deep_research', params: { topic: 'Tea' } };
    const start = {
      prompt: 'a',
      attachmentIds: [],
      options: { skill, model: { provider: 'demo', name: 'csv' } },
    };
    expect(await ask('runs.start', start)).toMatchObject({
      error: { code: 'MANAGED', message: expect.stringContaining('This skill cannot be used') },
    });
    const draft = { kind: 'remote', url: 'http://127.0.0.1:1/mcp', headers: {} };
    expect(await ask('connectors.add', { name: 'mine', draft })).toMatchObject({
      error: { code: 'MANAGED' },
    });
    expect(app.api['connectors.list']()).toMatchObject({ connectors: [] });
  });

  it('run in the sandboxes that it allows', async () => {
    const { ask } = await openUnder(policyOf({ sandboxes: ['docker'] }));
    const report = await ask('sandbox.status');
    const found = (report as { data: { sandboxes: { kind: string; detail: string }[] } }).data;
    const forbidden = found.sandboxes.filter(({ detail }) => detail.includes('policy'));
    expect(forbidden.map(({ kind }) => kind).sort()).toEqual(
      process.platform === 'linux' ? ['landlock', 'os'] : ['os'],
    );
  });
});

describe('an invalid policy', () => {
  it('refuses every request that changes or starts something, and writes nothing', async () => {
    const dataDir = newFolder();
    {
      await using app = await compose({
        ...{ dataDir, entryPoint: 'browser', attended: true, readOnly: false, seal: null },
        policy: { state: 'none' },
      });
      app.api['settings.update']({ changes: { fontSize: 15 } });
    }
    const before = contentOf(dataDir);
    expect(Object.keys(before).length).toBeGreaterThan(0);
    const { app } = await openUnder(INVALID_POLICY, dataDir);
    const names = Object.keys(REQUESTS) as RequestName[];
    const changing = names.filter((name) => REQUESTS[name].effect === 'once');
    expect(changing.length).toBeGreaterThan(60);
    for (const name of changing) {
      const method = app.api[name] as (...given: unknown[]) => unknown;
      expect(() => method({}, CALLER), name).toThrow('The policy of this computer is invalid');
    }
    expect(app.api['settings.get']().settings.fontSize).toBe(15);
    await app[Symbol.asyncDispose]();
    expect(contentOf(dataDir)).toEqual(before);
  });

  it('makes no data where there is none yet', async () => {
    const { app, dataDir, ask } = await openUnder(INVALID_POLICY);
    expect(await ask('threads.list')).toMatchObject({ ok: true, data: { threads: [] } });
    await app[Symbol.asyncDispose]();
    expect(contentOf(dataDir)).toEqual({});
  });

  it('is shown, with its line', async () => {
    const { ask } = await openUnder(INVALID_POLICY);
    expect(await ask('app.info')).toMatchObject({
      data: { policy: { state: 'invalid', problems: [{ line: 3 }] } },
    });
    expect(await ask('settings.update', { changes: { fontSize: 15 } })).toMatchObject({
      error: {
        code: 'POLICY_INVALID',
        message: expect.stringContaining(
          '/etc/hyperagent/policy.json: line 3: settings.egres: there is no such setting.',
        ),
      },
    });
    expect(await ask('threads.list')).toMatchObject({ ok: true });
  });
});
