import type { Page } from 'playwright-core';
import type { BrowserFrame } from '#contract/browser.ts';
import { meterLoop } from '../../fakes/browser/loop-meter.ts';
import type { OpenBrowsers } from '../../fakes/browser/open-browsers.ts';
import { launchChromium } from '../../setup/chromium.ts';

/** What the time is told by: steps of 8 ms, 12 bits, four in each channel of a band at the top of the page. */
const STEP_MS = 8;
const STEPS = 4_096;
const ROWS = Array.from(
  { length: 400 },
  (_, at) =>
    `<p style="background:hsl(${(at * 37) % 360} 70% 70%)">Row ${at} ${'of text '.repeat(12)}</p>`,
);

/** A page that scrolls without end and shows when it was drawn. */
export const SCROLLING_PAGE = `<!doctype html><title>Scrolling</title>
<div id="time" style="position:fixed;z-index:1;inset:0 0 auto;height:48px"></div>${ROWS.join('\n')}
<script>
const band = document.getElementById('time');
const draw = () => {
  const step = Math.floor(Date.now() / ${STEP_MS}) % ${STEPS};
  const [r, g, b] = [step >> 8, (step >> 4) & 15, step & 15].map((four) => four * 16 + 8);
  band.style.background = \`rgb(\${r} \${g} \${b})\`;
  scrollTo(0, (performance.now() * 1.5) % (document.body.scrollHeight - innerHeight));
  requestAnimationFrame(draw);
};
draw();
</script>`;

/** Draws a frame as a window does, and returns how old it is then, in ms. */
const DRAW = `async (data) => {
  const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  globalThis.canvas ??= document.body.appendChild(document.createElement('canvas'));
  Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  const [r, g, b] = context.getImageData(600, 20, 1, 1).data;
  const step = ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4);
  const now = Math.floor(Date.now() / ${STEP_MS}) % ${STEPS};
  return ((now - step + ${STEPS}) % ${STEPS}) * ${STEP_MS};
}`;

export interface StreamFigures {
  readonly name: string;
  readonly perSecond: number;
  readonly kilobytes: number;
  /** Of each frame when it was on the canvas, in ms. */
  readonly ages: readonly number[];
}

class Reader {
  readonly ages: number[] = [];
  bytes = 0;
  readonly #page: Page;
  readonly #pauseMs: number;

  constructor(page: Page, pauseMs: number) {
    this.#page = page;
    this.#pauseMs = pauseMs;
  }

  async draw({ data }: BrowserFrame): Promise<void> {
    this.bytes += Buffer.byteLength(data);
    this.ages.push(await this.#page.evaluate<number>(`(${DRAW})(${JSON.stringify(data)})`));
    if (this.#pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
  }
}

/**
 * Watches a page that scrolls, for `seconds`, by a window that draws at once and, beside it, one that takes 300 ms
 * longer for each frame. The second figure is how long the main thread computed at a stretch, in CPU ms.
 */
export async function watchStream(
  opened: OpenBrowsers,
  url: string,
  seconds: number,
): Promise<{ readonly readers: readonly StreamFigures[]; readonly blockedMs: number }> {
  const { browsers } = opened;
  const plain = await launchChromium();
  try {
    await browsers.forTask('thr_1').act({ kind: 'navigate', url }, opened.run());
    const readers = [
      { name: 'a window that draws at once', reader: new Reader(await plain.newPage(), 0) },
      { name: 'one that takes 300 ms longer', reader: new Reader(await plain.newPage(), 300) },
    ];
    const meter = meterLoop();
    const ending = new AbortController();
    for (const { reader } of readers) {
      const viewer = {
        closed: ending.signal,
        showFrame: (frame: BrowserFrame): void => {
          void reader.draw(frame).then(
            () => browsers.drawn('thr_1', frame.number, viewer),
            () => undefined,
          );
        },
      };
      browsers.watch('thr_1', viewer);
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    ending.abort();
    const blockedMs = meter.longestMs();
    meter.stop();
    return {
      blockedMs,
      readers: readers.map(({ name, reader: { ages, bytes } }) => ({
        ...{ name, ages: [...ages] },
        perSecond: ages.length / seconds,
        kilobytes: bytes / 1_000 / seconds,
      })),
    };
  } finally {
    await plain.close();
  }
}
