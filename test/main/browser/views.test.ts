import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attempt } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

const LONG =
  'This card says so much that no name could hold it, and goes on and on, with words and words, until its last one:';

describe.skipIf(chromiumPath === null)(`what a model sees of a page${chromiumNote}`, () => {
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

  /** The lines below the address; a browser of its own for each, so that refs begin at 1. */
  async function viewOf(html: string): Promise<string[]> {
    site.pages.set('/view', page(html));
    tasks += 1;
    const task = `thr_${tasks}`;
    const browser = opened.browsers.forTask(task);
    const url = site.url('/view');
    const { ok, text } = await attempt(browser, { kind: 'navigate', url }, opened.run());
    expect(ok, text).toBe(true);
    await opened.browsers.close(task);
    const lines = text.split('\n');
    return lines.slice(lines.findIndex((line) => line.startsWith('Page:')) + 1);
  }

  it('names fields by their labels, and shows values, states and choices', async () => {
    expect(
      await viewOf(`<h1>Order</h1><label>Name <input value="Ada"></label>
        <label>Key <input type="password" value="secret"></label>
        <label>Kind <select><option>green<option selected>black</select></label>
        <label><input type="checkbox" checked> Gift</label><button disabled>Send</button>`),
    ).toEqual([
      '# Order',
      '[e1] textbox "Name" = "Ada"',
      '[e2] textbox (password) "Key" = "••••"',
      '[e3] combobox "Kind" = "black" options: "green", "black"',
      '[e4] checkbox "Gift" checked',
      '[e5] button "Send" disabled',
    ]);
  });

  it('shows the whole text of what can be clicked where it is too long for a name', async () => {
    const lines = await viewOf(`<div onclick="1"><p>${LONG}</p><p>the end</p></div>`);
    expect(lines).toEqual([
      expect.stringMatching(/^\[e1\] clickable "This card says so much .*…"$/),
      LONG,
      'the end',
    ]);
    expect(await viewOf('<div onclick="1"><p>Short</p><p>and whole</p></div>')).toEqual([
      '[e1] clickable "Short and whole"',
    ]);
  });

  it('moves a slider by many keys at once', async () => {
    site.pages.set('/slider', page('<label>Price <input type="range" value="10"></label>'));
    const browser = opened.browsers.forTask('thr_slider');
    const act = (action: Parameters<typeof browser.act>[0]) =>
      attempt(browser, action, opened.run());
    await act({ kind: 'navigate', url: site.url('/slider') });
    const moved = await act({ kind: 'press_key', key: 'ArrowRight', ref: 'e1', times: 40 });
    expect([moved.ok, moved.text.split('\n')[0]], moved.text).toEqual([
      true,
      'Pressed ArrowRight 40 times in [e1] slider "Price".',
    ]);
    expect(moved.text).toContain('[e1] slider "Price" = "50"');
  });

  it('goes into frames and open shadow roots', async () => {
    const shadow = `document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<button>Inside</button>'`;
    expect(
      await viewOf(`<iframe title="Pay" srcdoc="<button>Card</button>"></iframe>
        <x-a></x-a><script>${shadow}</script>`),
    ).toEqual(['[e1] frame "Pay":', '  [f1e1] button "Card"', '[e2] button "Inside"']);
  });
});
