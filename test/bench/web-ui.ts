import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startModelServer } from '../fakes/model-server/server.ts';
import { openData } from '../fakes/open-data.ts';
import { CLI } from '../setup/built-app.ts';
import { chromiumPath, launchChromium } from '../setup/chromium.ts';

/**
 * The whole way of a token: a model server streams an answer as fast as it can, the app stores each
 * event, sends it over the socket of the web UI, and the window draws it.
 *
 *   npm run bench web-ui
 *
 * The floor of the same run reads the same answer from the server and does nothing with it.
 */
const TOKENS = 20_000;
const LAST = 'the-very-last-word';
const text = `${Array.from({ length: TOKENS }, (_, i) => (i % 25 === 24 ? `word${i}.\n\n` : `word${i} `)).join('')}${LAST}`;

if (chromiumPath === null) process.stdout.write('web-ui: skipped, there is no Chromium here\n');
else await measure();

async function measure(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-bench-web-ui-'));
  const server = await startModelServer({
    models: [{ name: 'x' }],
    turns: [{ times: 'always', steps: [{ text }] }],
  });
  prepare(dataDir, server.url);
  const app = spawn(process.execPath, [CLI, 'serve', '--no-open', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await addressOf(app.stdout);
    const floorMs = await readPlainly(server.url);
    await using browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(url);
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('Go');
    const began = performance.now();
    await composer.press('Enter');
    await page.getByText(LAST).waitFor({ timeout: 120_000 });
    const ms = performance.now() - began;
    process.stdout.write(
      `web-ui: ${TOKENS.toLocaleString('en')} tokens from the model server to the painted window: ${Math.round(ms)} ms, ` +
        `${perSecond(ms)}   (floor, only read: ${Math.round(floorMs)} ms, ${perSecond(floorMs)}: ${(ms / floorMs).toFixed(1)} x)\n`,
    );
  } finally {
    app.kill('SIGINT');
    await new Promise((resolve) => app.once('exit', resolve));
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function perSecond(ms: number): string {
  return `${Math.round(TOKENS / (ms / 1000)).toLocaleString('en')}/s`;
}

/** Settings as a person would have made them. */
function prepare(dataDir: string, ollamaUrl: string): void {
  const stores = openData(dataDir);
  const model = { provider: 'ollama', name: 'x' };
  stores.settings.update({ model, ollamaUrl, checkupSeen: true, contextWindow: 32_768 });
  stores.close();
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('The app did not say where it is.');
}

async function readPlainly(url: string): Promise<number> {
  const began = performance.now();
  const body = JSON.stringify({ model: 'x', messages: [{ role: 'user', content: 'Go' }] });
  const answer = await fetch(`${url}/api/chat`, { method: 'POST', body });
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  if (bytes === 0) throw new Error('The server sent nothing.');
  return performance.now() - began;
}
