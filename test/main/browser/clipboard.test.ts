import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserInput } from '#contract/browser.ts';
import { attempt, refOf } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { UserAtBrowser } from '../../fakes/browser/user-at-browser.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

const CANARY = 'zqxcopied-canary';

const inFrame = (field: string): string =>
  `<body style="margin:0">${field}`.replaceAll('"', '&quot;');
/** Each at a place of its own: the field is at x 20 to 320. */
const FIELDS = {
  text: { y: 40, html: `<input aria-label="Text" value="${CANARY} text">` },
  email: { y: 80, html: `<input type="email" aria-label="Mail" value="${CANARY}@a.example">` },
  area: { y: 120, html: `<textarea aria-label="Letter">${CANARY}\nline</textarea>` },
  editable: { y: 160, html: `<div contenteditable>${CANARY} editable</div>` },
  readonly: { y: 200, html: `<input readonly aria-label="Fixed" value="${CANARY} fixed">` },
  password: { y: 240, html: `<input type="password" aria-label="Password" value="${CANARY}">` },
  hidden: {
    y: 280,
    html: `<input style="-webkit-text-security: disc" aria-label="Hidden" value="${CANARY}">`,
  },
  frame: {
    y: 320,
    html: `<iframe sandbox="allow-scripts" srcdoc="${inFrame(`<input value='${CANARY} framed'>`)}"></iframe>`,
  },
  shadow: { y: 360, html: `<div id="open"></div>` },
  'closed password': { y: 400, html: `<div id="closed"></div>` },
  long: { y: 440, html: `<textarea id="long" aria-label="Long"></textarea>` },
} as const;

const PAGE = page(
  `<style>body{margin:0} .at{position:absolute;left:20px}
  input,textarea,iframe,[contenteditable]{box-sizing:border-box;width:300px;height:30px;border:0;padding:0;margin:0}</style>
  ${Object.values(FIELDS)
    .map(({ y, html }) => `<div class="at" style="top:${y - 15}px">${html}</div>`)
    .join('')}
  <p class="at" style="top:600px">Words of the page</p>
  <script>
    const shadow = (id, mode, html) => { document.getElementById(id).attachShadow({ mode }).innerHTML =
      '<style>input{width:300px;height:30px}</style>' + html; };
    shadow('open', 'open', '<input value="${CANARY} shadow">');
    shadow('closed', 'closed', '<input type="password" value="${CANARY}">');
    document.getElementById('long').value = 'x'.repeat(100001);
    for (const type of ['copy', 'cut', 'paste', 'keydown'])
      document.addEventListener(type, (event) => {
        if (type !== 'keydown' || /^[cvx]$/i.test(event.key)) navigator.sendBeacon('/sent', type);
      });
  </script>`,
);

describe.skipIf(chromiumPath === null)(`copying out of the page${chromiumNote}`, () => {
  let site: Site;
  let opened: OpenBrowsers;
  let tasks = 0;
  beforeAll(async () => {
    site = await startSite(
      new Map([
        ['/fields', PAGE],
        [
          '/empty',
          page(
            `<textarea aria-label="Empty"></textarea><script>
            document.title = 'Has a mouse: ' + matchMedia('(hover: hover) and (pointer: fine)').matches</script>`,
          ),
        ],
      ]),
    );
    opened = await openBrowsers({ viewTokens: 4_000 });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function takeOver(path: string) {
    tasks += 1;
    const threadId = `thr_${tasks}`;
    const browser = opened.browsers.forTask(threadId);
    const act = (action: Parameters<typeof browser.act>[0]) =>
      attempt(browser, action, opened.run());
    const view = await act({ kind: 'navigate', url: site.url(path) });
    expect(view.ok, view.text).toBe(true);
    await opened.browsers.take(threadId);
    site.sent.length = 0;
    const user = new UserAtBrowser(opened.browsers, threadId);
    const press = async (key: string, modifiers: ('Control' | 'Shift')[] = []) => {
      const down: BrowserInput = { type: 'key_down', key, code: '', modifiers };
      await opened.browsers.input(threadId, [down, { ...down, type: 'key_up', modifiers: [] }]);
    };
    const selection = () => opened.browsers.selection(threadId);
    return { threadId, browser, act, view: view.text, user, press, selection };
  }

  it('gives the selected part of whatever has the focus, and nothing of passwords', async () => {
    const { threadId, user, press, selection } = await takeOver('/fields');
    expect(await selection()).toEqual({ text: '', canCut: false });
    const found: Record<string, unknown> = {};
    for (const [name, { y }] of Object.entries(FIELDS)) {
      await user.click(100, y);
      await press('a', ['Control']);
      found[name] = Object.values(await selection());
    }
    expect(found).toEqual({
      text: [`${CANARY} text`, true],
      email: [`${CANARY}@a.example`, true],
      area: [`${CANARY}\nline`, true],
      editable: [`${CANARY} editable`, true],
      readonly: [`${CANARY} fixed`, false],
      password: ['', true],
      hidden: ['', true],
      frame: [`${CANARY} framed`, true],
      shadow: [`${CANARY} shadow`, true],
      'closed password': [expect.not.stringContaining(CANARY), false],
      long: [null, true],
    });
    await user.click(200, FIELDS.text.y);
    await press('Home');
    for (let n = 0; n < 3; n += 1) await press('ArrowRight', ['Shift']);
    expect(await selection()).toEqual({ text: CANARY.slice(0, 3), canCut: true });
    // All of the page: what stands in its fields is no part of it.
    await user.click(60, 625);
    await press('a', ['Control']);
    const all = await selection();
    expect(all).toEqual({ text: expect.stringContaining('Words of the page'), canCut: false });
    expect(all.text?.replace(`${CANARY} editable`, '')).not.toContain(CANARY);
    await opened.browsers.handBack(threadId);
  });

  it('is for the user with control only', async () => {
    const { threadId, user, selection } = await takeOver('/fields');
    await user.click(200, FIELDS.text.y);
    await opened.browsers.handBack(threadId);
    await expect(selection()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('puts nothing on the clipboard that all tasks share, and pages see no copying', async () => {
    const { threadId, user, press, selection } = await takeOver('/fields');
    const other = await takeOver('/empty');
    await opened.browsers.handBack(other.threadId);
    await user.click(200, FIELDS.readonly.y);
    await press('a', ['Control']);
    expect((await selection()).text).toContain(CANARY);
    for (const key of ['c', 'C', 'x', 'Insert']) await press(key, ['Control']);
    await press('Delete', ['Shift']);
    // What comes after those keys has arrived.
    await user.click(200, FIELDS.text.y);
    await press('b');
    const events = opened.events.length;
    await opened.browsers.handBack(threadId);
    expect(site.sent).toEqual([]);
    const field = refOf(other.browser, other.view, 'Empty');
    const pasted = [
      await other.act({ kind: 'press_key', key: 'Control+V', ref: field }),
      await other.act({ kind: 'click', at: { ref: field }, button: 'middle' }),
      await other.act({ kind: 'snapshot' }),
    ];
    expect(pasted.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(pasted[2]?.text).toContain('Has a mouse: true');
    const known = JSON.stringify([pasted, opened.events.slice(events), opened.states]);
    expect(known).not.toContain(CANARY);
  });
});
