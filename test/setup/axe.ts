import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath, launchChromium } from './chromium.ts';
import { openWindowHarness, type WindowHarness, watchPage } from './window-harness.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 600, height: 860 } },
};

/** A state of the window that is looked at in every look. */
export interface Screen {
  readonly path: string;
  /** A menu is open: it floats outside of the landmarks, and says what it is by itself. */
  readonly floats?: boolean;
  /** Brings the screen about. */
  readonly open: (page: Page, narrow: boolean) => Promise<void>;
}

/** axe's rules on every screen, in every look. Animations are off: they are measured in motion. */
export function describeAccessibility(
  name: string,
  screens: Readonly<Record<string, Screen>>,
): void {
  describe.skipIf(chromiumPath === null)(`${name}${chromiumNote}`, () => {
    let harness: WindowHarness;
    let browser: Browser;

    beforeAll(async () => {
      harness = await openWindowHarness();
      browser = await launchChromium();
    });

    afterAll(async () => {
      await browser?.close();
      await harness?.[Symbol.asyncDispose]();
    });

    describe.each(Object.entries(LOOKS))('%s', (look, options) => {
      it.each(Object.entries(screens))('%s', async (_name, screen) => {
        const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
        const page = await context.newPage();
        const trouble = watchPage(page, harness.url);
        await page.goto(harness.url + screen.path);
        await screen.open(page, look === 'narrow');
        await page.waitForTimeout(150);
        await page.evaluate(AXE);
        const violations = await page.evaluate(`axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
          rules: { region: { enabled: ${screen.floats !== true} } },
        }).then(({ violations }) => violations.map(({ id, impact, nodes }) =>
          [id, impact, ...nodes.slice(0, 4).map(({ target, failureSummary }) => target.join(' ') + ': ' + failureSummary)]))`);
        await context.close();
        expect({ violations, trouble }).toEqual({ violations: [], trouble: [] });
      });
    });
  });
}
