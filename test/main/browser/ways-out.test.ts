import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logAttack } from '../../fakes/browser/attack-log.ts';
import { attempt } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { socketsOf, watchSockets } from '../../fakes/browser/process-tree.ts';
import { type Site, startSite } from '../../fakes/browser/site.ts';
import { SITE_KEY_HASH } from '../../fakes/browser/site-certificate.ts';
import { setTraps, type Traps } from '../../fakes/browser/traps.ts';
import type { WayOut } from '../../fakes/browser/way-out.ts';
import { WAYS_OUT } from '../../fakes/browser/ways-out.ts';
import { nameOfWay, putWays } from '../../fakes/browser/ways-out-targets.ts';
import { wrappedChromium } from '../../fakes/browser/wrapped-chromium.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';
import { IS_EXHAUSTIVE, sample } from '../../setup/sampling.ts';

/** For one page, before the next is opened; and until its attempts must have reached the proxy. */
const [LOOK_MS, ASK_MS] = [6_000, 15_000];
const isHere = chromiumPath !== null && process.platform === 'linux';

describe.skipIf(!isHere)(`pages that look for a way around the proxy${chromiumNote}`, () => {
  let site: Site;
  let traps: Traps;
  let opened: OpenBrowsers;
  beforeAll(async () => {
    [site, traps] = await Promise.all([startSite(), setTraps()]);
    opened = await openBrowsers({
      browserPath: wrappedChromium(),
      innerNames: ['inner.test', 'hosts-file.test', ...WAYS_OUT.map(nameOfWay)],
    });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await Promise.all([site, traps].map((one) => one[Symbol.asyncDispose]()));
  });

  it('none reaches a server, and what they ask of the proxy is refused and listed', async () => {
    const ways = sample(WAYS_OUT, { name: 'ways out of a page', size: 16 });
    const browser = opened.browsers.forTask('thr_1');
    const sockets = watchSockets();
    const isAsked = (way: WayOut): boolean =>
      opened.connections.some(({ host }) => host === nameOfWay(way));
    const silent: string[] = [];
    for (const { address, ways: tried } of putWays(site, ways, traps)) {
      // How long the page lets the agent wait is no matter here.
      const signal = AbortSignal.timeout(LOOK_MS);
      const went = await attempt(
        browser,
        { kind: 'navigate', url: address },
        opened.run({ signal }),
      );
      const loud = tried.filter(({ isQuiet }) => !isQuiet);
      const missing = () => loud.filter((way) => !isAsked(way)).map(({ name }) => name);
      await expect
        .poll(missing, { timeout: ASK_MS })
        .toEqual([])
        .catch(() => silent.push(...missing()));
      if (loud.length < tried.length) {
        await attempt(browser, { kind: 'wait', seconds: 1 }, opened.run());
      }
      logAttack(`${went.ms} ms ${address} ${went.ok} ${silent.join()} ${traps.caught.length}`);
    }
    const reached = opened.connections
      .filter(({ verdict, host }) => verdict !== 'denied' && host !== 'site.test')
      .map(({ host, port, verdict }) => `${verdict} ${host}:${port}`);
    const proxies = socketsOf([process.pid])
      .filter(({ protocol, remote }) => protocol === 'tcp' && remote.endsWith(':0'))
      .map(({ local }) => `tcp ${local}`)
      .filter((local) => !local.endsWith(`:${site.port}`) && !local.endsWith(`:${traps.port}`));
    const past = [...sockets.stop()].filter((socket) => !proxies.includes(socket));
    const { caught, lookups } = traps;
    expect({ reached, past, caught, lookups }).toEqual({
      ...{ reached: [], past: [], caught: [], lookups: [] },
    });
    // A page may be gone before it asks; most have asked.
    expect(silent.length, silent.join()).toBeLessThan(ways.length / 2);
    expect(site.requests.length).toBeGreaterThan(ways.length);
  });

  it.runIf(IS_EXHAUSTIVE)(
    'the same pages reach the servers where nothing keeps them in',
    async () => {
      const free = await chromium.launch({
        executablePath: chromiumPath ?? '',
        args: [
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
          '--disable-gpu',
          '--host-resolver-rules=MAP site.test 127.0.0.1, MAP *.outside.test 127.0.0.1',
          `--ignore-certificate-errors-spki-list=${SITE_KEY_HASH}`,
        ],
      });
      const context = await free.newContext();
      const dead: string[] = [];
      for (const way of WAYS_OUT.filter(({ isQuiet }) => !isQuiet)) {
        const before = traps.caught.length;
        for (const { address } of putWays(site, [way], traps)) {
          const page = await context.newPage();
          await page.goto(address, { waitUntil: 'commit' }).catch(() => undefined);
          await expect
            .poll(() => traps.caught.length, { timeout: 5_000 })
            .toBeGreaterThan(before)
            .catch(() => dead.push(way.name));
          await Promise.all(context.pages().map((one) => one.close()));
        }
      }
      await free.close();
      traps.caught.length = 0;
      const loud = WAYS_OUT.filter(({ isQuiet }) => !isQuiet).map(({ name }) => name);
      expect(dead.filter((name) => loud.includes(name))).toEqual([]);
      expect(dead.length).toBeLessThan(20);
    },
  );
});
