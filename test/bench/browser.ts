import { parseArgs } from 'node:util';
import { roughTokens } from '#contract/rough-tokens.ts';
import { type OpenBrowsers, openBrowsers } from '../fakes/browser/open-browsers.ts';
import { launchChromium } from '../setup/chromium.ts';
import { median, proportionalMb } from './core/measure.ts';
import {
  type SavedPages,
  savedPagesFolder,
  serveSavedPages,
  shownControls,
} from './core/saved-pages.ts';
import { SCROLLING_PAGE, watchStream } from './core/stream.ts';

/**
 * What the agent's browser costs, and what its views show:
 *
 *   npm run bench browser [-- FOLDER] [--names N] [--pages N]
 *
 * FOLDER holds a checkout of https://github.com/mozilla/readability, whose `test/test-pages` are saved pages of the
 * web; READABILITY_PAGES names it as well. Of each page: the tokens of its view in windows of three sizes, the time
 * of a view, and which of its links and controls `find` returns by name, beside the DOM (a sample of N names for
 * each page, 0 for all). Without the pages: the first open, a click with settling beside a bare one, the stream of
 * pictures to a fast and a slow window at once, and memory.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    names: { type: 'string', default: '25' },
    pages: { type: 'string', default: '0' },
  },
});
const SITE = 'pages.test';
const WINDOWS = [4_096, 8_192, 32_768] as const;
const CLICKS = 40;
const STREAM_SECONDS = 10;
const BUTTONS = Array.from(
  { length: 40 },
  (_, at) => `<p>Text ${at} <button>Button ${at}</button>`,
);
const STATIC_PAGE = `<!doctype html><title>Static</title><h1>Buttons</h1>${BUTTONS.join('\n')}`;

/** What a view may take of a window. */
function budgetOf(window: number): number {
  return Math.min(2_000, Math.max(500, Math.floor(window * 0.12)));
}

interface TokenCounter {
  readonly by: string;
  readonly count: (text: string) => number;
}

/** The tokenizer that comes with a library of the app; an estimate where it does not. */
async function tokenCounter(): Promise<TokenCounter> {
  try {
    const { getEncoding } = await import('js-tiktoken');
    const encoding = getEncoding('o200k_base');
    return { by: 'o200k', count: (text) => encoding.encode(text, [], []).length };
  } catch {
    // The library may go; the estimate stays.
    return { by: 'roughTokens, an estimate', count: (text) => Math.ceil(roughTokens(text)) };
  }
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly ms: number; readonly result: T }> {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

async function measureClicks(opened: OpenBrowsers, url: string): Promise<void> {
  const browser = opened.browsers.forTask('thr_1');
  const first = await timed(() => browser.act({ kind: 'navigate', url }, opened.run()));
  say(`first open, with the start of the browser and the view: ${first.ms.toFixed(0)} ms`);
  const refs = [...first.result.text.matchAll(/\[(e\d+)\] button/g)].map((match) => match[1] ?? '');
  const plain = await launchChromium();
  try {
    const page = await plain.newPage();
    await page.goto(url.replace(SITE, '127.0.0.1'));
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let at = 0; at < CLICKS; at += 1) {
      const ref = refs[at % refs.length] ?? '';
      const click = { kind: 'click', at: { ref } } as const;
      const { ms, result } = await timed(() => browser.act(click, opened.run()));
      if (!result.ok) throw new Error(result.text);
      ours.push(ms);
      const button = page.getByRole('button', {
        name: `Button ${at % BUTTONS.length}`,
        exact: true,
      });
      bare.push((await timed(() => button.click())).ms);
    }
    const [one, other] = [median(ours), median(bare)];
    say(
      `a click on a static page, settled and looked at: ${one.toFixed(0)} ms beside ${other.toFixed(0)} ms of a ` +
        `bare one: ${(one / other).toFixed(1)} x; 90 %: ${quantile(ours, 0.9).toFixed(0)} ms`,
    );
  } finally {
    await plain.close();
  }
}

async function measureStream(opened: OpenBrowsers, url: string): Promise<void> {
  const { readers, blockedMs } = await watchStream(opened, url, STREAM_SECONDS);
  say(`a page that scrolls without end, watched for ${STREAM_SECONDS} s by two windows at once:`);
  for (const { name, perSecond, kilobytes, ages } of readers) {
    const [half, most] = [quantile(ages, 0.5), quantile(ages, 0.9)];
    say(
      `  ${name}: ${perSecond.toFixed(1)} frames and ${kilobytes.toFixed(0)} kB a second, ` +
        `${half} ms old when drawn (90 %: ${most} ms, most: ${Math.max(...ages)} ms)`,
    );
  }
  say(`  the main thread computed at most ${blockedMs} ms at a stretch`);
}

interface Reach {
  asked: number;
  found: number;
  nameless: number;
  readonly misses: string[];
}

async function measurePages(
  opened: OpenBrowsers,
  pages: SavedPages,
  { by, count }: TokenCounter,
): Promise<void> {
  const limit = Number(values.pages);
  const names = limit > 0 ? pages.names.slice(0, limit) : pages.names;
  const tokens = new Map<number, number[]>(WINDOWS.map((window) => [window, []]));
  const over: string[] = [];
  const times: number[] = [];
  const findTimes: number[] = [];
  const reach: Reach = { asked: 0, found: 0, nameless: 0, misses: [] };
  const browser = opened.browsers.forTask('thr_1');
  const plain = await launchChromium();
  try {
    const page = await plain.newPage({ viewport: { width: 1280, height: 800 } });
    for (const [at, name] of names.entries()) {
      process.stderr.write(`page ${at + 1} of ${names.length}: ${name}\n`);
      const path = `${pages.port}/${encodeURIComponent(name)}`;
      const went = await browser.act(
        { kind: 'navigate', url: `http://${SITE}:${path}` },
        opened.run(),
      );
      if (!went.ok) {
        say(`${name} did not open: ${went.text.split('\n')[0]}`);
        continue;
      }
      for (const window of WINDOWS) {
        const run = opened.run({ viewTokens: budgetOf(window) });
        const { ms, result } = await timed(() => browser.act({ kind: 'snapshot' }, run));
        const size = count(result.text);
        tokens.get(window)?.push(size);
        times.push(ms);
        if (size > budgetOf(window)) over.push(`${name} ${size} of ${budgetOf(window)}`);
      }
      await page.goto(`http://127.0.0.1:${path}`, { waitUntil: 'domcontentloaded' });
      await reachAll(opened, { page: name, shown: await shownControls(page), reach, findTimes });
    }
  } finally {
    await plain.close();
  }
  say(`${names.length} saved pages, tokens by ${by}:`);
  for (const [window, sizes] of tokens) {
    const [p50, p90] = [quantile(sizes, 0.5), quantile(sizes, 0.9)];
    say(
      `  window ${window}, budget ${budgetOf(window)}: p50 ${p50}, p90 ${p90}, max ${Math.max(...sizes)}`,
    );
  }
  say(`views over their budget: ${over.length}${over.map((one) => `\n  ${one}`).join('')}`);
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.9)];
  say(`time of a view: p50 ${half.toFixed(0)} ms, p90 ${most.toFixed(0)} ms`);
  const [findHalf, findMost] = [quantile(findTimes, 0.5), quantile(findTimes, 0.9)];
  say(`time of a find: p50 ${findHalf.toFixed(0)} ms, p90 ${findMost.toFixed(0)} ms`);
  const share = ((100 * reach.found) / reach.asked).toFixed(2);
  say(
    `links and controls that find returns by name: ${reach.found} of ${reach.asked} (${share} %); ` +
      `${reach.nameless} more have no name`,
  );
  for (const miss of reach.misses.slice(0, 40)) say(`  not found: ${miss}`);
}

interface PageControls {
  readonly page: string;
  readonly shown: { readonly names: readonly string[]; readonly nameless: number };
  readonly reach: Reach;
  readonly findTimes: number[];
}

/** A name may be cut in a view: as much of it as this must be there. */
const SHOWN_CHARACTERS = 30;

async function reachAll(opened: OpenBrowsers, controls: PageControls): Promise<void> {
  const { page, shown, reach, findTimes } = controls;
  const browser = opened.browsers.forTask('thr_1');
  reach.nameless += shown.nameless;
  for (const name of sampleOf(shown.names, Number(values.names))) {
    const text = name.slice(0, 100).trim();
    const { ms, result } = await timed(() => browser.act({ kind: 'find', text }, opened.run()));
    findTimes.push(ms);
    const start = plainText(text).slice(0, SHOWN_CHARACTERS);
    const isFound = result.text
      .split('\n')
      .some((line) => /\[(f\d+)?e\d+\]/.test(line) && plainText(line).includes(start));
    reach.asked += 1;
    if (isFound) reach.found += 1;
    else reach.misses.push(`${page}: "${text}"`);
  }
}

/** Letters and digits alone: quoting and spaces may differ. */
function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** As many as wanted, spread evenly over the page. */
function sampleOf(names: readonly string[], wanted: number): readonly string[] {
  if (wanted <= 0 || names.length <= wanted) return names;
  return Array.from(
    { length: wanted },
    (_, at) => names[Math.floor((at * names.length) / wanted)] ?? '',
  );
}

const folder = savedPagesFolder(positionals[0] ?? process.env.READABILITY_PAGES);
// Its tables are no part of what the browser takes.
const counter = await tokenCounter();
const before = proportionalMb(process.pid);
{
  await using pages = await serveSavedPages(folder, {
    ...{ '/static': STATIC_PAGE, '/scrolling': SCROLLING_PAGE },
  });
  await using opened = await openBrowsers({ sites: [SITE], viewTokens: 2_000 });
  await measureClicks(opened, `http://${SITE}:${pages.port}/static`);
  await measureStream(opened, `http://${SITE}:${pages.port}/scrolling`);
  if (folder === null) {
    say('No saved pages: clone https://github.com/mozilla/readability and name the folder.');
  } else {
    await measurePages(opened, pages, counter);
  }
  const after = proportionalMb(process.pid);
  if (before !== null && after !== null) {
    say(
      `memory of this process (PSS): ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`,
    );
  }
}
