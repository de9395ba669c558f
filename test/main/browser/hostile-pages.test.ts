import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roughTokens } from '#contract/rough-tokens.ts';
import type { BrowserAction } from '#main/browser/types.ts';
import { logAttack } from '../../fakes/browser/attack-log.ts';
import { type Attempt, attempt, refOf } from '../../fakes/browser/attempt.ts';
import { HOSTILE_PAGES, type HostilePage } from '../../fakes/browser/hostile-pages.ts';
import { meterLoop } from '../../fakes/browser/loop-meter.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { processesBelow, stillRunning } from '../../fakes/browser/process-tree.ts';
import { type Site, startSite } from '../../fakes/browser/site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';
import { IS_EXHAUSTIVE, sample } from '../../setup/sampling.ts';

/** Another site: what the hostile one stored does not concern it. */
const GOOD = 'good.test';
const VIEW_TOKENS = 2_000;
/** More than anyone can look through. */
const MOST_TABS = 30;
const MOST_STUCK = 2;
const MOST_BLOCKED_MS = 200;

describe.skipIf(chromiumPath === null)(`hostile pages${chromiumNote}`, () => {
  let site: Site;
  let opened: OpenBrowsers;
  const started = new Set<number>();
  const loop = meterLoop();
  beforeAll(async () => {
    site = await startSite();
    opened = await openBrowsers({ sites: ['site.test', GOOD], viewTokens: VIEW_TOKENS });
  });
  afterAll(async () => {
    loop.stop();
    await site[Symbol.asyncDispose]();
  });

  /** Pages that could be read, were they not too slow here. */
  const stuck: string[] = [];

  /** Everything that went wrong with one page. */
  async function visit(hostile: HostilePage): Promise<string[]> {
    const wrong: string[] = [];
    const browser = opened.browsers.forTask('thr_1');
    const act = async (action: BrowserAction): Promise<Attempt> => {
      const came = await attempt(browser, action, opened.run());
      const { code, text, ms } = came;
      if (code === 'HUNG' || code === 'UNTYPED')
        wrong.push(`${action.kind}: ${code} after ${ms} ms: ${text.slice(0, 300)}`);
      const tokens = Math.ceil(roughTokens(text));
      if (tokens > VIEW_TOKENS) wrong.push(`${action.kind}: ${tokens} tokens`);
      if (text === '') wrong.push(`${action.kind}: nothing to read`);
      return came;
    };
    site.pages.set('/x', hostile.answer);
    loop.longestMs();
    let seen = await act({ kind: 'navigate', url: site.url('/x') });
    if (hostile.click !== undefined && seen.ok === true) {
      try {
        const ref = refOf(browser, seen.text, hostile.click);
        seen = await act({ kind: 'click', at: { ref } });
      } catch (error) {
        wrong.push(`nothing to click: ${String(error).slice(0, 300)}`);
      }
    }
    const view = await act({ kind: 'snapshot' });
    const all = `${seen.text}\n${view.text}`;
    if (hostile.shows !== undefined && !hostile.shows.test(all)) {
      // What Chromium cannot lay out in time on a busy computer is given up with a reason.
      if (/The page does not answer/.test(all)) stuck.push(hostile.name);
      else wrong.push(`does not show ${hostile.shows}: ${all.slice(0, 300)}`);
    }
    if (IS_EXHAUSTIVE) await act({ kind: 'screenshot' });
    const tabs = opened.browsers.state('thr_1').tabs.length;
    if (tabs > MOST_TABS) wrong.push(`${tabs} tabs`);
    for (const pid of processesBelow().keys()) started.add(pid);
    let good = await act({ kind: 'navigate', url: site.url('/good', GOOD) });
    const isGood = () => good.ok === true && good.text.includes('All is well');
    for (let tries = 0; tries < 3 && !isGood(); tries += 1) {
      if (browser.dialog !== null) await act({ kind: 'dialog', accept: true });
      if (tries === 1) await act({ kind: 'tabs', open: true });
      good = await act({ kind: 'navigate', url: site.url('/good', GOOD) });
    }
    if (!isGood()) {
      wrong.push(`no good page afterwards: ${good.code} ${good.text.slice(0, 300)}`);
    } else {
      const pressed = await act({
        kind: 'click',
        at: { ref: refOf(browser, good.text, 'Press me') },
      });
      if (!pressed.text.includes('Pressed well'))
        wrong.push(`cannot click: ${pressed.text.slice(0, 300)}`);
    }
    await opened.browsers.close('thr_1');
    const blocked = loop.longestMs();
    if (blocked > MOST_BLOCKED_MS) wrong.push(`the main thread was blocked for ${blocked} ms`);
    return wrong.map((one) => `${hostile.name}: ${one}`);
  }

  it('each ends in a typed result, and the next page works', async () => {
    const neighbour = opened.browsers.forTask('thr_2');
    const before = await attempt(
      neighbour,
      { kind: 'navigate', url: site.url('/good', GOOD) },
      opened.run(),
    );
    expect(before.text).toContain('All is well');
    const light = IS_EXHAUSTIVE ? HOSTILE_PAGES : HOSTILE_PAGES.filter(({ isHeavy }) => !isHeavy);
    const wrong: string[] = [];
    const only = process.env.HYPERAGENT_ONLY_PAGE;
    for (const hostile of sample(light, { name: 'hostile pages', size: 10 })) {
      if (only !== undefined && !hostile.name.includes(only)) continue;
      const begin = performance.now();
      const found = await visit(hostile);
      wrong.push(...found);
      const ms = Math.round(performance.now() - begin);
      logAttack(`${ms} ms ${hostile.name} ${found.length === 0 ? 'HELD' : JSON.stringify(found)}`);
    }
    const after = await attempt(neighbour, { kind: 'snapshot' }, opened.run());
    if (!after.text.includes('All is well')) wrong.push(`the page of another task: ${after.text}`);
    expect(wrong).toEqual([]);
    for (const name of stuck) logAttack(`given up as stuck: ${name}`);
    expect(stuck.length, stuck.join(', ')).toBeLessThanOrEqual(MOST_STUCK);
  }, 3_600_000);

  it('nothing is left running', async () => {
    expect(started.size).toBeGreaterThan(0);
    await opened[Symbol.asyncDispose]();
    await expect.poll(() => stillRunning([...started])).toEqual([]);
  });
});
