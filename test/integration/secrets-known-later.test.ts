import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { compose } from '#main/compose.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { dataPaths } from '#main/storage/data-paths.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import { type DirectedModel, startDirectedModel } from '../fakes/directed-model.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/** Keys that become known between two starts of the app, and keys that are no secrets. */

const KEY = 'key-entered-later-123';
const PATIENCE = { timeout: 60_000, interval: 50 };
const bash = (code: string) => ({ name: 'execute_code', arguments: { language: 'bash', code } });

afterEach(() => {
  delete process.env.E2B_API_KEY;
});

describe.skipIf(!osSandboxReady)(
  `a key that is entered between two starts ${osSandboxNote}`,
  () => {
    it('lets no effect happen twice', { timeout: 180_000 }, async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-later-'));
      const waits = 'touch here; until [ -e go ]; do sleep 0.1; done';
      const model: DirectedModel = await startDirectedModel(({ results }) =>
        results.length === 0
          ? { calls: [bash(`echo ${KEY} >> out.txt`), bash(waits)] }
          : { content: 'Done.' },
      );
      const make = () =>
        compose({
          ...{
            dataDir,
            entryPoint: 'browser',
            attended: true,
            readOnly: false,
            seal: null,
          },
        });
      let app = await make();
      const { api } = app;
      api['settings.update']({
        changes: { model: { provider: 'ollama', name: 'x' }, ollamaUrl: model.url },
      });
      api['settings.update']({ changes: { sandbox: 'os', snapshotHours: 0 } });
      try {
        const { run } = await app.api['runs.start']({
          ...{ prompt: 'go', attachmentIds: [], options: { approve: 'all', network: 'offline' } },
        });
        const workspace = new HostWorkspace(dataPaths(dataDir).workspace(run.threadId));
        const textOf = (name: string) =>
          workspace.read(name, 1_000).then(
            ({ data }) => data.toString(),
            () => null,
          );
        await expect.poll(() => textOf('here'), PATIENCE).toBe('');
        await app[Symbol.asyncDispose]();
        process.env.E2B_API_KEY = KEY;
        app = await make();
        await workspace.write('go', '');
        // The app goes on by itself, and may be done already.
        const hasEnded = app.runs.get(run.id).endedAt !== null;
        if (!hasEnded && !app.runs.isActive(run.id)) app.api['runs.resume']({ runId: run.id });
        await expect.poll(() => app.runs.get(run.id).endedAt, PATIENCE).not.toBeNull();
        expect([app.runs.get(run.id).status, await textOf('out.txt')]).toEqual([
          'completed',
          `${KEY}\n`,
        ]);
      } finally {
        await app[Symbol.asyncDispose]();
        await model[Symbol.asyncDispose]();
        rmSync(dataDir, { recursive: true, force: true });
      }
    });

    it.each(['terminal', 'assistant', 'workspace', '00000000', '127.0.0.1', 'execute_code'])(
      'that is the word %s leaves the app working',
      { timeout: 120_000 },
      async (key) => {
        process.env.E2B_API_KEY = key;
        const bench = await openAppBench(({ results }) =>
          results.length === 0 ? { calls: [bash('echo the assistant')] } : { content: 'All done.' },
        );
        const { run, answer } = await bench.play('Say hello', { network: 'offline' });
        expect([run.status, answer]).toEqual(['completed', 'All done.']);
      },
    );
  },
);
