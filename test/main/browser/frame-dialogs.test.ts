import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attempt } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { type Site, startSite } from '../../fakes/browser/site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

const GOOD = 'good.test';

/** Chromium ends as a whole where a page is closed while one of its frames shows a dialog. */
describe.skipIf(chromiumPath === null)(`dialogs of frames${chromiumNote}`, () => {
  let site: Site;
  let opened: OpenBrowsers;
  beforeAll(async () => {
    site = await startSite();
    opened = await openBrowsers({ sites: ['site.test', GOOD] });
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });
  const neighbour = () => opened.browsers.forTask('thr_2');
  const page = (script: string): string =>
    `<h1>A page</h1><iframe srcdoc="<script>${script}</script>"></iframe>`;
  const visit = async (script: string) => {
    site.pages.set('/x', page(script));
    const action = { kind: 'navigate', url: site.url('/x') } as const;
    return await attempt(opened.browsers.forTask('thr_1'), action, opened.run());
  };
  beforeEach(async () => {
    const action = { kind: 'navigate', url: site.url('/good', GOOD) } as const;
    expect((await attempt(neighbour(), action, opened.run())).text).toContain('All is well');
  });
  /** Until Chromium has closed what was dropped, or has ended over it. */
  const gone = () => new Promise((resolve) => setTimeout(resolve, 1_500));
  const stillThere = async () => {
    const { text } = await attempt(neighbour(), { kind: 'snapshot' }, opened.run());
    expect(text).toContain('All is well');
  };

  it('without end close their tab, and no page of another task', async () => {
    const { text } = await visit('for(;;)alert(1)');
    expect(text).toContain('opened dialogs without end, and its tab was closed');
    await gone();
    await stillThere();
  });

  it('that are open when a task ends, or its tab is closed, end no other', async () => {
    await visit("confirm('Sure?')");
    expect(opened.browsers.state('thr_1').dialog?.message).toBe('Sure?');
    const close = { kind: 'tabs', tab: 1, close: true } as const;
    await attempt(opened.browsers.forTask('thr_1'), close, opened.run());
    expect(opened.browsers.state('thr_1').tabs).toEqual([]);
    await gone();
    await stillThere();

    await visit("confirm('Sure?')");
    await opened.browsers.close('thr_1');
    await stillThere();
  });
});
