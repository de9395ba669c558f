import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { connectChromium } from './chromium.ts';
import { openAddress, watchPage } from './window-harness.ts';

const SIZE = { width: 1440, height: 900 };

/** The Chromium of this run, and where the window is served. Throws where there is no Chromium. */
export interface SharedChromium {
  readonly browser: Browser;
  readonly url: string;
}

/** The shared browser, for as long as a suite runs: contexts that it opened end with it. */
export function useChromium(): SharedChromium {
  let browser: Browser;
  const server = inject('windowServer');
  beforeAll(async () => {
    if (server === null) throw new Error('There is no Chromium here.');
    browser = await connectChromium(server.chromium);
  });
  afterAll(() => browser?.close());
  return {
    get browser() {
      return browser;
    },
    get url() {
      return server?.url ?? '';
    },
  };
}

/** Makes a page as good as new: at no address, with nothing stored, nobody listening, in the usual size. */
export async function emptyPage(page: Page, session: CDPSession, url: string): Promise<void> {
  page.removeAllListeners();
  // What a tab keeps for itself, such as drafts, is not among what the browser clears below.
  await page.evaluate('try { sessionStorage.clear(); } catch {}');
  await page.goto('about:blank');
  const { origin } = new URL(url);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await page.setViewportSize(SIZE);
  await page.mouse.move(0, 0);
}

/** A page before a fake main, for each test of a suite; what it must not do fails the test. */
export interface TestedWindow {
  /** Of the test that runs. */
  readonly page: Page;
  /** Opens an address; `search` gives another fake main than the suite's. */
  goto(hash: string, search?: string): Promise<void>;
  /** What was sent under this name, oldest first. */
  sent(name: string): Promise<unknown[]>;
}

/**
 * Registers the hooks of a suite whose fake main `fake` names, as in `?skills=1`, and gives what its tests
 * work with. The tests of a suite use one page, one after the other: a page that has the window's code
 * loaded opens it in a third of the time. Each test finds it empty, without anything stored. Nothing is
 * animated: sixty pictures a second, drawn without a graphics card, are most of the work of a test.
 */
export function useWindow(fake = ''): TestedWindow {
  const chromium = useChromium();
  let page: Page;
  let session: CDPSession;
  let trouble: string[] = [];
  beforeAll(async () => {
    page = await chromium.browser.newPage({ reducedMotion: 'reduce' });
    session = await page.context().newCDPSession(page);
  });
  beforeEach(async () => {
    await emptyPage(page, session, chromium.url);
    trouble = watchPage(page, chromium.url);
  });
  afterEach(() => {
    expect(trouble).toEqual([]);
  });
  return {
    get page() {
      return page;
    },
    goto: async (hash, search = fake) => {
      await openAddress(page, `${chromium.url}${search}${hash}`, trouble);
    },
    sent: (name) =>
      page.evaluate(
        (wanted) =>
          globalThis.fake.requests.filter((one) => one.name === wanted).map(({ input }) => input),
        name,
      ),
  };
}
