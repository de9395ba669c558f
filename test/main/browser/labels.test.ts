import { describe, expect, it } from 'vitest';
import { useSite } from '../../fakes/browser/use-site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

const SHAPES = `<svg width="300" height="200" style="position:absolute;left:40px;top:100px">
  <circle cx="50" cy="50" r="20" fill="red"/><rect x="200" y="100" width="40" height="30" fill="blue"/></svg>`;

describe.skipIf(chromiumPath === null)(`labels in pictures of pages${chromiumNote}`, () => {
  const site = useSite();

  async function open(html: string) {
    const { threadId } = await site.open(`<style>body{margin:0}</style>${html}`);
    const { browsers, run } = site.browsers();
    const browser = browsers.forTask(threadId);
    const look = (wholePage = false) => browser.act({ kind: 'screenshot', wholePage }, run());
    return { browser, look };
  }

  it('say where the elements of a page that draws are, and the text says what they are', async () => {
    const { browser, look } = await open(
      `${SHAPES}<button style="position:absolute;left:500px;top:20px;width:90px;height:30px">Go</button>`,
    );
    const { text, labels = [], screenshot } = await look();
    expect(screenshot?.length).toBeGreaterThan(1_000);
    const places = labels.map(({ ref, ...place }) => {
      const { role = '', name = '' } = browser.shown(ref) ?? {};
      return [`${role} ${name}`.slice(0, 12), place];
    });
    expect(places).toEqual([
      ['circle red 4', { x: 70, y: 130, width: 40, height: 40, isOpaque: false }],
      ['rect blue 40', { x: 240, y: 200, width: 40, height: 30, isOpaque: false }],
      ['button Go', { x: 500, y: 20, width: 90, height: 30, isOpaque: false }],
    ]);
    for (const { ref } of labels) expect(text).toContain(`[${ref}]`);
  });

  it('are not in pictures of pages that are all text, nor of whole pages', async () => {
    const { look } = await open('<h1>Title</h1><button>Go</button>');
    expect((await look()).labels).toBe(undefined);
    const drawn = await open(SHAPES);
    expect((await drawn.look(true)).labels).toBe(undefined);
  });

  it('know a canvas by its points, frames by where they are, and nothing that is covered or out of sight', async () => {
    const inner = `<style>body{margin:0}</style><canvas width=100 height=50 style='position:absolute;left:10px;top:20px'></canvas>`;
    const { look } = await open(
      `<canvas width="400" height="300"></canvas>
       <button style="position:absolute;left:600px;top:20px">Under</button><div style="position:absolute;left:590px;top:10px;width:200px;height:60px;background:white"></div>
       <iframe srcdoc="${inner}" style="position:absolute;left:100px;top:400px;width:200px;height:100px;border:0"></iframe>
       <button style="position:absolute;top:3000px">Far</button>`,
    );
    const { labels = [] } = await look();
    expect(labels.map(({ ref: _ref, ...place }) => place)).toEqual([
      { x: 0, y: 0, width: 400, height: 300, isOpaque: true },
      { x: 110, y: 420, width: 100, height: 50, isOpaque: true },
    ]);
  });

  it('have a limit', async () => {
    const { look } = await open(
      `${SHAPES}${Array.from({ length: 200 }, (_, at) => `<button style="width:40px;height:20px;padding:0">${at}</button>`).join('')}`,
    );
    const { labels = [] } = await look();
    expect([labels.length > 20, labels.length <= 80]).toEqual([true, true]);
  });
});
