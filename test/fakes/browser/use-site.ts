import { afterAll, beforeAll, expect } from 'vitest';
import type { BrowserAction } from '#main/browser/types.ts';
import { type Attempt, attempt } from './attempt.ts';
import { type OpenBrowsers, openBrowsers } from './open-browsers.ts';
import { page, type Site, startSite } from './site.ts';

/** A page that is open in a browser of its own, so that its refs begin at 1. */
export interface OpenedPage {
  readonly threadId: string;
  readonly text: string;
  readonly act: (action: BrowserAction) => Promise<Attempt>;
}

/** A site and the real browsers, for the tests of one `describe`. */
export function useSite() {
  let site: Site;
  let opened: OpenBrowsers;
  let tasks = 0;
  beforeAll(async () => {
    site = await startSite();
    opened = await openBrowsers();
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  return {
    browsers: () => opened,
    /** Opens the HTML in a task of its own. */
    open: async (html: string): Promise<OpenedPage> => {
      site.pages.set('/page', page(html));
      tasks += 1;
      const threadId = `thr_${tasks}`;
      const act = (action: BrowserAction): Promise<Attempt> =>
        attempt(opened.browsers.forTask(threadId), action, opened.run());
      const { ok, text } = await act({ kind: 'navigate', url: site.url('/page') });
      expect(ok, text).toBe(true);
      return { threadId, text, act };
    },
  };
}
