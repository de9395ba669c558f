import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { attempt, refOf } from '../../fakes/browser/attempt.ts';
import { type OpenBrowsers, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { setTraps, type Traps } from '../../fakes/browser/traps.ts';
import { FORBIDDEN_SCHEMES } from '../../fakes/browser/ways-out-by-navigation.ts';
import { innerHosts, PRIVATE_HOSTS } from '../../fakes/browser/ways-out-targets.ts';
import { wrappedChromium } from '../../fakes/browser/wrapped-chromium.ts';
import { testEgress } from '../../fakes/egress.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';
import { sample } from '../../setup/sampling.ts';

/** Like those of `openBrowsers`. */
const SETTINGS = Settings.parse({
  egress: 'open',
  egressPrivateHosts: ['site.test:*', 'other.test:*'],
});
/** What a page of this computer would show. */
const INSIDE = /root:x?:|house of glass|Chromium \d|chrome:\/\/|devtools:/;

/**
 * Addresses that a tab may show: also of web pages that were not reached, where the proxy's reason stands, and of
 * `about:` pages, which are empty for pages.
 */
const WEB = /^(https?:|about:|chrome-error:|$)/;

describe.skipIf(chromiumPath === null)(`addresses that nobody may open${chromiumNote}`, () => {
  let site: Site;
  let traps: Traps;
  let opened: OpenBrowsers;
  beforeAll(async () => {
    [site, traps] = await Promise.all([startSite(), setTraps()]);
    opened = await openBrowsers({
      sites: ['site.test', 'other.test'],
      browserPath: wrappedChromium(),
      innerNames: ['inner.test', 'hosts-file.test'],
    });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await Promise.all([site, traps].map((one) => one[Symbol.asyncDispose]()));
  });
  afterEach(() => opened.browsers.close('thr_1'));
  const browser = () => opened.browsers.forTask('thr_1');

  it('the agent cannot open them, and learns why', async () => {
    await attempt(browser(), { kind: 'navigate', url: site.url('/good') }, opened.run());
    const inner = [...innerHosts(traps), ...PRIVATE_HOSTS];
    const addresses = [
      ...FORBIDDEN_SCHEMES,
      ...inner.flatMap((host) => [
        `http://${host}:${traps.port}/`,
        `https://${host}:${traps.port}/`,
      ]),
      `http://user:secret@127.0.0.1:${traps.port}/`,
      `http://site.test@127.0.0.1:${traps.port}/`,
      `http:\\\\127.0.0.1:${traps.port}\\`,
      `  http://127.0.0.1:${traps.port}/`,
      `ht\ntp://127.0.0.1:${traps.port}/`,
      `//127.0.0.1:${traps.port}/`,
      `127.0.0.1:${traps.port}`,
      `localhost:${traps.port}`,
      '/etc/passwd',
      'C:\\Windows\\win.ini',
      '',
      'not an address',
      'http://',
      `http://${'a'.repeat(100_000)}.test/`,
    ];
    const wrong: string[] = [];
    for (const url of sample(addresses, { name: 'addresses that nobody may open', size: 20 })) {
      const came = await attempt(browser(), { kind: 'navigate', url }, opened.run());
      const isRefused =
        came.ok === false ||
        (came.code !== null && !['HUNG', 'UNTYPED', 'INTERNAL'].includes(came.code));
      if (
        !isRefused ||
        came.text.length < 20 ||
        came.text.length > 4_000 ||
        INSIDE.test(came.text.replaceAll(url, ''))
      ) {
        wrong.push(`${url.slice(0, 80)}: ok ${came.ok}, ${came.code}, ${came.text.slice(0, 200)}`);
      }
      const at = browser().url;
      if (at !== null && !WEB.test(at)) wrong.push(`${url.slice(0, 80)} led to ${at.slice(0, 80)}`);
    }
    expect({ wrong, caught: traps.caught, lookups: traps.lookups }).toEqual({
      wrong: [],
      caught: [],
      lookups: [],
    });
    const good = await attempt(
      browser(),
      { kind: 'navigate', url: site.url('/good') },
      opened.run(),
    );
    expect(good.text).toContain('All is well');
  });

  it.each([
    [
      'a script',
      (to: readonly string[]) =>
        page(
          `<h1>Page</h1><script>for (const u of ${JSON.stringify(to)}) { try { location.href = u } catch {} }</script>`,
        ),
    ],
    [
      'a window',
      (to: readonly string[]) =>
        page(
          `<h1>Page</h1><script>for (const u of ${JSON.stringify(to)}) { try { open(u) } catch {} }</script>`,
        ),
    ],
    [
      'a window that is sent there later',
      (to: readonly string[]) =>
        page(
          `<h1>Page</h1><script>for (const u of ${JSON.stringify(to)}) { try { const w = open('about:blank'); setTimeout(() => { try { w.location = u } catch {} }, 50) } catch {} }</script>`,
        ),
    ],
    [
      'frames',
      (to: readonly string[]) =>
        page(
          `<h1>Page</h1>${to.map((u) => `<iframe src="${u}"></iframe><object data="${u}"></object><embed src="${u}">`).join('')}`,
        ),
    ],
  ])('%s of a page does not open them', async (_name, make) => {
    const to = [
      ...FORBIDDEN_SCHEMES,
      `http://127.0.0.1:${traps.port}/`,
      `http://inner.test:${traps.port}/`,
    ];
    site.pages.set(
      '/leads',
      make(to.filter((url) => !url.startsWith('javascript:') && !url.startsWith('data:'))),
    );
    await attempt(browser(), { kind: 'navigate', url: site.url('/leads') }, opened.run());
    const waited = await attempt(browser(), { kind: 'wait', seconds: 1 }, opened.run());
    const tabs = opened.browsers.state('thr_1').tabs.map(({ url }) => url);
    const outside = tabs.filter((url) => !WEB.test(url));
    const view = await attempt(browser(), { kind: 'snapshot' }, opened.run());
    expect({
      outside,
      inside: INSIDE.exec(
        `${waited.text}${view.text}`.replaceAll(/"?(?:chrome|devtools)[^\s"]*/g, ''),
      )?.[0],
      caught: traps.caught,
    }).toEqual({ outside: [], inside: undefined, caught: [] });
  });

  it.each([301, 302, 307])('a redirect (%s) does not lead to them', async (status) => {
    const to = [
      ...FORBIDDEN_SCHEMES,
      ...innerHosts(traps).map((host) => encodeURI(`http://${host}:${traps.port}/`)),
    ];
    const wrong: string[] = [];
    for (const location of sample(to, { name: `targets of ${status}`, size: 12 })) {
      site.pages.set(
        '/redirects',
        (_request, response) => void response.writeHead(status, { location }).end(),
      );
      const came = await attempt(
        browser(),
        { kind: 'navigate', url: site.url('/redirects') },
        opened.run(),
      );
      const at = browser().url ?? '';
      if (came.ok === true || INSIDE.test(came.text.replaceAll(location, '')) || !WEB.test(at)) {
        wrong.push(`${location}: ok ${came.ok}, at ${at}, ${came.text.slice(0, 200)}`);
      }
    }
    expect({ wrong, caught: traps.caught }).toEqual({ wrong: [], caught: [] });
  });

  it.each(
    FORBIDDEN_SCHEMES.filter((url) => /^(file|chrome|devtools|view-source)/i.test(url)).slice(0, 6),
  )('a click on a link to %s opens nothing', async (url) => {
    site.pages.set(
      '/link',
      page(`<h1>Page</h1><a href="${url}">Here</a><a target="_blank" href="${url}">There</a>`),
    );
    const view = await attempt(
      browser(),
      { kind: 'navigate', url: site.url('/link') },
      opened.run(),
    );
    for (const name of ['Here', 'There']) {
      const ref = refOf(browser(), view.text, name);
      await attempt(browser(), { kind: 'click', at: { ref } }, opened.run());
      await attempt(browser(), { kind: 'click', at: { ref }, button: 'middle' }, opened.run());
    }
    const tabs = opened.browsers.state('thr_1').tabs.map((tab) => tab.url);
    expect(tabs.filter((at) => !WEB.test(at))).toEqual([]);
  });

  it('the allow list of the run decides, offline nothing is reached', async () => {
    const narrow = (network: 'allowlist' | 'offline') =>
      testEgress({
        settings: { current: SETTINGS },
        names: { 'site.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] },
      }).egress.forRun({
        ...{ runId: 'run_2', threadId: 'thr_3', network, allowHosts: ['site.test:*'] },
      });
    const task = opened.browsers.forTask('thr_3');
    site.pages.set(
      '/asks',
      page(
        `<h1>Asks</h1><img src="http://other.test:${site.port}/other"><script>fetch('/own')</script>`,
      ),
    );
    const listed = await attempt(
      task,
      { kind: 'navigate', url: site.url('/asks') },
      opened.run({ egress: narrow('allowlist') }),
    );
    expect(listed.text).toContain('Asks');
    await expect.poll(() => site.requests).toContain('GET /own');
    const unlisted = await attempt(
      task,
      { kind: 'navigate', url: site.url('/other', 'other.test') },
      opened.run({ egress: narrow('allowlist') }),
    );
    const offline = await attempt(
      task,
      { kind: 'navigate', url: site.url('/offline') },
      opened.run({ egress: narrow('offline') }),
    );
    for (const refused of [unlisted, offline]) {
      expect([refused.ok === true, refused.text]).toEqual([
        false,
        expect.stringMatching(/allowed|reach nothing/),
      ]);
    }
    expect(site.requests.filter((line) => /other|offline/.test(line))).toEqual([]);
  });

  it('a page cannot go on reaching what only an earlier run was allowed', async () => {
    const bench = testEgress({
      settings: { current: SETTINGS },
      names: { 'site.test': ['127.0.0.1'] },
    });
    const first = bench.egress.forRun({
      runId: 'run_3',
      threadId: 'thr_4',
      network: 'open',
      allowHosts: [],
    });
    const offline = bench.egress.forRun({
      runId: 'run_4',
      threadId: 'thr_4',
      network: 'offline',
      allowHosts: [],
    });
    const task = opened.browsers.forTask('thr_4');
    site.pages.set(
      '/ticks',
      page(
        "<h1>Ticks</h1><script>let n = 0; setInterval(() => fetch('/tick?' + n++).catch(() => 0), 20)</script>",
      ),
    );
    await attempt(
      task,
      { kind: 'navigate', url: site.url('/ticks') },
      opened.run({ egress: first }),
    );
    await expect.poll(() => site.requests.some((line) => line.includes('/tick?'))).toBe(true);
    first[Symbol.dispose]();
    const looked = await attempt(task, { kind: 'snapshot' }, opened.run({ egress: offline }));
    const before = site.requests.length;
    await attempt(task, { kind: 'wait', seconds: 1 }, opened.run({ egress: offline }));
    expect([site.requests.length - before, looked.code], site.requests.at(-1)).toEqual([0, null]);
  });
});
