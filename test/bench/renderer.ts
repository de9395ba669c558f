import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { busyRun } from '../fakes/busy-run.ts';
import { chromiumPath, launchChromium } from '../setup/chromium.ts';
import { openWindowHarness } from '../setup/window-harness.ts';

/**
 * The window in real Chromium before a fake main in the same page: what a frame costs while events
 * pour in, how soon something is seen, how long a log takes to be drawn, and what it leaves in memory.
 */
const RATE = 2000;
const SECONDS = 10;
const SIZES = [1_000, 10_000, 50_000];

if (chromiumPath === null) {
  process.stdout.write('renderer: skipped, there is no Chromium here\n');
} else {
  await measure();
}

async function measure(): Promise<void> {
  await using harness = await openWindowHarness();
  await using browser = await launchChromium();
  const open = async (): Promise<{ page: Page; client: CDPSession }> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(harness.url);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    return { page, client: await context.newCDPSession(page) };
  };
  print('bundle');
  printSizes();
  printFirstPaint();

  const { page } = await open();
  const paint = await page.evaluate<{ paint: number; interactive: number }>(`({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    interactive: performance.getEntriesByType('navigation')[0].domInteractive,
  })`);
  print('first paint', `${paint.paint.toFixed(0)} ms after navigation`);

  const idle = await frames(page, 0);
  const busy = await frames(page, RATE);
  print(`frames at 0 events/s`, describe(idle));
  print(`frames at ${RATE} events/s for ${SECONDS} s`, describe(busy));
  await page.context().close();

  for (const size of SIZES) {
    const { page: fresh, client } = await open();
    const before = await heap(client);
    const ms = await repaint(fresh, size);
    const after = await heap(client);
    print(
      `${size} events drawn from the log`,
      `${ms.toFixed(0)} ms; heap of the window +${((after - before) / 1e6).toFixed(1)} MB, rows in the page ${await fresh.locator('.transcript-row').count()}`,
    );
    await fresh.context().close();
  }
}

interface Frames {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
  /** Longest uninterrupted work on the main thread, from 50 ms on, and when it began. */
  readonly longTask: number;
  readonly longTaskAt: number;
}

function describe({ count, median, p95, longest, longTask, longTaskAt }: Frames): string {
  const task =
    longTask === 0
      ? 'no task over 50 ms'
      : `longest task ${longTask.toFixed(0)} ms, after ${(longTaskAt / 1000).toFixed(1)} s`;
  return `${count} frames; interval median ${median.toFixed(1)}, p95 ${p95.toFixed(1)}, longest ${longest.toFixed(1)} ms; ${task}`;
}

/** Lets events arrive at this rate, in the batches in which main sends them, and times the frames. */
async function frames(page: Page, rate: number): Promise<Frames> {
  const perFrame = Math.round((rate * 16) / 1000);
  const drafts = busyRun(0, rate * SECONDS);
  await page.evaluate(`location.hash = '#/task/t-run'`);
  await page.getByRole('heading', { name: 'Compare three ways' }).waitFor();
  return page.evaluate(
    async ({ all, batch, seconds }) => {
      const { fake } = globalThis;
      const first = fake.state.runs[0];
      if (first === undefined) throw new Error('no history');
      const live = { ...first, id: `live-${batch}`, threadId: 't-run', status: 'running' as const };
      fake.addLog(live, []);
      fake.push({ kind: 'run_changed', run: live });
      await new Promise((resolve) => setTimeout(resolve, 500));
      let next = 0;
      const timer = setInterval(() => {
        if (batch === 0 || next >= all.length) return;
        fake.emit(live.id, all.slice(next, next + batch));
        next += batch;
      }, 16);
      const started = performance.now();
      const intervals: number[] = [];
      let longTask = 0;
      let longTaskAt = 0;
      const observer = new PerformanceObserver((list) => {
        for (const { duration, startTime } of list.getEntries()) {
          if (duration < longTask) continue;
          longTask = duration;
          longTaskAt = startTime - started;
        }
      });
      // Node's types know only Node's own entries.
      observer.observe({ entryTypes: ['longtask'] as unknown as ['measure'] });
      const nextFrame = (globalThis as unknown as { requestAnimationFrame(run: () => void): void })
        .requestAnimationFrame;
      await new Promise<void>((resolve) => {
        let last = performance.now();
        const frame = (): void => {
          const now = performance.now();
          intervals.push(now - last);
          last = now;
          if (now - started > seconds * 1000) resolve();
          else nextFrame(frame);
        };
        nextFrame(frame);
      });
      clearInterval(timer);
      observer.disconnect();
      intervals.sort((a, b) => a - b);
      const at = (share: number) => intervals[Math.floor(intervals.length * share)] ?? 0;
      return {
        count: intervals.length,
        median: at(0.5),
        p95: at(0.95),
        longest: intervals.at(-1) ?? 0,
        longTask,
        longTaskAt,
      };
    },
    { all: drafts, batch: perFrame, seconds: SECONDS },
  );
}

/** From asking for a task to its last line on the screen. */
async function repaint(page: Page, size: number): Promise<number> {
  const end = {
    ...{ type: 'complete' as const, outcome: 'completed' as const, answer: 'x' },
    ...{ durationMs: 1000, rounds: 1, toolCalls: 1 },
  };
  await page.evaluate(
    ({ drafts }) => {
      const { fake } = globalThis;
      const first = fake.state.runs[0];
      if (first === undefined) throw new Error('no history');
      fake.addLog({ ...first, id: 'long', threadId: 't-old' }, drafts);
    },
    { drafts: [...busyRun(0, size - 1), end] },
  );
  return page.evaluate<number>(`new Promise((resolve) => {
    const started = performance.now();
    location.hash = '#/task/t-old';
    const look = () => {
      if (document.querySelector('.end-line') === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve(performance.now() - started));
    };
    look();
  })`);
}

async function heap(client: CDPSession): Promise<number> {
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  return usedSize;
}

/** What has to be there before anything is seen: the script of the page and what it imports at once. */
function printFirstPaint(): void {
  const root = join(import.meta.dirname, '../../out/renderer');
  const page = readFileSync(join(root, 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/g)].map(
    ([, name = '']) => name,
  );
  const scripts = names.map((name) => readFileSync(join(root, name)));
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, one) => all + one, 0);
  print(
    'scripts of the first paint',
    `${kilo(sum(scripts.map(({ length }) => length)))}, ${kilo(sum(scripts.map((script) => gzipSync(script).length)))} gzipped, ${names.length} files`,
  );
}

function printSizes(): void {
  const assets = join(import.meta.dirname, '../../out/renderer/assets');
  for (const name of readdirSync(assets).filter((file) => /\.(?:js|css)$/.test(file))) {
    const file = join(assets, name);
    const zipped = gzipSync(readFileSync(file)).length;
    print(
      `  ${name.replace(/-[\w-]{8}\./, '.')}`,
      `${kilo(statSync(file).size)}, ${kilo(zipped)} gzipped`,
    );
  }
}

function kilo(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}

function print(name: string, value = ''): void {
  process.stdout.write(`renderer: ${name.padEnd(40)} ${value}\n`);
}
