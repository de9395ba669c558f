import { describe, expect, it } from 'vitest';
import { useSite } from '../../fakes/browser/use-site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

describe.skipIf(chromiumPath === null)(`finding in a page${chromiumNote}`, () => {
  const site = useSite();

  async function open(html: string) {
    const { act } = await site.open(html);
    const find = async (text: string, role?: string): Promise<string[]> =>
      (await act({ kind: 'find', text, ...(role === undefined ? {} : { role }) })).text.split('\n');
    return { act, find };
  }

  it('finds texts whose quotes, dashes, spaces and case are written in another way', async () => {
    const { find } = await open(
      `<a href="/a">“It’s here”&nbsp;– the  <b>whole</b>\n story</a><p>Größe: 4×4</p><button>C++ &amp; C#</button><button>→</button>`,
    );
    const link = '[e1] link "“It’s here” – the whole story"';
    expect(await find('"it\'s here" - The Whole Story')).toEqual(['1 found:', link]);
    expect((await find('größe 4×4'))[1]).toMatch(/text "Größe: 4×4"$/);
    expect(await find('c++ & c#')).toEqual(['1 found:', '[e2] button "C++ & C#"']);
    expect(await find('→')).toEqual(['1 found:', '[e3] button "→"']);
    expect(await find('☂')).toEqual(['Nothing on the page matches "☂".']);
  });

  it('finds what stands past the end of a name, and across elements', async () => {
    const long = 'many words that fill a name until there is no more room in it '.repeat(2);
    const { find, act } = await open(
      `<a href="/long"><div>${long}</div><div>The Source</div></a><p>Pay <b>12</b> euros <i>at</i> the door</p>
       <a href="/article">${'<p>A paragraph of an article that is a link as a whole.</p>'.repeat(30)}<p>Its very end</p></a>
       <div onclick="document.title='hit'" style="cursor:pointer"><span>Open</span> <em>all</em></div>`,
    );
    expect((await find('no more room in it the source'))[1]).toMatch(/^\[e1\] link "many words/);
    expect((await find('12 euros at the'))[1]).toMatch(/text "Pay 12 euros at the door"$/);
    expect((await find('its very end'))[1]).toMatch(/ "Its very end"$/);
    expect((await find('as a whole. its very end'))[1]).toMatch(/^\[e2\] link "A paragraph/);
    const [, line = ''] = await find('open all');
    const ref = /\[(e\d+)\]/.exec(line)?.[1] ?? '';
    const clicked = await act({ kind: 'click', at: { ref } });
    expect(clicked.text).toContain('hit');
  });

  it('acts on a text inside of what can be clicked, as it was found', async () => {
    const { find, act } = await open(
      `<div style="cursor:pointer" onclick="document.title='hit'"><p>Some title</p><span>More about it</span></div>`,
    );
    const line = (await find('more about')).find((one) => one.endsWith('"More about it"')) ?? '';
    const ref = /\[(e\d+)\]/.exec(line)?.[1] ?? '';
    expect((await act({ kind: 'click', at: { ref } })).text).toContain('hit');
  });

  it('offers what has all the words where nothing has them as they stand', async () => {
    const { find } = await open('<button>Subscribe to our weekly letter</button><p>Weekly</p>');
    expect(await find('weekly letter subscribe')).toEqual([
      '"weekly letter subscribe" is not there. With all its words:',
      '[e1] button "Subscribe to our weekly letter"',
    ]);
    expect(await find('monthly letter')).toEqual(['Nothing on the page matches "monthly letter".']);
    expect(await find('', 'slider')).toEqual(['Nothing on the page matches slider.']);
  });

  it('does not find what is hidden, in fields, or spread over the page', async () => {
    const far = `<p>First part</p>${'<p>between them a text</p>'.repeat(60)}<p>last part</p>`;
    const { find } = await open(
      `${far}<p style="display:none">never shown</p><p style="visibility:hidden">not visible</p><textarea>typed here</textarea><script>var code = 1</script>
       <p style="visibility:hidden">outer words <span style="visibility:visible">inner words</span></p>`,
    );
    for (const text of ['never shown', 'not visible', 'var code', 'outer words'])
      expect(await find(text)).toEqual([`Nothing on the page matches "${text}".`]);
    expect((await find('inner words'))[1]).toMatch(/text "inner words"$/);
    expect((await find('between them a text')).length).toBeLessThanOrEqual(22);
    expect((await find('first part between'))[0]).toMatch(/is not there|Nothing/);
  });

  it('is not led to another element by a text that changed since', async () => {
    const { find, act } = await open(
      `<span id="b" onmousedown="document.title='hit'">Cancel</span><script>onkeydown = () => { b.textContent = 'Pay everything' }</script>`,
    );
    const [, line = ''] = await find('cancel');
    const ref = /\[(e\d+)\]/.exec(line)?.[1] ?? '';
    await act({ kind: 'press_key', key: 'a' });
    const clicked = await act({ kind: 'click', at: { ref } });
    expect(clicked.text).toContain('Pay everything');
  });
});
