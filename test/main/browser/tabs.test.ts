import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attempt, refOf } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { type Site, startSite } from '../../fakes/browser/site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

describe.skipIf(chromiumPath === null)(`tabs that pages open${chromiumNote}`, () => {
  let site: Site;
  let opened: OpenBrowsers;
  beforeAll(async () => {
    site = await startSite();
    opened = await openBrowsers({ sites: ['site.test'] });
  });
  afterEach(async () => {
    await opened.browsers.close('thr_1');
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });
  const browser = () => opened.browsers.forTask('thr_1');
  const visit = async (html: string) => {
    site.pages.set('/x', html);
    return await attempt(browser(), { kind: 'navigate', url: site.url('/x') }, opened.run());
  };
  const click = async (text: string, name: string) => {
    const ref = refOf(browser(), text, name);
    return await attempt(browser(), { kind: 'click', at: { ref } }, opened.run());
  };

  it.each([
    ['by script', `<button onclick="window.open('/good')">Open</button>`],
    ['by a link', '<a href="/good" target="_blank">Open</a>'],
    ['by a link without an opener', '<a href="/good" target="_blank" rel="noopener">Open</a>'],
  ])('are shown where the shown page opened them %s', async (_how, html) => {
    const seen = await click((await visit(html)).text, 'Open');
    expect(seen.text).toContain('A new tab was opened, and is shown now.');
    expect(seen.text).toContain('All is well');
  });

  it('stay behind where a page behind the shown one opened them', async () => {
    site.pages.set(
      '/front',
      `<button onclick="opener.postMessage('go', '*'); onmessage = () => { this.textContent = 'Asked' }">Ask</button>`,
    );
    const first = await visit(
      `<button onclick="window.open('/front')">Open</button>
       <script>onmessage = ({ source }) => { open('/good'); source.postMessage('done', '*') }</script>`,
    );
    const front = await click(first.text, 'Open');
    await click(front.text, 'Ask');
    await expect.poll(() => opened.browsers.state('thr_1').tabs.length).toBe(3);
    const { tabs, tabId } = opened.browsers.state('thr_1');
    expect(tabs.find(({ id }) => id === tabId)?.url).toBe(site.url('/front'));
    const { text } = await attempt(browser(), { kind: 'snapshot' }, opened.run());
    expect(text).toContain('Asked');
    const listed = await attempt(browser(), { kind: 'tabs' }, opened.run());
    expect(listed.text).toMatch(/2\. .*\/front \(shown\)[\s\S]*3\. .*\/good/);
  });

  it('are shown where the agent opened them', async () => {
    await visit('<h1>First</h1>');
    const { text } = await attempt(browser(), { kind: 'tabs', open: true }, opened.run());
    expect(text).toContain('Opened tab 2.');
    expect(text).toMatch(/2\. .*about:blank \(shown\)/);
  });
});
