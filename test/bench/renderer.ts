import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { busyRun } from '../fakes/busy-run.ts';
import { chromiumPath, launchChromium } from '../setup/chromium.ts';
import { openWindowHarness } from '../setup/window-harness.ts';

/**
 * The window in real Chromium before a fake main in the same page: what a frame costs while events
 * pour in, how soon something is seen, how long a log takes to be drawn, and what it leaves in memory.
 */
const RATE = 2000;
const SECONDS = 10;
/** As fast as a small model on a good graphics card. */
const TOKEN_RATE = 500;
const SIZES = [1_000, 10_000, 50_000];
const MANY_TASKS = 10_000;
/** The longest interval that still looks smooth at 60 pictures a second, with some room. */
const SMOOTH_MS = 20;

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

  const idle = await frames(page, 0, []);
  const busy = await frames(page, RATE, busyRun(0, RATE * SECONDS));
  const answer = await frames(page, TOKEN_RATE, longAnswer(TOKEN_RATE * SECONDS));
  print(`frames at 0 events/s`, describe(idle));
  print(`frames at ${RATE} events/s for ${SECONDS} s`, describe(busy));
  print(`frames of one answer, ${TOKEN_RATE} tokens/s for ${SECONDS} s`, describe(answer));
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
    if (size === SIZES.at(-1)) {
      print(`frames while it scrolls for ${SECONDS} s`, describe(await scrolled(fresh)));
    }
    await fresh.context().close();
  }
  for (const tasks of [0, MANY_TASKS]) {
    print(
      `list of tasks, ${tasks} more`,
      `${(await listed(tasks)).toFixed(0)} ms after navigation`,
    );
  }

  /** From the address to the first row of the list of tasks on the screen. */
  async function listed(tasks: number): Promise<number> {
    await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const fresh = await context.newPage();
    await fresh.addInitScript(`globalThis.listed = new Promise((resolve) => {
      const look = () => {
        const row = document.querySelector('.thread-list a, .thread-list button');
        requestAnimationFrame(row === null ? look : () => resolve(performance.now()));
      };
      look();
    })`);
    await fresh.goto(`${harness.url}?tasks=${tasks}`);
    return await fresh.evaluate<number>('listed');
  }
}

interface Frames {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
  /** Share of the intervals that look smooth. */
  readonly smooth: number;
  /** Longest uninterrupted work on the main thread, from 50 ms on, and when it began. */
  readonly longTask: number;
  readonly longTaskAt: number;
}

function describe({ count, median, p95, longest, smooth, ...work }: Frames): string {
  const { longTask, longTaskAt } = work;
  const task =
    longTask === 0
      ? 'no task over 50 ms'
      : `longest task ${longTask.toFixed(0)} ms, after ${(longTaskAt / 1000).toFixed(1)} s`;
  return `${count} frames; interval median ${median.toFixed(1)}, p95 ${p95.toFixed(1)}, longest ${longest.toFixed(1)} ms; ${(smooth * 100).toFixed(1)} % within ${SMOOTH_MS} ms; ${task}`;
}

/** One long answer, word by word. */
function longAnswer(tokens: number): RunEventDraft[] {
  return Array.from({ length: tokens }, (_, at) => {
    const text = at % 60 === 59 ? 'next.\n\n' : at % 12 === 11 ? '**word** ' : 'word ';
    return { type: 'token', messageId: 'm-long', text };
  });
}

/** Lets events arrive at this rate, in the batches in which main sends them, and times the frames. */
async function frames(page: Page, rate: number, drafts: readonly RunEventDraft[]): Promise<Frames> {
  await page.evaluate(`location.hash = '#/task/t-run'`);
  await page.getByRole('heading', { name: 'Compare three ways' }).waitFor();
  await page.evaluate(
    async ({ all, batch }) => {
      const { fake } = globalThis;
      const first = fake.state.runs[0];
      if (first === undefined) throw new Error('no history');
      const live = { ...first, id: `live-${batch}`, threadId: 't-run', status: 'running' as const };
      fake.addLog(live, []);
      fake.push({ kind: 'run_changed', run: live });
      await new Promise((resolve) => setTimeout(resolve, 500));
      let next = 0;
      const timer = setInterval(() => {
        if (next >= all.length) return clearInterval(timer);
        fake.emit(live.id, all.slice(next, next + batch));
        next += batch;
      }, 16);
    },
    { all: drafts, batch: Math.round((rate * 16) / 1000) },
  );
  return timed(page, '');
}

/** Scrolls the open conversation from its end upwards, a good line each frame. */
function scrolled(page: Page): Promise<Frames> {
  return timed(page, `document.querySelector('.transcript').scrollTop -= 60`);
}

/** Times the frames of the next seconds; `work` is done in each. */
async function timed(page: Page, work: string): Promise<Frames> {
  const { intervals, longTask, longTaskAt } = await page.evaluate<{
    intervals: number[];
    longTask: number;
    longTaskAt: number;
  }>(`new Promise((resolve) => {
    const started = performance.now();
    const intervals = [];
    let longTask = 0;
    let longTaskAt = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) {
        if (duration < longTask) continue;
        longTask = duration;
        longTaskAt = startTime - started;
      }
    });
    observer.observe({ entryTypes: ['longtask'] });
    let last = started;
    const frame = () => {
      const now = performance.now();
      intervals.push(now - last);
      last = now;
      ${work};
      if (now - started <= ${SECONDS * 1000}) requestAnimationFrame(frame);
      else {
        observer.disconnect();
        resolve({ intervals, longTask, longTaskAt });
      }
    };
    requestAnimationFrame(frame);
  })`);
  intervals.sort((a, b) => a - b);
  const at = (share: number) => intervals[Math.floor(intervals.length * share)] ?? 0;
  return {
    count: intervals.length,
    median: at(0.5),
    p95: at(0.95),
    longest: intervals.at(-1) ?? 0,
    smooth: intervals.filter((ms) => ms <= SMOOTH_MS).length / intervals.length,
    longTask,
    longTaskAt,
  };
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
