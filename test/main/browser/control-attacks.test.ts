import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logAttack } from '../../fakes/browser/attack-log.ts';
import { attempt, refOf } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { UserAtBrowser } from '../../fakes/browser/user-at-browser.ts';
import { FORBIDDEN_SCHEMES } from '../../fakes/browser/ways-out-by-navigation.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

describe.skipIf(chromiumPath === null)(`who has control${chromiumNote}`, () => {
  let site: Site;
  let opened: OpenBrowsers;
  let tasks = 0;
  beforeAll(async () => {
    site = await startSite();
    opened = await openBrowsers();
    site.pages.set(
      '/form',
      page(`<h1>Form</h1><textarea aria-label="Text" style="position:fixed;left:20px;top:100px;width:300px;height:100px"></textarea><button style="position:fixed;left:20px;top:300px">Send</button><script>
const log = []; for (const e of ['input', 'click', 'keydown', 'mousedown']) addEventListener(e, (v) => { log.push(e); navigator.sendBeacon('/sent', e + ' ' + (v.target.value ?? '').length); }, true);</script>`),
    );
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function open(path = '/form') {
    tasks += 1;
    const threadId = `thr_${tasks}`;
    const browser = opened.browsers.forTask(threadId);
    const act = (action: Parameters<typeof browser.act>[0]) =>
      attempt(browser, action, opened.run());
    const view = await act({ kind: 'navigate', url: site.url(path) });
    expect(view.ok, view.text).toBe(true);
    site.sent.length = 0;
    return {
      threadId,
      browser,
      act,
      view: view.text,
      user: new UserAtBrowser(opened.browsers, threadId),
    };
  }

  it.each<
    [string, (ref: string) => Parameters<ReturnType<typeof opened.browsers.forTask>['act']>[0]]
  >([
    ['types', (ref) => ({ kind: 'type', ref, text: 'word '.repeat(20_000) })],
    ['types key by key', (ref) => ({ kind: 'type', ref, text: 'word '.repeat(40) })],
    ['waits', () => ({ kind: 'wait', text: 'what never comes', seconds: 20 })],
    ['opens a page that never loads', () => ({ kind: 'navigate', url: site.url('/never') })],
    ['takes a picture', () => ({ kind: 'screenshot', wholePage: true })],
  ])(
    'the user takes it while the agent %s: it acts no more, and goes on after',
    async (_name, action) => {
      const { threadId, browser, act, view, user } = await open();
      let isOver = false;
      const acting = act(action(refOf(browser, view, 'Text'))).finally(() => {
        isOver = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      const at = performance.now();
      const taken = await opened.browsers.take(threadId);
      const tookMs = Math.round(performance.now() - at);
      expect([taken.control, browser.control]).toEqual(['user', 'user']);
      logAttack(`taken after ${tookMs} ms`);
      // What the agent's action still sends has arrived when the user's own input has.
      await user.click(150, 320);
      await expect.poll(() => site.sent.some((line) => line.startsWith('click'))).toBe(true);
      const before = site.sent.filter((line) => line.startsWith('input')).length;
      await user.click(150, 320);
      await expect.poll(() => site.sent.filter((line) => line.startsWith('click')).length).toBe(2);
      expect(site.sent.filter((line) => line.startsWith('input')).length).toBe(before);
      await opened.browsers.handBack(threadId);
      const came = await acting;
      expect(
        [isOver, ['HUNG', 'UNTYPED', 'INTERNAL'].includes(came.code ?? '')],
        came.text,
      ).toEqual([true, false]);
      const next = await act({ kind: 'navigate', url: site.url('/good') });
      expect(next.text).toContain('All is well');
    },
  );

  it('while the user has it, the agent waits, sees nothing, and nothing is emitted; then it looks again', async () => {
    const { threadId, act, user } = await open();
    await opened.browsers.take(threadId);
    const events = opened.events.length;
    const came: string[] = [];
    const acting = (['snapshot', 'screenshot'] as const).map((kind) =>
      act({ kind }).then((one) => {
        came.push(one.text);
        return one;
      }),
    );
    await user.click(150, 150);
    await user.paste('words of the user');
    await expect.poll(() => site.sent.some((line) => line === 'input 17')).toBe(true);
    await opened.browsers.go(threadId, { url: site.url('/good?by-user') });
    await expect.poll(() => site.requests).toContain('GET /good?by-user');
    // That it is waiting may be shown; nothing of the page may.
    const shown = JSON.stringify(opened.events.slice(events));
    expect([came, /good|words of|url/.exec(shown)]).toEqual([[], null]);
    const state = await opened.browsers.handBack(threadId);
    expect(state.control).not.toBe('user');
    const [view] = await Promise.all(acting);
    expect(view?.text).toContain('All is well');
    expect(view?.text).toMatch(/user/i);
    const later = await act({ kind: 'snapshot' });
    expect(later.text).not.toMatch(/the user (acted|had|took|used)/i);
  });

  it('inputs and addresses of a user who has no control are conflicts', async () => {
    const { threadId, user, act } = await open();
    await expect(user.click(150, 320)).rejects.toMatchObject({ code: 'CONFLICT' });
    for (const to of [
      'back',
      'reload',
      'new_tab',
      { url: site.url('/stolen') },
      { accept: true },
    ] as const) {
      await expect(opened.browsers.go(threadId, to)).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    await expect(
      opened.browsers.input('thr_unknown', [{ type: 'text', text: 'x' }]),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    await opened.browsers.take(threadId);
    await opened.browsers.handBack(threadId);
    await expect(user.paste('x')).rejects.toMatchObject({ code: 'CONFLICT' });
    await act({ kind: 'snapshot' });
    expect([site.sent, site.requests.filter((line) => line.includes('stolen'))]).toEqual([[], []]);
  });

  it('taking one task leaves the others to the agent', async () => {
    const one = await open();
    const other = await open();
    await opened.browsers.take(one.threadId);
    const came = await other.act({ kind: 'navigate', url: site.url('/good') });
    expect(came.text).toContain('All is well');
    await opened.browsers.handBack(one.threadId);
  });

  it('an agent that waits for the user can be stopped', async () => {
    const { threadId, browser } = await open();
    await opened.browsers.take(threadId);
    const abort = new AbortController();
    const acting = browser.act({ kind: 'snapshot' }, opened.run({ signal: abort.signal }));
    const reason = new Error('stopped by the user');
    abort.abort(reason);
    await expect(acting).rejects.toBe(reason);
    await opened.browsers.handBack(threadId);
  });

  it('the user cannot be led to the inside of the computer either', async () => {
    const { threadId } = await open();
    await opened.browsers.take(threadId);
    const wrong: string[] = [];
    for (const url of FORBIDDEN_SCHEMES.filter((one) => !/^(javascript|data|mailto)/.test(one))) {
      await opened.browsers.go(threadId, { url }).catch((error: { code?: string }) => {
        if (error.code === undefined) wrong.push(`${url}: ${String(error)}`);
      });
      const { tabs } = opened.browsers.state(threadId);
      wrong.push(
        ...tabs
          .filter((tab) => !/^(https?:|about:blank|chrome-error:|$)/.test(tab.url))
          .map((tab) => `${url}: ${tab.url}`),
      );
    }
    await opened.browsers.handBack(threadId);
    expect(wrong).toEqual([]);
  });

  it.each<[string, string]>([
    ['a dialog', 'alert(1)'],
    ['an endless script', 'for (;;);'],
    ['endless dialogs', 'for (;;) alert(1)'],
    ['a renderer that closes', 'window.close()'],
  ])('a page with %s can be taken, left and handed back', async (_name, code) => {
    const { threadId, act, browser } = await open();
    site.pages.set(
      '/bad',
      page(
        `<h1>Bad</h1><button>Go</button><script>document.querySelector('button').onclick = () => { ${code} }</script>`,
      ),
    );
    const view = await act({ kind: 'navigate', url: site.url('/bad') });
    const acting = act({ kind: 'click', at: { ref: refOf(browser, view.text, 'Go') } });
    await new Promise((resolve) => setImmediate(resolve));
    const taken = await opened.browsers.take(threadId);
    expect(taken.control).toBe('user');
    await opened.browsers.go(threadId, { url: site.url('/good') }).catch(() => undefined);
    await opened.browsers.handBack(threadId);
    const came = await acting;
    expect(['HUNG', 'UNTYPED', 'INTERNAL'], came.text).not.toContain(came.code);
    await opened.browsers.close(threadId);
    const next = await act({ kind: 'navigate', url: site.url('/good') });
    expect(next.text).toContain('All is well');
  });
});
