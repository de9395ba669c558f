import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TaskBrowser } from '#main/browser/types.ts';
import { attempt, BOUND_MS, refOf } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsersOptions, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import {
  chromiumProcesses,
  processesBelow,
  stillRunning,
} from '../../fakes/browser/process-tree.ts';
import { page, startSite } from '../../fakes/browser/site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';

const isHere = chromiumPath !== null && process.platform === 'linux';

async function open(options: OpenBrowsersOptions = {}) {
  const site = await startSite();
  const opened = await openBrowsers(options);
  let isEnded = false;
  const end = async () => {
    if (isEnded) return;
    isEnded = true;
    await opened[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  };
  onTestFinished(end);
  const browser = opened.browsers.forTask('thr_1');
  const act = (action: Parameters<typeof browser.act>[0]) => attempt(browser, action, opened.run());
  return { site, opened, browser, act, end };
}

/** A program in the place of a browser. */
function program(text: string, mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-no-browser-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'browser');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('no browser', () => {
  it.each<[string, () => string | null]>([
    ['none on this computer', () => null],
    ['a path where nothing is', () => '/nowhere/chromium'],
    ['a folder', () => tmpdir()],
    ['a file that is no program', () => program('text', 0o644)],
    ['a program that ends at once', () => program('#!/bin/sh\nexit 0\n')],
    [
      'a program that fails',
      () => program('#!/bin/sh\necho "cannot open display" >&2\nexit 127\n'),
    ],
    [
      'a program that prints garbage',
      () =>
        program(`#!/bin/sh\nhead -c 2000000 /dev/urandom >&2\nprintf 'no JSON\\0' >&4\nsleep 1\n`),
    ],
    [
      'a program that answers nonsense',
      () =>
        program(
          '#!/bin/sh\nprintf \'{"id":1,"result":{}}\\0{"id":2,"error":{"message":"no"}}\\0\' >&4\nsleep 1\n',
        ),
    ],
    ['a program that is killed by a signal', () => program('#!/bin/sh\nkill -SEGV $$\n')],
  ])('%s: an error that says what to do, and a state that shows it', async (_name, path) => {
    const { opened, act, site } = await open({ browserPath: path() });
    const came = await act({ kind: 'navigate', url: site.url('/good') });
    expect([came.code, came.text.length > 30], came.text).toEqual(['BROWSER_UNAVAILABLE', true]);
    expect(came.text).toMatch(/install|start|choose|set/i);
    expect(came.text).not.toMatch(/playwright|<launching>|Call log|browserType\.launch/i);
    await expect(opened.browsers.take('thr_1')).rejects.toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
    });
    expect(opened.browsers.state('thr_1')).toMatchObject({
      isOpen: false,
      problem: expect.stringMatching(/./),
    });
  });

  it('a program that hangs is ended within the bound, and leaves nothing', async () => {
    const { act, site, end } = await open({
      browserPath: program('#!/bin/sh\nsleep 600 & sleep 600\n'),
    });
    const came = act({ kind: 'navigate', url: site.url('/good') });
    await expect
      .poll(() => [...processesBelow().values()].some((line) => line.includes('sleep 600')))
      .toBe(true);
    const pids = [...processesBelow()]
      .filter(([, line]) => line.includes('sleep 600'))
      .map(([pid]) => pid);
    expect((await came).code).toBe('BROWSER_UNAVAILABLE');
    await end();
    await expect.poll(() => stillRunning(pids)).toEqual([]);
  });
});

describe.skipIf(!isHere)(`a browser that ends${chromiumNote}`, () => {
  it.each<[string, string]>([
    ['the browser', 'browser'],
    ['the renderer', 'renderer'],
    ['the GPU process', 'gpu-process'],
    ['the network service', 'utility'],
  ])('%s is killed in the middle of an action: the next one works', async (_name, type) => {
    const { site, opened, act, end, browser } = await open();
    site.pages.set('/slow', page('<h1>Slow</h1><button onclick="fetch(\'/never\')">Go</button>'));
    const view = await act({ kind: 'navigate', url: site.url('/slow') });
    expect(view.text).toContain('Slow');
    const started = [...processesBelow().keys()];
    const pids = chromiumProcesses(type);
    const acting = act({ kind: 'wait', text: 'what never comes', seconds: 8 });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const came = await acting;
    expect(['HUNG', 'UNTYPED', 'INTERNAL'], came.text).not.toContain(came.code);
    if (type === 'browser') expect([came.code, came.ok], came.text).toEqual(['BROWSER_LOST', null]);
    let next = await act({ kind: 'navigate', url: site.url('/good') });
    // What was still being noticed may cost one more.
    if (next.ok !== true) next = await act({ kind: 'navigate', url: site.url('/good') });
    expect(next.text).toContain('All is well');
    const pressed = await act({
      kind: 'click',
      at: { ref: refOf(browser, next.text, 'Press me') },
    });
    expect(pressed.text).toContain('Pressed well');
    expect(opened.browsers.state('thr_1')).toMatchObject({ isOpen: true, problem: null });
    const all = [...started, ...processesBelow().keys()];
    await end();
    await expect.poll(() => stillRunning(all)).toEqual([]);
  });

  it('is killed between actions: state and take-over know', async () => {
    const { site, opened, act } = await open();
    await act({ kind: 'navigate', url: site.url('/good') });
    for (const pid of chromiumProcesses('browser')) process.kill(pid, 'SIGKILL');
    await expect.poll(() => opened.browsers.state('thr_1').isOpen).toBe(false);
    expect(opened.browsers.state('thr_1').problem).toMatch(/./);
    const taken = await opened.browsers.take('thr_1');
    expect([taken.isOpen, taken.control]).toEqual([true, 'user']);
    await opened.browsers.handBack('thr_1');
    const next = await act({ kind: 'navigate', url: site.url('/good') });
    expect(next.text).toContain('All is well');
  });

  it('stands still: an action ends within the bound', async () => {
    const { site, act, end } = await open();
    await act({ kind: 'navigate', url: site.url('/good') });
    const pids = chromiumProcesses('browser');
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const came = await act({ kind: 'snapshot' });
    expect(['HUNG', 'UNTYPED', 'INTERNAL'], came.text).not.toContain(came.code);
    expect(came.ms).toBeLessThan(BOUND_MS);
    const all = [...processesBelow().keys()];
    await end();
    await expect.poll(() => stillRunning(all)).toEqual([]);
  });

  it('an abort ends what waits, and the reason of the signal is thrown', async () => {
    const { site, opened, browser } = await open();
    const abort = new AbortController();
    const reason = new Error('stopped by the user');
    const acting = browser.act(
      { kind: 'navigate', url: site.url('/never') },
      opened.run({ signal: abort.signal }),
    );
    await expect.poll(() => site.requests).toContain('GET /never');
    abort.abort(reason);
    await expect(acting).rejects.toBe(reason);
    const next = await attempt(browser, { kind: 'navigate', url: site.url('/good') }, opened.run());
    expect(next.text).toContain('All is well');
  });

  it('the service is disposed in the middle of actions: they end, nothing is left', async () => {
    const { site, opened, end } = await open();
    const tasks = ['thr_1', 'thr_2', 'thr_3'].map((thread) => opened.browsers.forTask(thread));
    const acting = tasks.map((task) =>
      attempt(task, { kind: 'navigate', url: site.url('/never') }, opened.run()),
    );
    await expect.poll(() => site.requests.length).toBeGreaterThan(0);
    const all = [...processesBelow().keys()];
    await end();
    const came = await Promise.all(acting);
    expect(
      came.map(({ code }) => code).filter((code) => code === 'HUNG' || code === 'UNTYPED'),
    ).toEqual([]);
    await expect.poll(() => stillRunning(all)).toEqual([]);
  });

  it('a run that was cut off finds its page again, and does nothing there before it has looked', async () => {
    const site = await startSite();
    onTestFinished(() => site[Symbol.asyncDispose]());
    const opened = await openBrowsers({ lastPage: site.url('/good?step=2') });
    onTestFinished(() => opened[Symbol.asyncDispose]());
    const act = (thread: string, action: Parameters<TaskBrowser['act']>[0]) =>
      attempt(opened.browsers.forTask(thread), action, opened.run());
    const pressed = await act('thr_1', { kind: 'press_key', key: 'Enter' });
    expect([pressed.ok, pressed.url]).toEqual([false, site.url('/good?step=2')]);
    expect(pressed.text).toMatch(/^Nothing was done.*\nThe browser had ended\./);
    expect(pressed.text).toContain('All is well');
    const looked = await act('thr_2', { kind: 'find', text: 'Press me' });
    expect([looked.ok, looked.text.includes('Press me')]).toEqual([true, true]);
    const asked = site.requests.filter((request) => !request.includes('favicon'));
    expect(asked).toEqual(['GET /good?step=2', 'GET /good?step=2']);
  });

  it('an idle browser ends by itself, and the next action opens another', async () => {
    const { site, opened, act } = await open({ idleMs: 500 });
    await act({ kind: 'navigate', url: site.url('/good') });
    const all = [...processesBelow().keys()];
    await expect.poll(() => stillRunning(all)).toEqual([]);
    expect(opened.browsers.state('thr_1').isOpen).toBe(false);
    expect((await act({ kind: 'navigate', url: site.url('/good') })).text).toContain('All is well');
  });

  it('wrong certificates are refused with a reason', async () => {
    const { site, act } = await open();
    const came = await act({ kind: 'navigate', url: `https://site.test:${site.tlsPort}/good` });
    expect([came.ok, came.code]).toEqual([false, null]);
    expect(came.text).toMatch(/certificate/i);
    expect(site.requests).toEqual([]);
    expect((await act({ kind: 'navigate', url: site.url('/good') })).text).toContain('All is well');
  });
});
