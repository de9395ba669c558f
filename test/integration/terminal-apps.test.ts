import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppBuild } from '#contract/apps.ts';
import type { Run } from '#contract/entities.ts';
import { startAnswering } from '../fakes/model-server/answering.ts';
import type { FakeModelServer } from '../fakes/model-server/server.ts';
import { unpack } from '../main/base/unpack.ts';
import { withBrowserOnPath } from '../setup/browser-on-path.ts';
import { ensureBuilt, runTerminal } from '../setup/built-app.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

const note = osSandboxReady ? chromiumNote : osSandboxNote;

/** An app that a model made, built and downloaded by the built CLI. */
describe.skipIf(!osSandboxReady || chromiumPath === null)(
  `the app of a task, at the terminal${note}`,
  () => {
    let base: string;
    let dataDir: string;
    let server: FakeModelServer | null = null;

    beforeAll(() => ensureBuilt());
    beforeEach(() => {
      // Folders below /tmp are not seen in the sandbox.
      base = realpathSync(mkdtempSync(join(homedir(), '.hyperagent-test-')));
      dataDir = join(base, 'data');
    });
    afterEach(async () => {
      await server?.close();
      server = null;
      rmSync(base, { recursive: true, force: true });
    });

    const terminal = (...args: readonly string[]) =>
      runTerminal([...args, '--data-dir', dataDir], { env: { OLLAMA_HOST: server?.url ?? '' } });
    const made = async (): Promise<string> => {
      const create = { template: 'react', name: 'Habit tracker' };
      server = await startAnswering(dataDir, [
        [{ call: { name: 'create_app_project', arguments: create } }],
        [{ text: 'The app is there.' }],
      ]);
      const flags = ['--model', 'ollama:x', '--sandbox', 'os', '--approve', 'all'];
      await terminal('run', 'Make a web app: a habit tracker', ...flags);
      const [run] = JSON.parse((await terminal('runs', 'list', '--json')).stdout) as Run[];
      return run?.threadId ?? '';
    };

    it('is built, checked and downloaded; a build that fails ends with 1', async () => {
      await withBrowserOnPath();
      const task = await made();
      const project = join(base, 'project.zip');
      const zipped = await terminal('apps', 'zip', task, project);
      expect([zipped.stdout, zipped.code]).toEqual([`Wrote ${project}.\n`, 0]);
      const files = await unpack(project);
      expect([...files.keys()]).toContain('habit-tracker/src/App.tsx');
      expect(files.get('habit-tracker/README.md')?.toString()).toContain('npm install');

      const early = await terminal('apps', 'zip', 'thr_none', join(base, 'none.zip'));
      expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('thr_none')]);

      const built = join(base, 'built.zip');
      const done = await terminal('apps', 'build', task, built);
      expect(done.stdout).toMatch(
        /^Built habit-tracker\/dist: \d+ files, [\d.]+ kB\. It starts, and its page shows no problem\.\nWrote /,
      );
      expect([...(await unpack(built)).keys()]).toContain('index.html');

      const nowhere = await terminal('apps', 'build', task, join(base, 'none', 'built.zip'));
      expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('not one')]);
      const again = await terminal('apps', 'build', task, '--json');
      expect(JSON.parse(again.stdout) as AppBuild).toMatchObject({
        ...{ status: 'completed', folder: 'habit-tracker/dist', problem: null },
      });

      const main = join(dataDir, 'workspaces', task, 'habit-tracker/src/App.tsx');
      writeFileSync(main, 'export default function App() { return lost; }');
      const failed = await terminal('apps', 'build', task, join(base, 'failed.zip'));
      expect([failed.code, failed.stdout]).toEqual([1, '']);
      expect(failed.stderr).toMatch(/^The build failed\. .*error TS2304: Cannot find name 'lost'/s);
      expect(existsSync(join(base, 'failed.zip'))).toBe(false);
    });
  },
);
