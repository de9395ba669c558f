import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { pictureProblem } from '#main/skills/builtin/data-visualization/opened-picture.ts';
import { sandboxBench } from '../../../fakes/sandbox-bench.ts';
import { chromiumNote, chromiumPath, launchChromium } from '../../../setup/chromium.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';
import { providerParts } from '../../sandbox/provider-parts.ts';

/** Drawings by name: what charts.py is asked for. */
const DRAWINGS: Readonly<Record<string, string>> = {
  negative: `bar(path, ["North", "South", "East"], [12.5, -3, 9], title="Profit", x="region", y="EUR")`,
  'large figures, long names that begin alike': `bar(path, ["Department of Very Long Names %d" % n for n in range(8)], [1234567890 * n for n in range(8)], title="A title that is too long " * 9, x="department", y="revenue")`,
  'many names in Chinese': `bar(path, ["类别名称很长的标签%d" % n for n in range(40)], list(range(40)), title="各类别销售额", x="类别", y="销售额")`,
  'two hundred names': `bar(path, ["name %d" % n for n in range(200)], list(range(200)))`,
  'days that are not evenly apart, ten series': `line(path, [datetime.date(2026, 1, 1) + datetime.timedelta(days=n * 7 + (n > 30) * 200) for n in range(60)], {"Series number %d" % k: [k * n for n in range(60)] for k in range(10)}, x="day", y="value")`,
  'a small spread far from zero': `scatter(path, [1e6 + n for n in range(50)], [n * 1e-6 for n in range(50)], x="weight", y="price")`,
  histogram: `histogram(path, [52000 + (n * 7919 % 30000) for n in range(999)], x="income")`,
  'a pie of many, with long names': `pie(path, ["Department of Very Long Names %d" % n for n in range(12)], [n * n + 1 for n in range(12)], title="Shares of departments")`,
  'a pie of one': `pie(path, ["all"], [7], title="Everything")`,
  'boxes with outliers, and equal values': `box(path, {"North": [n % 50 for n in range(500)] + [400, -90], "South": [3, 3, 3], "East": [5], "None": [None]}, title="Prices", x="region", y="EUR")`,
  'a heatmap of hours and days, with gaps': `heatmap(path, ["Mon", "Tue", "Wed"], ["%02d:00" % n for n in range(24)], [[None if n == 5 else n * 31 * k for k in range(3)] for n in range(24)], title="Visits", x="day", y="hour")`,
  'a heatmap of figures of both signs': `heatmap(path, ["price", "a column of a very long name"], ["price", "a column of a very long name"], [[1, -0.42], [-0.42, 1]])`,
  'a heatmap of a hundred columns': `heatmap(path, list(range(100)), list(range(60)), [[-k * n for k in range(100)] for n in range(60)])`,
  'gaps, and equal values beyond what doubles tell apart': `bar(path, ["a", "b", "c"], {"one": [5e17, None, 5e17], "two": [5e17, float("nan"), 5e17]})`,
};

const PROGRAM = `
import datetime, json, sys
sys.path.insert(0, ".hyperagent")
from charts import bar, box, heatmap, histogram, line, pie, scatter
drawn = {}
for name, call in json.loads(${JSON.stringify(JSON.stringify(DRAWINGS))}).items():
    path = "drawn.svg"
    eval(call)
    drawn[name] = open(path, encoding="utf-8").read()
open("drawn.json", "w", encoding="utf-8").write(json.dumps(drawn))
`;

interface Words {
  readonly words: string;
  readonly isTurned: boolean;
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly right: number;
    readonly bottom: number;
  };
}

describe.skipIf(!osSandboxReady || chromiumPath === null)(
  `charts that are looked at${osSandboxNote}${chromiumNote}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser.close());

    test('can be read: no words run out of the picture or over each other', async () => {
      const bench = await sandboxBench({
        provider: (dir) => new BubblewrapProvider(providerParts(dir)),
      });
      onTestFinished(() => bench[Symbol.asyncDispose]());
      for (const name of ['charts', 'chart_page', 'chart_shapes']) {
        const source = readFileSync(`resources/sandbox/${name}.py`);
        await bench.sandbox.workspace.write(`.hyperagent/${name}.py`, source);
      }
      const { status, content } = await bench.call('execute_code', {
        language: 'python',
        code: PROGRAM,
      });
      expect([status, content]).toEqual(['ok', expect.anything()]);
      const { data } = await bench.sandbox.workspace.read('drawn.json', 8 * 1024 * 1024);
      const drawn = JSON.parse(data.toString('utf8')) as Record<string, string>;
      const page = await browser.newPage({ viewport: { width: 900, height: 1_000 } });
      const faults: string[] = [];
      for (const [name, svg] of Object.entries(drawn)) {
        expect([name, pictureProblem('drawn.svg', Buffer.from(svg))]).toEqual([name, null]);
        expect(svg).not.toMatch(/="(?:nan|inf)/);
        await page.setContent(`<body style="margin:0">${svg}`);
        const found = (await page.evaluate(WORDS)) as Words[];
        expect(found.length).toBeGreaterThan(4);
        faults.push(...faultsOf(found).map((fault) => `${name}: ${fault}`));
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const { paper, faint } = (await page.evaluate(INKS)) as Inks;
          expect([name, colorScheme, paper]).toEqual([
            ...[name, colorScheme],
            colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(27, 27, 26)',
          ]);
          faults.push(...faint.map((words) => `${name}, ${colorScheme}: ${words} is faint`));
        }
      }
      expect(faults).toEqual([]);
      // Names that are cut are distinguished by their ends.
      expect(drawn['large figures, long names that begin alike']).toMatch(
        /Names 6<[\s\S]*Names 7</,
      );
      // All names of bars stand there.
      expect(drawn['many names in Chinese']?.match(/<text[^>]*>类别名称/g)).toHaveLength(40);
    });
  },
);

/** Runs in the page: all words, and the picture itself as the last. */
const WORDS = `[...document.querySelectorAll('text'), document.querySelector('svg')]
  .filter((one) => one.textContent !== '')
  .map((one) => {
    const { x, y, right, bottom } = one.getBoundingClientRect();
    const isTurned = (one.getAttribute('transform') ?? '').includes('-35');
    return { words: one.textContent, isTurned, box: { x, y, right, bottom } };
  })`;

interface Inks {
  readonly paper: string;
  /** Words with less contrast to what is below them than 3 to 1, with the contrast. */
  readonly faint: readonly string[];
}

/** Runs in the page: the colour of the paper, and words that are hard to read on the shape below them. */
const INKS = `(() => {
  const paper = document.querySelector('rect.p');
  const rgb = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const base = rgb(getComputedStyle(paper).fill);
  const light = (color) => color
    .map((one) => one / 255)
    .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((all, one, at) => all + one * [0.2126, 0.7152, 0.0722][at], 0);
  const faint = [];
  for (const text of document.querySelectorAll('text')) {
    if (text.textContent === '') continue;
    const { x, y, width, height } = text.getBoundingClientRect();
    const below = document
      .elementsFromPoint(x + width / 2, y + height / 2)
      .find((one) => one.tagName !== 'text' && one.tagName !== 'svg');
    const style = getComputedStyle(below ?? paper);
    const opacity = Number(style.fillOpacity);
    const ground = rgb(style.fill === 'none' ? getComputedStyle(paper).fill : style.fill)
      .map((one, at) => one * opacity + base[at] * (1 - opacity));
    const [high, low] = [light(ground), light(rgb(getComputedStyle(text).fill))].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 3.6) faint.push(text.textContent + ' ' + contrast.toFixed(1));
  }
  return { paper: getComputedStyle(paper).fill, faint };
})()`;

function faultsOf(found: readonly Words[]): string[] {
  const picture = found.at(-1)?.box;
  const words = found.slice(0, -1);
  const outside = words.filter(
    ({ box }) =>
      picture === undefined ||
      box.x < 0 ||
      box.y < 0 ||
      box.right > picture.right ||
      box.bottom > picture.bottom,
  );
  const over = words.flatMap((one, index) =>
    words.slice(index + 1).flatMap((other) => {
      return areApart(one, other) ? [] : [`${one.words} over ${other.words}`];
    }),
  );
  return [...outside.map((one) => `${one.words} runs out of the picture`), ...over];
}

/** Around letters a box has room above and below. */
const ROOM = 3;

function areApart(one: Words, other: Words): boolean {
  // Boxes of turned words overlap; they themselves do not while they are a line apart.
  if (one.isTurned && other.isTurned) return Math.abs(one.box.right - other.box.right) > 20;
  const [first, second] = one.isTurned ? [other, one] : [one, other];
  // What is turned goes down to the left: so far left of its end, it is as much lower.
  const down = second.isTurned ? Math.max(0, second.box.right - first.box.right) * 0.7 : 0;
  return (
    first.box.right <= second.box.x ||
    second.box.right <= first.box.x ||
    first.box.bottom <= second.box.y + down + ROOM ||
    second.box.bottom <= first.box.y + ROOM
  );
}
