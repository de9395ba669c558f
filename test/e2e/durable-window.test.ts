import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WireStepInput } from '../fakes/model-server/options.ts';
import { type FakeModelServer, startModelServer } from '../fakes/model-server/server.ts';
import { openData } from '../fakes/open-data.ts';
import { CLI, ensureBuilt } from '../setup/built-app.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { useChromium } from '../setup/use-window.ts';

const ready = chromiumPath !== null && osSandboxReady;

/** The names of the requests that the window of `page` has had answers to. */
function answersTo(page: Page): ReadonlySet<string> {
  const answered = new Set<string>();
  const asked = new Map<number, string>();
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const { id, name } = JSON.parse(String(payload)) as { id: number; name: string };
      asked.set(id, name);
    });
    socket.on('framereceived', ({ payload }) => {
      const name = asked.get((JSON.parse(String(payload)) as { id?: number }).id ?? 0);
      if (name !== undefined) answered.add(name);
    });
  });
  return answered;
}

/** The built web UI, killed and started again under the eyes of its windows. */
describe.skipIf(!ready)(
  `runs that outlive the app, in a browser${chromiumNote}${osSandboxNote}`,
  () => {
    let dataDir: string;
    let server: FakeModelServer;
    let app: ChildProcess;
    const chromium = useChromium();
    let page: Page;
    let answered: ReadonlySet<string>;

    beforeAll(ensureBuilt);
    beforeEach(() => {
      dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-window-runs-'));
    });
    afterEach(async () => {
      for (const context of chromium.browser.contexts()) await context.close();
      await end('SIGINT');
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
    });

    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (app.exitCode !== null || app.signalCode !== null) return;
      const gone = new Promise((resolve) => app.once('exit', resolve));
      app.kill(signal);
      await gone;
    };
    const serve = async (): Promise<string> => {
      app = spawn(process.execPath, [CLI, 'serve', '--no-open', '--data-dir', dataDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      for await (const chunk of app.stdout ?? []) {
        output += String(chunk);
        const url = /http:\/\/\S+#token=\S+/.exec(output)?.[0];
        if (url !== undefined) return url;
      }
      throw new Error(`The app did not start: ${output}`);
    };
    const call = (name: string, args: object): WireStepInput => ({
      call: { name, arguments: { ...args } },
    });
    const open = async (...answers: readonly WireStepInput[][]): Promise<string> => {
      server = await startModelServer({
        models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
        turns: answers.map((steps, round) => ({ when: { round }, times: 'always', steps })),
      });
      const stores = openData(dataDir);
      const model = { provider: 'ollama', name: 'x' };
      stores.settings.update({ ollamaUrl: server.url, model, checkupSeen: true, sandbox: 'os' });
      stores.close();
      const url = await serve();
      page = await chromium.browser.newPage({ viewport: { width: 1440, height: 900 } });
      answered = answersTo(page);
      await page.goto(url);
      return url;
    };
    const send = async (text: string): Promise<void> => {
      const composer = page.getByRole('textbox', { name: 'Message' });
      await composer.fill(text);
      await composer.press('Enter');
    };
    const logOf = (name: string): string => {
      const [threadId] = page.url().split('/').slice(-1);
      const path = join(dataDir, 'workspaces', threadId ?? '', name);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const COMMAND = call('shell_command', { command: 'echo once >> log.txt' });

    it('asks the same after kill -9, in two windows, and takes one answer', async () => {
      await open([COMMAND], [{ text: 'It is done.' }]);
      await send('Do it');
      await page.getByRole('region', { name: 'Run this command?' }).waitFor();
      const task = new URL(page.url()).hash;
      await end('SIGKILL');
      await page.getByText('Connection lost.').waitFor();
      const url = await serve();
      const [first, second] = [await chromium.browser.newPage(), await chromium.browser.newPage()];
      for (const window of [first, second]) {
        await window.goto(url);
        await window.getByRole('button', { name: 'Do it' }).first().click();
        await window.getByRole('region', { name: 'Run this command?' }).waitFor();
        expect(await window.title()).toContain('(1) Waiting for you');
      }
      expect(new URL(first.url()).hash).toBe(task);
      await first.getByRole('button', { name: 'Approve once' }).click();
      for (const window of [first, second]) {
        await window.getByText('It is done.').waitFor();
        expect(await window.getByRole('region', { name: 'Run this command?' }).count()).toBe(0);
      }
      page = first;
      await second.getByRole('button', { name: 'Waiting for you 0' }).waitFor();
      expect(logOf('log.txt')).toBe('once\n');
    });

    it('resumes by itself after kill -9 in the middle of an answer', async () => {
      const rest = { untilFile: join(dataDir, 'go-on') };
      await open([COMMAND], [{ text: 'Slowly, ' }, rest, { text: 'it is done.' }]);
      await send('Do it');
      await page.getByRole('button', { name: 'Approve once' }).click();
      await page.getByText('Slowly,').waitFor();
      await end('SIGKILL');
      writeFileSync(rest.untilFile, '');
      const url = await serve();
      await page.goto(url);
      await page.getByRole('button', { name: 'Do it' }).first().click();
      await page.getByText('Slowly, it is done.').waitFor();
      expect(logOf('log.txt')).toBe('once\n');
    });

    it('pauses, resumes, and forks from a step into a new task', async () => {
      const write = (name: string) =>
        call('sandbox_file', { operation: 'write', path: name, content: name });
      const second = { untilFile: join(dataDir, 'go-on') };
      await open([write('a')], [second, write('b')], [{ text: 'Both are there.' }]);
      await send('Write two files');
      await page.getByText('Wrote a file').first().waitFor();
      await page.getByRole('button', { name: 'Pause after this step' }).click();
      await expect.poll(() => answered.has('runs.pause')).toBe(true);
      writeFileSync(second.untilFile, '');
      await page.getByText('This run is paused.').waitFor();
      expect(logOf('b')).toBe('');
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Both are there.').waitFor();
      const original = page.url();
      await page.getByRole('button', { name: /^\d+ steps/ }).click();
      await page.getByText('Wrote a file').first().click();
      await page.getByRole('button', { name: 'Branch into a new task' }).click();
      await page.getByRole('heading', { name: 'Write two files (2)' }).waitFor();
      expect(page.url()).not.toBe(original);
      expect(await page.getByText('Both are there.').count()).toBe(0);
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('Both are there.').waitFor();
      expect([logOf('a'), logOf('b')]).toEqual(['a', 'b']);
    });
  },
);
