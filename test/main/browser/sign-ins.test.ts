import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SignIn } from '#main/browser/sign-in.ts';
import { attempt } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

const TOKEN = 'zqhttponlytokenwvzqhttponly';
const STORED = 'zqlocalstoragevaluewvzq';

/** Greets who has the cookie; its own script shows who has the stored value. */
const HOME = `<p id=stored></p><script>
  document.querySelector('#stored').textContent = 'Stored: ' + (localStorage.getItem('session') === '${STORED}' ? 'yes' : 'no');
  localStorage.setItem('visited', 'yes');
</script>`;

describe.skipIf(chromiumPath === null)(`sign-ins of a task${chromiumNote}`, () => {
  let site: Site;
  let opened: OpenBrowsers;
  beforeAll(async () => {
    site = await startSite();
    site.pages.set('/sign-in', (_request, response) => {
      response.writeHead(200, {
        'content-type': 'text/html',
        'set-cookie': [
          `session=${TOKEN}; HttpOnly; Path=/; SameSite=Lax`,
          'wide=everywhere; Domain=site.test; Path=/account',
        ],
      });
      response.end(
        page(`<p>Signed in</p><script>localStorage.setItem('session', '${STORED}')</script>`),
      );
    });
    site.pages.set('/', (request, response) => {
      const isKnown = request.headers.cookie?.includes(TOKEN) === true;
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(page(`<h1>${isKnown ? `Welcome back ${TOKEN}` : 'Please sign in'}</h1>${HOME}`));
    });
    opened = await openBrowsers({ sites: ['site.test', 'other.test', 'sub.site.test'] });
  });
  afterEach(async () => {
    for (const task of ['thr_1', 'thr_2']) await opened.browsers.close(task);
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  const goTo = async (threadId: string, url: string): Promise<void> => {
    await opened.browsers.go(threadId, { url });
    await expect
      .poll(() => opened.browsers.state(threadId), { timeout: 30_000 })
      .toMatchObject({ isLoading: false, tabs: [{ url }] });
  };
  const signIn = async (threadId: string, host: string): Promise<SignIn> => {
    await opened.browsers.take(threadId);
    await goTo(threadId, site.url('/sign-in', host));
    return await readWhole(threadId);
  };
  /** The page's script runs after the page is there. */
  const readWhole = async (threadId: string): Promise<SignIn> => {
    const read = () => opened.browsers.readSignIn(threadId);
    await expect.poll(async () => (await read()).items.length, { timeout: 30_000 }).not.toBe(0);
    return await read();
  };
  const lookAt = async (threadId: string): Promise<string> => {
    await opened.browsers.handBack(threadId);
    const browser = opened.browsers.forTask(threadId);
    return (await attempt(browser, { kind: 'snapshot' }, opened.run())).text;
  };

  it('are read for the site of the page alone', async () => {
    await signIn('thr_1', 'other.test');
    const saved = await signIn('thr_1', 'site.test');
    expect(saved.site).toBe(site.url('', 'site.test'));
    expect(saved.items).toEqual([['session', STORED]]);
    const cookies = saved.cookies.map(
      ({ name, domain, path, httpOnly }) => `${name} ${domain} ${path} ${httpOnly}`,
    );
    expect(cookies.sort()).toEqual(['session site.test / true', 'wide .site.test /account false']);
  });

  it('sign in a task that was not, and no other task', async () => {
    const saved = await signIn('thr_1', 'site.test');
    await opened.browsers.take('thr_2');
    await goTo('thr_2', site.url('/'));
    expect(await lookAt('thr_2')).toContain('Please sign in');
    await opened.browsers.take('thr_2');
    const state = await opened.browsers.useSignIn('thr_2', saved);
    expect(state.tabs).toMatchObject([{ url: site.url('/') }]);
    await expect.poll(async () => (await readWhole('thr_2')).items.length).toBe(2);
    // Host-only cookies are host-only again.
    const again = await readWhole('thr_2');
    expect({ ...again, items: [] }).toEqual({ ...saved, items: [] });
    expect(again.items.sort()).toEqual([
      ['session', STORED],
      ['visited', 'yes'],
    ]);
    const view = await lookAt('thr_2');
    expect(view).toContain('Welcome back ••••');
    expect(view).toContain('Stored: yes');
    expect(JSON.stringify([view, opened.events, opened.states, opened.connections])).not.toMatch(
      new RegExp(`${TOKEN}|${STORED}`),
    );
    await opened.browsers.close('thr_1');
    await opened.browsers.take('thr_1');
    await goTo('thr_1', site.url('/'));
    expect(await lookAt('thr_1')).toContain('Please sign in');
  });

  it('take the place of what the task had of the site, and leave other sites alone', async () => {
    const saved = await signIn('thr_1', 'site.test');
    await opened.browsers.take('thr_2');
    const other = await signIn('thr_2', 'other.test');
    await goTo('thr_2', site.url('/'));
    await readWhole('thr_2');
    await opened.browsers.useSignIn('thr_2', { ...saved, cookies: [], items: [['a', 'b']] });
    await expect
      .poll(async () => (await readWhole('thr_2')).items.sort())
      .toEqual([
        ['a', 'b'],
        ['visited', 'yes'],
      ]);
    await goTo('thr_2', site.url('/good', 'other.test'));
    expect(await readWhole('thr_2')).toEqual(other);
  });

  it('are the user’s: without control, without a site, or at a dialog nothing is read or put in', async () => {
    const saved = await signIn('thr_1', 'site.test');
    const refusals = async (threadId: string): Promise<string[]> => {
      const { browsers } = opened;
      const tries = [browsers.readSignIn(threadId), browsers.useSignIn(threadId, saved)];
      const came = await Promise.allSettled(tries);
      return came.map((one) =>
        one.status === 'rejected' ? `${one.reason.code}: ${one.reason.message}` : 'done',
      );
    };
    await opened.browsers.handBack('thr_1');
    const noControl = 'CONFLICT: The agent has control of the browser. Take over first.';
    expect(await refusals('thr_1')).toEqual([noControl, noControl]);
    await opened.browsers.take('thr_2');
    await expect(opened.browsers.readSignIn('thr_2')).rejects.toThrow('No site is open.');
    site.pages.set('/asks', page('<script>setTimeout(() => alert("?"))</script>'));
    await opened.browsers.go('thr_2', { url: site.url('/asks') });
    await expect
      .poll(() => opened.browsers.state('thr_2').dialog, { timeout: 30_000 })
      .not.toBe(null);
    const atDialog = 'CONFLICT: Answer the dialog of the page first.';
    expect(await refusals('thr_2')).toEqual([atDialog, atDialog]);
  });

  it('are refused where a site stores nothing, or more than the limit', async () => {
    await opened.browsers.take('thr_1');
    await goTo('thr_1', site.url('/good', 'other.test'));
    await expect(opened.browsers.readSignIn('thr_1')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('has stored nothing here'),
    });
    site.pages.set(
      '/much',
      page('<script>localStorage.setItem("a", "x".repeat(1_000_001))</script>'),
    );
    await goTo('thr_1', site.url('/much', 'other.test'));
    const read = () =>
      opened.browsers.readSignIn('thr_1').then(
        () => 'saved',
        (error: Error) => error.message,
      );
    await expect.poll(read, { timeout: 30_000 }).toContain('more than 1 MB');
  });
});
