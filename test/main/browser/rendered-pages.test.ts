import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DocumentReader } from '#main/documents/document-reader.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { type OpenBrowsersOptions, openBrowsers } from '../../fakes/browser/open-browsers.ts';
import {
  chromiumProcesses,
  processesBelow,
  stillRunning,
  watchSockets,
} from '../../fakes/browser/process-tree.ts';
import { page, type Site, startSite } from '../../fakes/browser/site.ts';
import { setTraps } from '../../fakes/browser/traps.ts';
import { WAYS_OUT } from '../../fakes/browser/ways-out.ts';
import { nameOfWay, putWays } from '../../fakes/browser/ways-out-targets.ts';
import { wrappedChromium } from '../../fakes/browser/wrapped-chromium.ts';
import { noSearch } from '../../fakes/fake-search.ts';
import { toolBench } from '../../fakes/fake-tools.ts';
import { noApps } from '../../fakes/no-apps.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noImages } from '../../fakes/no-images.ts';
import { noPictures, noScans } from '../../fakes/no-pictures.ts';
import { noSkills } from '../../fakes/no-skills.ts';
import { noSlides } from '../../fakes/no-slides.ts';
import { call } from '../../fakes/scripted-chat-model.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';
import { sample } from '../../setup/sampling.ts';

const isHere = chromiumPath !== null && process.platform === 'linux';
const NOTE = '[Scripts make this page: it was read in the browser.]';
const NOT_READ = '[Scripts make this page, and it was not read in the browser: ';

/** The shell of a page that a script fills. */
const shell = (script: string, root = '<div id="root"></div>'): string =>
  page(`<noscript>You need to enable JavaScript.</noscript>${root}<script>${script}</script>`);
const WRITES =
  "document.getElementById('root').innerHTML = '<h1>Tides</h1><p>High water at noon.';";

async function open(options: OpenBrowsersOptions = {}) {
  const site = await startSite();
  const opened = await openBrowsers(options);
  const documents = new DocumentReader(process.cwd());
  let isEnded = false;
  const end = async (): Promise<void> => {
    if (isEnded) return;
    isEnded = true;
    await opened[Symbol.asyncDispose]();
    await Promise.all([site, documents].map((one) => one[Symbol.asyncDispose]()));
  };
  onTestFinished(end);
  const { byName: tools } = new ToolCatalogue({
    ...{ browsers: opened.browsers, documents, pictures: noPictures, scans: noScans },
    ...{
      apps: noApps,
      edits: noEdits,
      slides: noSlides,
      images: noImages,
      skills: noSkills(),
      commandTimeoutMs: () => 1000,
      search: noSearch,
      library: null,
    },
  });
  const bench = toolBench();
  const fetchPage = async (address: string, signal = AbortSignal.timeout(120_000)) => {
    const { egress } = opened.run();
    const context = { ...bench.context, egress, signal };
    const scope = { pipeline: bench.pipeline, tools };
    const [result] = await executeToolBatch(
      [call('a', 'fetch_page', { url: address })],
      context,
      scope,
    );
    return result;
  };
  const reached = (): string[] => [
    ...new Set(opened.connections.map(({ actor, host, verdict }) => `${actor} ${host} ${verdict}`)),
  ];
  return { site, opened, bench, fetchPage, reached, end };
}

/** Holds requests to `/held` until it is told to let them go. */
function hold(site: Site, text: string) {
  const held: ServerResponse[] = [];
  let most = 0;
  site.pages.set('/held', (request: IncomingMessage, response: ServerResponse) => {
    held.push(response);
    most = Math.max(most, held.length);
    request.on('close', () => held.splice(held.indexOf(response), 1));
  });
  return {
    held,
    most: () => most,
    answer: (response: ServerResponse | undefined) => response?.end(text),
  };
}

const FETCHES =
  "fetch('/held').then((r) => r.text()).then((t) => { document.getElementById('root').textContent = t; });";

describe('a page that needs scripts, without a browser', () => {
  it('stays what was fetched, and says why', async () => {
    const { site, fetchPage, reached } = await open({ browserPath: null });
    site.pages.set('/app', shell(WRITES));
    const result = await fetchPage(site.url('/app'));
    expect([result?.status, result?.data]).toEqual(['ok', '']);
    expect(result?.content).toContain(`${NOT_READ}There is no browser that the agent can use.`);
    expect(reached()).toEqual(['fetch site.test allowed']);
  });
});

describe.skipIf(!isHere)(`a page that needs scripts${chromiumNote}`, () => {
  it('is read by the browser: what scripts fetch, write, and put into components', async () => {
    const { site, fetchPage, reached, bench, end } = await open();
    site.pages.set('/data', (_request, response) => void response.end('{"at":"noon"}'));
    site.pages.set(
      '/app',
      shell(`customElements.define('tide-table', class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = '<p>Low water: <slot></slot> & <b>calm</b></p>';
        }
      });
      fetch('/data').then((r) => r.json()).then(({ at }) => {
        document.getElementById('root').innerHTML = '<nav>Menu</nav><h1>Tides &lt;today&gt;</h1><p>High water at ' + at +
          '.</p><tide-table>six</tide-table><a href="/more">More</a><script>never</' + 'script>' +
          '<table><tr><th>Day<th>Height<tr><td>Monday<td>4.2</table>';
      });`),
    );
    const result = await fetchPage(site.url('/app#today'));
    expect(result?.status).toBe('ok');
    expect(result?.data).toMatch(
      /^Tides <today>\n\nHigh water at noon\.\n\nLow water: six & calm\n\nMore \[\/more\]\n+Day +Height\nMonday +4\.2$/,
    );
    expect(result?.content).toContain(`${NOTE}\n`);
    expect(bench.context.taint.sources()).toEqual([new URL(site.url('/')).host]);
    expect(reached()).toEqual(['fetch site.test allowed', 'browser site.test allowed']);
    expect(site.requests).toEqual(['GET /app', 'GET /app', 'GET /data']);
    const all = [...processesBelow().keys()];
    await end();
    await expect.poll(() => stillRunning(all)).toEqual([]);
  });

  it('a page with text of its own is not opened', async () => {
    const { site, fetchPage, reached } = await open();
    const text = 'The ferry leaves at noon. '.repeat(20);
    site.pages.set('/app', page(`<div id="root"><p>${text}</p></div><script>${WRITES}</script>`));
    const result = await fetchPage(site.url('/app'));
    expect(result?.data).toBe(text.trim());
    expect([reached(), chromiumProcesses('browser')]).toEqual([['fetch site.test allowed'], []]);
  });

  it('has no cookies of the task, leaves none, and is no tab of it', async () => {
    const { site, opened, fetchPage } = await open();
    const cookies: string[] = [];
    site.pages.set('/app', (request, response) => {
      cookies.push(request.headers.cookie ?? '');
      response.setHeader('content-type', 'text/html');
      response.end(shell(`document.cookie = 'mine=1'; localStorage.x = 1; ${WRITES}`));
    });
    const browser = opened.browsers.forTask('thr_1');
    await browser.act({ kind: 'navigate', url: site.url('/app') }, opened.run());
    await browser.act({ kind: 'navigate', url: site.url('/app') }, opened.run());
    await fetchPage(site.url('/app'));
    const again = await fetchPage(site.url('/app'));
    expect(again?.data).toContain('High water at noon.');
    expect(cookies).toEqual(['', 'mine=1', '', '', '', '']);
    expect(opened.browsers.state('thr_1').tabs).toHaveLength(1);
    expect(browser.url).toBe(site.url('/app'));
  });

  it('what a page does besides is refused, and does not hold it up', async () => {
    const { site, opened, fetchPage } = await open();
    site.pages.set(
      '/app',
      shell(`alert('one'); confirm('two'); prompt('three'); print();
        open('/good'); open('/download');
        Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {});
        const link = document.body.appendChild(document.createElement('a'));
        link.href = '/download'; link.download = 'x'; link.click();
        const chooser = document.createElement('input'); chooser.type = 'file'; chooser.click();
        onbeforeunload = (e) => { e.preventDefault(); return 'stay'; };
        const picture = document.body.appendChild(new Image()); picture.src = '/picture.png';
        ${WRITES}`),
    );
    const result = await fetchPage(site.url('/app'));
    expect(result?.data).toContain('High water at noon.');
    expect(readdirSync(opened.workspaceDir)).toEqual([]);
    expect(site.requests.filter((one) => one.includes('picture'))).toEqual([]);
    await expect.poll(() => chromiumProcesses('browser')).toEqual([]);
  });

  it('starts no worker that would outlive it', async () => {
    const { site, opened } = await open({ browserPath: wrappedChromium() });
    site.pages.set('/worker.js', (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end('oninstall = () => skipWaiting();');
    });
    site.pages.set('/app', shell(`navigator.serviceWorker.register('/worker.js'); ${WRITES}`));
    const { html } = await opened.browsers.render(`https://site.test:${site.tlsPort}/app`, {
      egress: opened.run().egress.client('browser'),
      signal: AbortSignal.timeout(120_000),
    });
    expect(html).toContain('High water at noon.');
    expect(site.requests).toEqual(['GET /app']);
  });

  it('whose scripts run for ever is given up in time, and nothing is left of it', async () => {
    const { site, fetchPage } = await open();
    site.pages.set('/app', shell('for (;;) {}'));
    const result = await fetchPage(site.url('/app'));
    expect([result?.status, result?.data]).toEqual(['ok', '']);
    expect(result?.content).toContain(`${NOT_READ}The page`);
    await expect.poll(() => chromiumProcesses('renderer'), { timeout: 30_000 }).toEqual([]);
  });

  it('that never stops changing is read once it has text; one without any end is cut', async () => {
    const { site, fetchPage } = await open();
    site.pages.set(
      '/busy',
      shell(`${WRITES} let n = 0; setInterval(() => { document.title = String(n += 1); }, 1);
        document.getElementById('root').append('Ferries. '.repeat(50));`),
    );
    site.pages.set(
      '/long',
      shell(`const root = document.getElementById('root');
        for (let i = 0; i < 1500; i += 1) root.append(Object.assign(document.createElement('p'), { textContent: 'x'.repeat(1000) }));`),
    );
    expect((await fetchPage(site.url('/busy')))?.data).toContain('High water at noon.');
    const long = await fetchPage(site.url('/long'));
    expect(long?.data).toMatch(/x\n\[The page is longer\.\]$/);
    const length = String(long?.data).length;
    expect([length > 100_000, length <= 1_000_000], `${length}`).toEqual([true, true]);
  });

  it('that loads without end is cut off', async () => {
    const { site, fetchPage } = await open();
    let isOpen = false;
    site.pages.set('/flood', (_request, response) => {
      isOpen = true;
      const piece = Buffer.alloc(1024 * 1024);
      const more = (): void => {
        while (isOpen && response.write(piece));
      };
      response.on('drain', more).on('close', () => {
        isOpen = false;
      });
      more();
    });
    site.pages.set(
      '/app',
      shell(`const say = (text) => { document.getElementById('root').textContent = text; };
        fetch('/flood').then((r) => r.arrayBuffer()).then(() => say('whole'), () => say('cut off'))
          .then(() => fetch('/more')).then((r) => r.ok || document.body.append(' for good'));`),
    );
    expect((await fetchPage(site.url('/app')))?.data).toMatch(/^cut off\s+for good$/);
    expect(isOpen).toBe(false);
    expect(site.requests).not.toContain('GET /more');
  });

  it('that answers the browser with an error stays what was fetched', async () => {
    const { site, fetchPage } = await open();
    let count = 0;
    site.pages.set('/app', (_request, response) => {
      count += 1;
      response.writeHead(count === 1 ? 200 : 403, { 'content-type': 'text/html' });
      response.end(shell(WRITES));
    });
    const result = await fetchPage(site.url('/app'));
    expect(result?.data).toBe('');
    expect(result?.content).toContain(
      `${NOT_READ}Opened site.test:${site.port}: the server answered 403.`,
    );
  });

  it('that shows nothing names what it was not allowed to load', async () => {
    const { site, fetchPage } = await open({ network: 'allowlist', allowHosts: ['site.test:*'] });
    site.pages.set('/app', shell("fetch('https://data.outside.test/').then(() => 0)"));
    const result = await fetchPage(site.url('/app'));
    expect(result?.content).toContain(
      `${NOT_READ}It shows no text there either. This task may not reach data.outside.test.]`,
    );
  });

  it('that leads away is read only where the run may go without asking', async () => {
    const { site, fetchPage, reached } = await open({
      ...{ network: 'allowlist', allowHosts: ['site.test:*'] },
      ...{ sites: ['site.test', 'other.test'], innerNames: ['inner.test'] },
    });
    site.pages.set('/in', shell("location.replace('/good')"));
    expect((await fetchPage(site.url('/in')))?.data).toContain('All is well');
    for (const host of ['other.test', 'inner.test', '127.0.0.1']) {
      site.pages.set('/out', shell(`location.replace(${JSON.stringify(site.url('/good', host))})`));
      const result = await fetchPage(site.url('/out'));
      expect([host, result?.data]).toEqual([host, '']);
      expect(result?.content).toContain(NOT_READ);
    }
    expect(reached().filter((one) => one.endsWith('allowed'))).toEqual([
      ...['fetch site.test allowed', 'browser site.test allowed'],
    ]);
  });

  it('at most two are open at the same time, and the others come after them', async () => {
    const { site, fetchPage } = await open();
    const { held, most, answer } = hold(site, 'High water at noon.');
    site.pages.set('/app', shell(FETCHES));
    const reading = Array.from({ length: 5 }, () => fetchPage(site.url('/app')));
    let done = 0;
    for (const one of reading) void one.then(() => (done += 1));
    for (let left = 5; left > 0; left -= 1) {
      await expect.poll(() => held.length, { timeout: 60_000 }).toBe(Math.min(2, left));
      answer(held[0]);
      await expect.poll(() => done, { timeout: 60_000 }).toBe(6 - left);
    }
    const results = await Promise.all(reading);
    expect(results.map((one) => one?.data)).toEqual(Array(5).fill('High water at noon.'));
    expect(most()).toBe(2);
  });

  it('an abort ends it at once, also one that waits for its turn; the next one is read', async () => {
    const { site, fetchPage } = await open();
    const { held, answer } = hold(site, 'High water at noon.');
    site.pages.set('/app', shell(FETCHES));
    const abort = new AbortController();
    const reason = new Error('stopped by the user');
    const reading = Array.from({ length: 3 }, () => fetchPage(site.url('/app'), abort.signal));
    const ended = Promise.allSettled(reading);
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(2);
    abort.abort(reason);
    expect(await ended).toEqual(Array(3).fill({ status: 'rejected', reason }));
    await expect.poll(() => chromiumProcesses('browser'), { timeout: 30_000 }).toEqual([]);
    const next = fetchPage(site.url('/app'));
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
    answer(held[0]);
    expect((await next)?.data).toBe('High water at noon.');
  });

  it('pages that look for a way around the proxy reach nothing', async () => {
    const traps = await setTraps();
    onTestFinished(() => traps[Symbol.asyncDispose]());
    const { site, opened } = await open({
      browserPath: wrappedChromium(),
      innerNames: ['inner.test', 'hosts-file.test', ...WAYS_OUT.map(nameOfWay)],
    });
    // Many ask for what a reader never loads: pictures, service workers. This one is always tried, and always asks.
    const loud = WAYS_OUT.filter(({ name }) => name === 'fetch');
    const sampled = sample(WAYS_OUT, { name: 'ways out of a rendered page', size: 12 });
    const ways = [...new Set([...loud, ...sampled])];
    expect(loud).toHaveLength(1);
    const sockets = watchSockets();
    const { egress } = opened.run();
    const signal = AbortSignal.timeout(240_000);
    for (const { address } of putWays(site, ways, traps)) {
      const client = egress.client('browser');
      await opened.browsers.render(address, { egress: client, signal }).catch(() => null);
    }
    const past = [...sockets.stop()].filter((socket) => socket.endsWith(`:${traps.port}`));
    const others = opened.connections.filter(
      ({ verdict, host }) => verdict !== 'denied' && host !== 'site.test',
    );
    const { caught, lookups } = traps;
    expect({ others, past, caught, lookups }).toEqual({
      ...{ others: [], past: [], caught: [], lookups: [] },
    });
    const denied = opened.connections.filter(({ verdict }) => verdict === 'denied');
    expect(denied.map(({ host }) => host)).toEqual(
      expect.arrayContaining(loud.map((way) => nameOfWay(way))),
    );
    expect(site.requests).toEqual(
      expect.arrayContaining(ways.map(({ name }) => expect.stringContaining(`/way/${name}/`))),
    );
  });
});
