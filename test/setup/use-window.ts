import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchChromium } from './chromium.ts';
import { openWindowHarness, type WindowHarness, watchPage } from './window-harness.ts';

/** A page before a fake main, for each test of a suite; what it must not do fails the test. */
export interface TestedWindow {
  /** Of the test that runs. */
  readonly page: Page;
  /** Opens an address; `search` gives another fake main than the suite's. */
  goto(hash: string, search?: string): Promise<void>;
  /** What was sent under this name, oldest first. */
  sent(name: string): Promise<unknown[]>;
}

/** Registers the hooks of a suite whose fake main `fake` names, as in `?skills=1`, and gives what its tests work with. */
export function useWindow(fake = ''): TestedWindow {
  let harness: WindowHarness;
  let browser: Browser;
  let page: Page;
  let trouble: string[];
  beforeAll(async () => {
    harness = await openWindowHarness();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    trouble = watchPage(page, harness.url);
  });
  afterEach(async () => {
    expect(trouble).toEqual([]);
    await page.close();
  });
  return {
    get page() {
      return page;
    },
    goto: async (hash, search = fake) => {
      await page.goto(`${harness.url}${search}${hash}`);
    },
    sent: (name) =>
      page.evaluate(
        (wanted) =>
          globalThis.fake.requests.filter((one) => one.name === wanted).map(({ input }) => input),
        name,
      ),
  };
}
