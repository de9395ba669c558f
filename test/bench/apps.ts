import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { writeTemplatePacks } from '#main/apps/template-packs.ts';
import { type OpenApps, openApps } from '../fakes/apps/open-apps.ts';
import { launchChromium } from '../setup/chromium.ts';
import { median } from './core/measure.ts';

/**
 * What an app costs from nothing to its first paint, and from a change to what is seen of it, beside the same Vite
 * without a sandbox and without a preview between:
 *
 *   npm run bench apps
 */
const ROOT = path.resolve(import.meta.dirname, '../..');
const TASK = 'thr_1';
const [STARTS, EDITS] = [3, 15];
/** Between two changes: programs that watch files miss what comes faster. */
const PAUSE_MS = 250;

const source = (word: string): string =>
  `import { useState } from 'react';

export default function App() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <h1>${word}</h1>
      <button onClick={() => setCount(count + 1)}>{count}</button>
    </main>
  );
}
`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Milliseconds from the navigation until `word` is painted. */
async function firstPaint(page: Page, url: string, word: string): Promise<number> {
  const from = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: word }).waitFor();
  return performance.now() - from;
}

/** Milliseconds from each change until the page shows it. */
async function changesSeen(page: Page, write: (text: string) => Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const word = `Change ${edit}`;
    const seen = page.waitForFunction(
      `document.querySelector('h1')?.textContent === '${word}'`,
      null,
      {
        polling: 5,
      },
    );
    const from = performance.now();
    await write(source(word));
    await seen;
    taken.push(performance.now() - from);
  }
  return taken;
}

interface Floor extends AsyncDisposable {
  readonly url: string;
  readonly startMs: number;
  readonly write: (text: string) => Promise<void>;
}

/** The same template and packages with Vite started by hand. */
async function startFloor(bench: OpenApps): Promise<Floor> {
  const dir = await mkdtemp(path.join(tmpdir(), 'hyperagent-floor-'));
  for (const file of await bench.apps.files('react', 'Bench')) {
    const at = path.join(dir, file.path);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, file.content);
  }
  const app = path.join(dir, 'src', 'App.tsx');
  await writeFile(app, source('Bench'));
  await writeTemplatePacks({ root: ROOT, modules: path.join(ROOT, 'node_modules'), dir });
  const from = performance.now();
  const server: ChildProcess = spawn(process.execPath, ['node_modules/vite/bin/vite.js'], {
    cwd: dir,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const url = await new Promise<string>((resolve) => {
    server.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed)?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    ...{ url, startMs: performance.now() - from },
    write: (text) => writeFile(app, text),
    [Symbol.asyncDispose]: async () => {
      const gone = once(server, 'exit');
      server.kill();
      await gone;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

await using bench = await openApps();
const browser = await launchChromium();
const page = await browser.newPage();

const steps = { write: [] as number[], server: [] as number[], paint: [] as number[] };
const floors = { server: [] as number[], paint: [] as number[] };
const seen = { preview: [] as number[], floor: [] as number[] };
for (let run = 0; run < STARTS; run += 1) {
  const task = `${TASK}_${run}`;
  let from = performance.now();
  await bench.make(task, 'react', { 'src/App.tsx': source('Bench') });
  steps.write.push(performance.now() - from);
  from = performance.now();
  const app = await bench.start(task);
  if (app.previewUrl === null) throw new Error(app.problem ?? bench.apps.log(task));
  steps.server.push(performance.now() - from);
  steps.paint.push(await firstPaint(page, app.previewUrl, 'Bench'));
  seen.preview.push(
    ...(await changesSeen(page, (text) => bench.write(task, { 'app/src/App.tsx': text }))),
  );
  await bench.apps.close(task);

  await using floor = await startFloor(bench);
  floors.server.push(floor.startMs);
  floors.paint.push(await firstPaint(page, floor.url, 'Bench'));
  seen.floor.push(...(await changesSeen(page, floor.write)));
}
await browser.close();

const ms = (numbers: readonly number[]): string => `${Math.round(median(numbers))} ms`;
const ratio = (a: readonly number[], b: readonly number[]): string =>
  `${(median(a) / median(b)).toFixed(1)}×`;
const [first = 0] = steps.server;
const total = median(steps.write) + median(steps.server) + median(steps.paint);
say(`from a request to the first paint of a React app, median of ${STARTS} (floor: Vite by hand)`);
say(`  template and files written   ${ms(steps.write)}`);
say(
  `  server answers               ${ms(steps.server)}, of the first app ${Math.round(first)} ms (floor ${ms(floors.server)}, ${ratio(steps.server, floors.server)})`,
);
say(
  `  page painted                 ${ms(steps.paint)} (floor ${ms(floors.paint)}, ${ratio(steps.paint, floors.paint)})`,
);
say(`  together                     ${Math.round(total)} ms`);
say(
  `a change is seen after         ${ms(seen.preview)}, longest of ${seen.preview.length}: ${Math.round(Math.max(...seen.preview))} ms (floor ${ms(seen.floor)}, ${ratio(seen.preview, seen.floor)})`,
);
