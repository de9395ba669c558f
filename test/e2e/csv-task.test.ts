import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeModelServer, startModelServer } from '../fakes/model-server/server.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { useChromium } from '../setup/use-window.ts';

/**
 * The main job through the web UI, everything real but the model: the built app as its own
 * process, Chromium, the sandbox. A scripted server speaks Ollama's protocol.
 */
const PROGRAM = `
import csv, collections, os, time
totals = collections.Counter()
for row in csv.DictReader(open('/workspace/sales.csv')):
    totals[row['region']] += int(row['amount'])
for region, amount in sorted(totals.items()):
    print(region, amount, flush=True)
while not os.path.exists('/workspace/seen'):
    time.sleep(0.02)
bars = ''.join(f'<rect x="{20 + 60 * i}" y="{100 - a}" width="40" height="{a}"/>' for i, a in enumerate(totals.values()))
open('chart.svg', 'w').write(f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120">{bars}</svg>')
`.trim();

const ANSWER = 'North sold **42** and South sold **17**.';
const ready = chromiumPath !== null && osSandboxReady;

describe.skipIf(!ready)(`the CSV task in a browser${chromiumNote}${osSandboxNote}`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-csv-task-'));
  let models: FakeModelServer;
  let app: ChildProcess;
  const chromium = useChromium();
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    models = await startModelServer({
      models: [{ name: 'fake:latest', capabilities: ['completion', 'tools'] }],
      turns: [
        {
          steps: [
            { thinking: 'The file has regions and amounts.' },
            { text: 'I total the amounts by region.' },
            { call: { name: 'execute_code', arguments: { language: 'python', code: PROGRAM } } },
          ],
        },
        { steps: [{ text: ANSWER }] },
      ],
    });
    const started = await startApp(dataDir, models.url);
    app = started.app;
    page = await chromium.browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('requestfailed', (request) => problems.push(request.url()));
    await page.goto(started.url);
  });

  afterAll(async () => {
    if (app !== undefined) await stop(app);
    await models?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('finds the model in the first steps and takes it', async () => {
    await page.getByRole('button', { name: /Use this model/ }).click();
    const start = page.getByRole('button', { name: 'Get started' });
    const composer = page.getByRole('textbox', { name: 'Message' });
    await start.or(composer).first().waitFor();
    if (await start.isVisible()) await start.click();
    await composer.waitFor();
    // The first check tests the isolation of every sandbox, which is slow beside other suites.
  });

  it('asks before the program runs, and shows all of it', async () => {
    await page.locator('input[type=file]').setInputFiles({
      name: 'sales.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('region,amount\nNorth,40\nSouth,17\nNorth,2\n'),
    });
    await page.getByRole('button', { name: 'Remove sales.csv' }).waitFor();
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('Total the sales in this CSV by region and draw a chart');
    await composer.press('Enter');
    await page.getByText('I total the amounts by region.').waitFor();
    const question = page.getByRole('region', { name: /Run this Python code/ });
    await question.waitFor();
    expect(await question.textContent()).toContain('collections.Counter()');
  });

  it('shows the same question after a reload', async () => {
    await page.reload();
    await page.getByRole('region', { name: /Run this Python code/ }).waitFor();
  });

  it('streams the terminal once approved, then shows chart and answer', async () => {
    await page.getByRole('button', { name: 'Approve once' }).click();
    await page.locator('.xterm-rows').getByText('North 42').waitFor();
    // The program goes on once its output was on the screen.
    const [task] = readdirSync(join(dataDir, 'workspaces'));
    writeFileSync(join(dataDir, 'workspaces', task ?? '', 'seen'), '');
    await page.getByRole('img', { name: 'chart.svg' }).waitFor();
    await page.getByText('and South sold').waitFor();
    const chart = page.getByRole('img', { name: 'chart.svg' });
    expect(await chart.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBe(200);
  });

  it('shows the same screen after a reload at the end', async () => {
    const conversation = page.getByRole('main');
    const before = await settledText(conversation);
    await page.reload();
    await page.getByRole('img', { name: 'chart.svg' }).waitFor();
    expect(await settledText(conversation)).toBe(before);
  });

  it('gave the model what the program printed, without any problem', () => {
    const chats = models.recording.requests.filter((request) => request.path === '/api/chat');
    const last = JSON.parse(chats.at(-1)?.body ?? '{}') as { messages: { content: string }[] };
    expect({ problems, chats: chats.length, result: last.messages.at(-1)?.content }).toEqual({
      problems: [],
      chats: 2,
      result: expect.stringContaining('North 42\nSouth 17'),
    });
  });
});

/** What is read on the screen, without what counts the time. */
async function settledText(locator: ReturnType<Page['getByRole']>): Promise<string> {
  let last = '';
  for (;;) {
    const text = (await locator.textContent()) ?? '';
    if (text === last) return text;
    last = text;
    await locator.page().waitForTimeout(300);
  }
}

function startApp(dataDir: string, modelUrl: string): Promise<{ app: ChildProcess; url: string }> {
  const cli = join(import.meta.dirname, '../../out/main/cli.js');
  const app = spawn(process.execPath, [cli, 'serve', '--no-open', '--data-dir', dataDir], {
    env: { ...process.env, OLLAMA_HOST: modelUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    app.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /http:\/\/\S+#token=\S+/.exec(output)?.[0];
      if (url !== undefined) resolve({ app, url });
    });
    app.on('exit', (code) => reject(new Error(`The app ended with ${code}: ${output}`)));
  });
}

function stop(app: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    app.once('exit', () => resolve());
    app.kill('SIGINT');
  });
}
