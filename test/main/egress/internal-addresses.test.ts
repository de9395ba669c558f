import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { Settings } from '#contract/settings.ts';
import { EgressDenied } from '#main/egress/denied.ts';
import { fetchDocument } from '#main/egress/fetch.ts';
import { parseTarget } from '#main/egress/target.ts';
import { closeServer, countingListener, listen } from '../../fakes/addresses/listeners.ts';
import { internalHosts, publicHosts } from '../../fakes/addresses/spellings.ts';
import { testEgress } from '../../fakes/egress.ts';

/**
 * Every spelling of an internal address that we know, against listeners on every address of this computer:
 * no connection may arrive. And no public address may be treated as internal.
 */

let listener: Awaited<ReturnType<typeof countingListener>>;
const never = new AbortController().signal;
const limits = { signal: never, maxBytes: 1000, timeoutMs: 5_000 };

beforeAll(async () => {
  listener = await countingListener();
});
afterAll(() => listener.close());

const openRun = (egress: ReturnType<typeof testEgress>) =>
  egress.egress.forRun({ runId: 'run_1', threadId: 'thr_1', network: 'open', allowHosts: [] });

/** How fetching a document ended: its code, or `answered`. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'answered';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('internal addresses', () => {
  it('at least 400 spellings, with user-info and without: none is dialled', async () => {
    const hosts = internalHosts();
    expect(hosts.length).toBeGreaterThanOrEqual(400);
    const egress = testEgress();
    const egressClient = openRun(egress).client('fetch');
    const urls = hosts.flatMap((host) => [
      `http://${host}:${listener.port}/`,
      `http://example.com@${host}:${listener.port}/`,
    ]);
    const outcomes = await Promise.all(
      urls.map(
        async (url) => [url, await outcomeOf(fetchDocument(url, egressClient, limits))] as const,
      ),
    );
    expect(outcomes.filter(([, code]) => code !== 'EGRESS_DENIED')).toEqual([]);
    expect(egress.store.lines.filter(({ verdict }) => verdict !== 'denied')).toEqual([]);
    expect(listener.connections()).toBe(0);
  });

  it('names with internal addresses, alone or among others, and names that change their address', async () => {
    const answers: Readonly<Record<string, readonly (readonly string[])[]>> = {
      'inside.test': [['127.0.0.1']],
      'mixed.test': [['93.184.215.14', '127.0.0.1']],
      'six.test': [['::ffff:127.0.0.1']],
      'nat64.test': [['64:ff9b::7f00:1']],
      'zone.test': [['fe80::1%eth0']],
      'empty.test': [[]],
      'rebinding.test': [['93.184.215.14'], ['127.0.0.1'], ['127.0.0.1']],
    };
    const asked = new Map<string, number>();
    const egress = testEgress({
      resolve: async (host) => {
        const count = asked.get(host) ?? 0;
        asked.set(host, count + 1);
        return answers[host]?.[count] ?? [];
      },
    });
    const egressClient = openRun(egress).client('fetch');
    const outcome = (host: string) =>
      outcomeOf(fetchDocument(`http://${host}:${listener.port}/`, egressClient, limits));
    const outcomes: Record<string, string> = {};
    for (const host of Object.keys(answers)) outcomes[host] = await outcome(host);
    expect(outcomes).toEqual({
      ...Object.fromEntries(Object.keys(answers).map((host) => [host, 'EGRESS_DENIED'])),
      // The checked address was dialled (and tests have no network): it was resolved once.
      'rebinding.test': 'FETCH_FAILED',
    });
    expect(asked.get('rebinding.test')).toBe(1);
    expect(await outcome('rebinding.test')).toBe('EGRESS_DENIED');
    expect(listener.connections()).toBe(0);
  });

  it('redirects of every kind, refreshes and scripts of an allowed page', async () => {
    const hosts = internalHosts();
    const pages = createServer((request, response) => {
      const { searchParams, pathname } = new URL(request.url ?? '/', 'http://x');
      // As servers send it: the bytes of UTF-8.
      const to = Buffer.from(searchParams.get('to') ?? '').toString('latin1');
      const status = Number(pathname.slice(1));
      if (status > 0) response.writeHead(status, { location: to }).end();
      else {
        response.writeHead(200, { 'content-type': 'text/html', refresh: `0;url=${to}` });
        response.end(
          `<meta http-equiv="refresh" content="0;url=${to}"><script>location='${to}'</script><img src="${to}">`,
        );
      }
    });
    const port = await listen(pages, '127.0.0.1');
    try {
      const settings = { current: Settings.parse({ egressPrivateHosts: [`pages.test:${port}`] }) };
      const egress = testEgress({ settings, names: { 'pages.test': ['127.0.0.1'] } });
      const egressClient = openRun(egress).client('fetch');
      const get = (path: string) =>
        outcomeOf(fetchDocument(`http://pages.test:${port}/${path}`, egressClient, limits));
      const outcomes = new Map<string, number>();
      for (const [index, host] of hosts.entries()) {
        const to = encodeURIComponent(`http://${host}:${listener.port}/`);
        const status = [301, 302, 303, 307, 308][index % 5];
        const code = await get(`${status}?to=${to}`);
        outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
        if (index % 20 === 0) expect(await get(`page?to=${to}`)).toBe('answered');
      }
      expect([...outcomes]).toEqual([['EGRESS_DENIED', hosts.length]]);
      expect(listener.connections()).toBe(0);
    } finally {
      await closeServer(pages);
    }
  });

  it('the listeners notice an allowed connection', async () => {
    const settings = { current: Settings.parse({ egressPrivateHosts: ['127.0.0.1:*'] }) };
    const egressClient = openRun(testEgress({ settings })).client('fetch');
    const page = await fetchDocument(`http://127.0.0.1:${listener.port}/`, egressClient, limits);
    expect(page.body.toString()).toBe('secret of the house');
    expect(listener.connections()).toBe(1);
  });
});

describe('public addresses', () => {
  it('at least 300 spellings: none is denied', async () => {
    const hosts = publicHosts();
    expect(hosts.length).toBeGreaterThanOrEqual(300);
    const egress = testEgress({
      resolve: async (host) => (/^[\d.]+$|:/.test(host) ? [host] : ['93.184.215.14']),
    });
    const egressClient = openRun(egress).client('fetch');
    for (const host of hosts) {
      const url = new URL(`http://${host}/`);
      const target = parseTarget(url.hostname, 80);
      // Tests have no network, so an allowed address fails at the dial.
      const denied = await egressClient.connect(target, never).catch((error: unknown) => error);
      expect([host, denied instanceof EgressDenied && denied.reason]).toEqual([
        host,
        'unreachable',
      ]);
    }
    expect(egress.store.lines.filter(({ verdict }) => verdict === 'denied')).toEqual([]);
  });
});
