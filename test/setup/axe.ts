import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from './chromium.ts';
import { sample } from './sampling.ts';
import { emptyPage, useChromium } from './use-window.ts';
import { openAddress, watchPage } from './window-harness.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Sizes of the window; the wide one is judged in light, and in dark on the same page. */
const SIZES = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 600, height: 860 },
} as const;

const EVERY_RULE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The dark look has the same elements in other colours. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** A state of the window that is looked at in every look. */
export interface Screen {
  readonly path: string;
  /** A menu is open: it floats outside of the landmarks, and says what it is by itself. */
  readonly floats?: boolean;
  /** Brings the screen about. */
  readonly open: (page: Page, narrow: boolean) => Promise<void>;
}

/**
 * axe's rules on every screen in light and in dark, and on a third of them in the narrow look. Animations
 * are off: colours that change are measured on the way.
 */
export function describeAccessibility(
  name: string,
  screens: Readonly<Record<string, Screen>>,
): void {
  describe.skipIf(chromiumPath === null)(`${name}${chromiumNote}`, () => {
    const chromium = useChromium();
    let page: Page;
    let session: CDPSession;

    beforeAll(async () => {
      page = await chromium.browser.newPage({ reducedMotion: 'reduce' });
      session = await page.context().newCDPSession(page);
    });

    const all = Object.entries(screens);
    const narrow = sample(all, { name: `${name} at 600 px`, size: Math.ceil(all.length / 3) });

    describe.each([
      ['wide', SIZES.wide, all],
      ['narrow', SIZES.narrow, narrow],
    ] as const)('%s', (look, size, shown) => {
      it.each(shown)('%s', async (_name, screen) => {
        await emptyPage(page, session, chromium.url);
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        await page.setViewportSize(size);
        const trouble = watchPage(page, chromium.url);
        await openAddress(page, chromium.url + screen.path, trouble);
        await screen.open(page, look === 'narrow');
        await page.evaluate(AXE);
        const light = await violations(page, screen);
        let dark: unknown = [];
        if (look === 'wide') {
          await page.emulateMedia({ colorScheme: 'dark' });
          dark = await violations(page, screen, COLOURS);
        }
        expect({ light, dark, trouble }).toEqual({ light: [], dark: [], trouble: [] });
      });
    });
  });
}

/** What axe finds once the screen has come to rest. */
async function violations(
  page: Page,
  { floats = false }: Screen,
  rules: readonly string[] = EVERY_RULE,
): Promise<unknown> {
  await page.evaluate(`(${atRest})()`);
  return page.evaluate(`axe.run(document, {
    runOnly: ${JSON.stringify(rules)},
    rules: { region: { enabled: ${!floats} } },
    resultTypes: ['violations'],
  }).then(({ violations }) => violations.map(({ id, impact, nodes }) =>
    [id, impact, ...nodes.slice(0, 4).map(({ target, failureSummary }) => target.join(' ') + ': ' + failureSummary)]))`);
}

/**
 * Waits until nothing moves: fonts are loaded, transitions have ended, and ten frames have passed in which
 * no element came, went or changed. What changes for as long as it is looked at, such as a counter of
 * seconds, is waited for no longer than 120 frames.
 */
const atRest = `async () => {
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const moves = () => document.getAnimations().some((one) =>
    one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity);
  await document.fonts.ready;
  let quiet = 0;
  const watcher = new MutationObserver(() => { quiet = 0; });
  watcher.observe(document, { subtree: true, childList: true, attributes: true });
  for (let frames = 0; quiet < 10 && frames < 120; frames += 1) {
    await frame();
    quiet = moves() ? 0 : quiet + 1;
  }
  watcher.disconnect();
}`;
