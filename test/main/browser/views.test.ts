import { describe, expect, it } from 'vitest';
import { useSite } from '../../fakes/browser/use-site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

const LONG =
  'This card says so much that no name could hold it, and goes on and on, with words and words, until its last one:';

describe.skipIf(chromiumPath === null)(`what a model sees of a page${chromiumNote}`, () => {
  const site = useSite();

  /** The lines below the address. */
  async function viewOf(html: string): Promise<string[]> {
    const { threadId, text } = await site.open(html);
    await site.browsers().browsers.close(threadId);
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

  it('says what small things without a text show: their class, their color, how many', async () => {
    const dot = 'display:inline-block;width:10px;height:10px;background:';
    const star = '<i class="star full"></i>'.repeat(4);
    expect(
      await viewOf(`<style>.star,.mail{display:inline-block;width:16px;height:16px}
          .full{background-image:linear-gradient(red, red)} .mail::before{content:"\\e001"}</style>
        <p>Server <span class="dot online" style="${dot}#0f0"></span> Backup <span class="dot" style="${dot}rgba(255, 0, 0, .9)"></span></p>
        <p>Rated ${star} <i class="star"></i> by all</p>
        <p>New <i class="mail"></i></p>
        <p>Plain <span style="${dot}blue" aria-hidden="true"></span><span style="display:inline-block;width:1px;height:1px;background:red"></span><span class="gap" style="display:inline-block;width:9px;height:9px"></span>
        <span style="${dot}transparent"></span><span class="wide" style="display:block;width:300px;height:9px;background:red"></span></p>`),
    ).toEqual([
      'Server (icon .dot.online #00ff00) Backup (icon .dot #ff0000)',
      'Rated (4 icons .star.full) by all',
      'New (icon .mail)',
      'Plain',
    ]);
  });

  it('names a control that has only an icon by it', async () => {
    expect(
      await viewOf(`<style>a,button,i{display:inline-block;min-width:16px;min-height:16px}</style>
        <button class="btn"><i class="fa fa-trash"></i></button>
        <button class="btn"><svg width="16" height="16"><use href="/icons.svg#paper-plane"></use></svg></button>
        <a href="/cart"><svg data-icon="cart" width="16" height="16"></svg></a>
        <button class="ql-bold"><svg width="16" height="16"><path class="ql-stroke" d="M0 0H9"></path></svg></button>
        <button class="btn"><svg class="lucide lucide-trash" width="16" height="16"><path d="M0 0H9"></path></svg></button>
        <button class="btn"><i class="fa fa-plus"></i> Add</button><button class="btn plain"></button>`),
    ).toEqual([
      '[e1] button ".fa.fa-trash"',
      '[e2] button ".paper-plane"',
      '[e3] link ".cart"',
      expect.stringMatching(/^\[e4\] button "\.ql-bold/),
      '[e5] button ".lucide.lucide-trash"',
      '[e6] button "Add"',
      expect.stringMatching(/^\[e7\] button "\.btn\.plain/),
    ]);
  });

  it('says no more than so much of pages full of icons', async () => {
    const icons = Array.from(
      { length: 500 },
      (_, at) =>
        `<i class="i${at} ${'x'.repeat(500)}" style="display:inline-block;width:9px;height:9px;background:red"></i>`,
    );
    const [all = '', ...rest] = await viewOf(icons.join(''));
    expect(rest).toEqual([]);
    expect(all.length).toBeLessThanOrEqual(600);
    expect(all).toMatch(/^\(icon \.i0/);
  });

  it('moves a slider by many keys at once', async () => {
    const { act } = await site.open('<label>Price <input type="range" value="10"></label>');
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
