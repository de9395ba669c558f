import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/limits.ts';
import { attempt, refOf } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { UserAtBrowser } from '../../fakes/browser/user-at-browser.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';
import { findSecrets } from '../../setup/secret-hunt.ts';

const NAME = 'zqxjkname-wvtrs.txt';
const CONTENT = 'zqxjkcontent-wvtrs';
const REPORT = `async function report(field) {
  for (const file of field.files)
    navigator.sendBeacon('/sent', [file.name, file.type, await file.text()].join('|'));
}`;

/** Fields are 40 pixels apart, the first at 20. */
const ROWS = {
  one: `<input type="file" accept=".txt,text/plain" aria-label="One" onchange="report(this)">`,
  many: `<input type="file" multiple aria-label="Many" onchange="report(this)">`,
  hidden: `<input type="file" hidden id="unseen" onchange="report(this)"><button onclick="unseen.click()">Pick</button>`,
  framed: `<iframe sandbox="allow-scripts" style="border:0;height:30px" srcdoc="${`<body style='margin:0'><script>${REPORT}</script><input type='file' onchange='report(this)'>`.replaceAll('"', '&quot;')}"></iframe>`,
  loop: `<input type="file" id="looped" hidden><button onclick="asks = 0; setInterval(() => { looped.click(); asks += 1; if (asks === 50) navigator.sendBeacon('/sent', 'looped') }, 5)">Loop</button>`,
  folder: `<input type="file" webkitdirectory aria-label="Folder">`,
  leave: `<button onclick="location.href = '/good'">Leave</button>`,
} as const;
const yOf = (row: keyof typeof ROWS): number => 30 + Object.keys(ROWS).indexOf(row) * 40;

const PAGE = page(
  `<style>body{margin:0} div{position:absolute;left:20px;height:30px} input,button{height:24px}</style><script>${REPORT}</script>
  ${Object.entries(ROWS)
    .map(([row, html]) => `<div style="top:${yOf(row as keyof typeof ROWS) - 12}px">${html}</div>`)
    .join('')}<p style="position:absolute;top:400px" id="shown"></p>
  <script>document.addEventListener('change', ({ target }) => { shown.textContent = target.files[0].name; });</script>`,
);

const file = (changes: { bytes?: Buffer } = {}) => ({
  ...{ name: NAME, mimeType: 'text/plain', bytes: Buffer.from(CONTENT) },
  ...changes,
});

describe.skipIf(chromiumPath === null)(`pages that ask the user for files${chromiumNote}`, () => {
  let site: Site;
  let opened: OpenBrowsers;
  let tasks = 0;
  const begin = Date.now();
  beforeAll(async () => {
    site = await startSite(new Map([['/files', PAGE]]));
    opened = await openBrowsers({ viewTokens: 4_000 });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function takeOver() {
    tasks += 1;
    const threadId = `thr_${tasks}`;
    const browser = opened.browsers.forTask(threadId);
    const act = (action: Parameters<typeof browser.act>[0]) =>
      attempt(browser, action, opened.run());
    const view = await act({ kind: 'navigate', url: site.url('/files') });
    expect(view.ok, view.text).toBe(true);
    await opened.browsers.take(threadId);
    site.sent.length = 0;
    const user = new UserAtBrowser(opened.browsers, threadId);
    const chooser = () => opened.browsers.state(threadId).chooser;
    /** Clicks a row, and waits until it asks. */
    const ask = async (row: keyof typeof ROWS) => {
      const before = chooser()?.id;
      await user.click(50, yOf(row));
      await expect.poll(() => chooser()?.id ?? before).not.toBe(before);
      return chooser() ?? { id: '', accept: '', isMultiple: false };
    };
    const give = (chooserId: string, files = [file()]) =>
      opened.browsers.giveFiles(threadId, { chooserId, files });
    return { threadId, browser, act, view: view.text, user, chooser, ask, give };
  }

  it('gives the chosen files to the field that asks, of any frame', async () => {
    const { ask, give, chooser } = await takeOver();
    const one = await ask('one');
    expect(one).toMatchObject({ accept: '.txt,text/plain', isMultiple: false });
    await expect(give(one.id, [file(), file()])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await give(one.id)).chooser).toBe(null);
    await expect.poll(() => site.sent).toEqual([`${NAME}|text/plain|${CONTENT}`]);
    const many = await ask('many');
    expect(many).toMatchObject({ accept: '', isMultiple: true });
    await give(many.id, [file(), file({ bytes: Buffer.alloc(0) })]);
    await expect.poll(() => site.sent.length).toBe(3);
    for (const row of ['hidden', 'framed'] as const) {
      await give((await ask(row)).id);
      await expect.poll(() => site.sent.length).toBe(row === 'hidden' ? 4 : 5);
    }
    expect(chooser()).toBe(null);
    await expect(give(many.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(site.sent.length).toBe(5);
  });

  it('gives nothing after a cancel, and nothing too large; a folder is refused in words', async () => {
    const { ask, give, chooser } = await takeOver();
    const { id } = await ask('one');
    const large = file({ bytes: Buffer.alloc(ATTACHMENT_LIMIT_BYTES + 1) });
    await expect(give(id, [large])).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringContaining('25 MB'),
    });
    // It still asks.
    expect(chooser()?.id).toBe(id);
    await give(id, []);
    expect(chooser()).toBe(null);
    const folder = await ask('folder');
    await expect(give(folder.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.not.stringContaining(NAME),
    });
    expect([chooser(), site.sent]).toEqual([null, []]);
  });

  it('is gone with the page and with control; the agent has choosers as before', async () => {
    const { threadId, ask, user, chooser, give, browser, view, act } = await takeOver();
    await ask('one');
    await user.click(50, yOf('leave'));
    await expect.poll(() => chooser()).toBe(null);
    await opened.browsers.go(threadId, { url: site.url('/files') });
    await expect.poll(() => opened.browsers.state(threadId).isLoading).toBe(false);
    const { id } = await ask('many');
    expect((await opened.browsers.handBack(threadId)).chooser).toBe(null);
    await expect(give(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    const again = await act({ kind: 'navigate', url: site.url('/files') });
    const pick = refOf(browser, `${view}${again.text}`, 'Pick');
    expect((await act({ kind: 'click', at: { ref: pick } })).ok).toBe(true);
    expect(opened.browsers.state(threadId).chooser).toBe(null);
    await opened.browsers.take(threadId);
    await expect(give(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(site.sent).toEqual([]);
  });

  it('a page that asks in a loop waits as one, is silent after a cancel, and stops nothing', async () => {
    const { threadId, ask, give, chooser, user } = await takeOver();
    const { id } = await ask('loop');
    await expect.poll(() => site.sent).toContain('looped');
    expect(chooser()?.id).toBe(id);
    const states = opened.states.length;
    await give(id, []);
    await user.click(700, 700);
    await opened.browsers.go(threadId, { url: site.url('/good') });
    await expect
      .poll(() => opened.browsers.state(threadId).tabs)
      .toMatchObject([{ title: 'Good page' }]);
    expect(opened.states.length - states).toBeLessThan(20);
  });

  it('nothing of the file is in views, events, states and files of the app', async () => {
    const { threadId, ask, give, act } = await takeOver();
    const events = opened.events.length;
    await give((await ask('one')).id);
    await expect.poll(() => site.sent.length).toBe(1);
    await opened.browsers.handBack(threadId);
    const came = [
      await act({ kind: 'snapshot' }),
      await act({ kind: 'find', text: 'zqxjk' }),
      await act({ kind: 'tabs' }),
    ];
    expect(came.map(({ ok }) => ok)).toEqual([true, true, true]);
    const places = new Map<string, Buffer>([
      ['views', Buffer.from(came.map(({ text }) => text).join('\n'))],
      ['events', Buffer.from(JSON.stringify(opened.events.slice(events)))],
      ['states', Buffer.from(JSON.stringify(opened.states))],
      ['connections', Buffer.from(JSON.stringify(opened.connections))],
    ]);
    const collect = (folder: string, depth: number, named = /^/): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (!named.test(entry.name)) continue;
        try {
          if (entry.isDirectory() && depth < 8) collect(path, depth + 1);
          else if (entry.isFile() && depth > 0 && statSync(path).mtimeMs >= begin)
            places.set(path, Buffer.concat([Buffer.from(path), readFileSync(path)]));
        } catch {
          // It was removed meanwhile, as by another test.
        }
      }
    };
    collect(tmpdir(), 0, /hyperagent-(?!chromium)|playwright|\.org\.chromium/i);
    const found = findSecrets(places, [NAME, CONTENT]);
    expect(found.map(({ where, form }) => `${where} (${form})`)).toEqual([]);
  });
});
