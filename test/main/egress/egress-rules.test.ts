import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ApprovalRule } from '#contract/entities.ts';
import { Settings } from '#contract/settings.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { EgressDenied } from '#main/egress/denied.ts';
import { parseHostPattern } from '#main/egress/host-pattern.ts';
import { parseTarget } from '#main/egress/target.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { testEgress } from '../../fakes/egress.ts';

const never = new AbortController().signal;
const settings = (changes: Record<string, unknown>) => ({ current: Settings.parse(changes) });
const NAMES = {
  'site.test': ['93.184.215.14'],
  'sub.site.test': ['93.184.215.14'],
  'nas.test': ['192.168.1.5'],
};

/** Why a connection failed; `unreachable` means that it was allowed (tests have no network). */
async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((cause: unknown) => cause);
  return error instanceof EgressDenied ? error.reason : 'connected';
}

interface Case {
  readonly app: NetworkPolicy;
  readonly run: NetworkPolicy;
  readonly allowHosts?: string[];
  readonly changes?: Record<string, unknown>;
}

function openRun({ app, run, allowHosts = [], changes = {} }: Case) {
  const egress = testEgress({ names: NAMES, settings: settings({ egress: app, ...changes }) });
  return {
    ...egress,
    run: egress.egress.forRun({ runId: 'run_1', threadId: 'thr_1', network: run, allowHosts }),
  };
}

describe('rules of the user about pages', () => {
  const rule = (
    decision: 'deny' | 'ask' | 'approve',
    pattern: string,
    more = {},
  ): ApprovalRule => ({
    ...{ id: 'rule_1', createdAt: 1, threadId: null, toolName: 'fetch_page', match: 'host' },
    ...{ decision, pattern, ...more },
  });
  it.each([
    [[rule('deny', 'site.test')], 'denied_by_rule', 'denied_by_rule'],
    [[rule('deny', 'SITE.test.')], 'denied_by_rule', 'denied_by_rule'],
    // Its alias, and its address.
    [[rule('deny', 'sub.site.test')], 'denied_by_rule', 'denied_by_rule'],
    [[rule('deny', '93.184.215.14')], 'denied_by_rule', 'denied_by_rule'],
    [[rule('deny', '*.site.test')], 'unreachable', 'unreachable'],
    [[rule('deny', 'nowhere.test')], 'unreachable', 'unreachable'],
    [[rule('ask', 'site.test')], 'not_listed', 'unreachable'],
    [[rule('approve', 'site.test')], 'unreachable', 'unreachable'],
    [[rule('deny', 'site.test', { threadId: 'thr_1' })], 'denied_by_rule', 'denied_by_rule'],
    [[rule('deny', 'site.test', { threadId: 'thr_2' })], 'unreachable', 'unreachable'],
    [[rule('deny', 'site.test', { toolName: 'web_search' })], 'unreachable', 'unreachable'],
    [[rule('deny', 'site.test', { match: 'arguments' })], 'unreachable', 'unreachable'],
  ] as const)('%j: for pages %s, for programs %s', async (rules, forPages, forPrograms) => {
    const egress = testEgress({
      ...{ names: NAMES, rules: () => rules },
      settings: settings({ egress: 'open' }),
    });
    const run = egress.egress.forRun({
      ...{ runId: 'run_1', threadId: 'thr_1', network: 'open', allowHosts: ['site.test'] },
    });
    const target = parseTarget('site.test', 443);
    expect(await reasonOf(run.client('fetch').connect(target, never))).toBe(forPages);
    expect(await reasonOf(run.client('sandbox').connect(target, never))).toBe(forPrograms);
    // Approval of exactly this page does not override a rule that denies.
    const granted = forPages === 'not_listed' ? 'unreachable' : forPages;
    expect(await reasonOf(run.client('fetch', [target]).connect(target, never))).toBe(granted);
  });
});

describe('policies', () => {
  const cases: readonly [string, Case, string, string][] = [
    ['open and open', { app: 'open', run: 'open' }, 'site.test:443', 'unreachable'],
    ['the stricter counts: the app', { app: 'offline', run: 'open' }, 'site.test:443', 'offline'],
    ['the stricter counts: the run', { app: 'open', run: 'offline' }, 'site.test:443', 'offline'],
    ['on no list', { app: 'open', run: 'allowlist' }, 'site.test:443', 'not_listed'],
    [
      'on the list of the run',
      { app: 'open', run: 'allowlist', allowHosts: ['site.test'] },
      'site.test:443',
      'unreachable',
    ],
    [
      'another port than those of the web',
      { app: 'open', run: 'allowlist', allowHosts: ['site.test'] },
      'site.test:22',
      'not_listed',
    ],
    [
      'a port of the list',
      { app: 'open', run: 'allowlist', allowHosts: ['site.test:22'] },
      'site.test:22',
      'unreachable',
    ],
    [
      'any port',
      { app: 'open', run: 'allowlist', allowHosts: ['site.test:*'] },
      'site.test:9',
      'unreachable',
    ],
    [
      'a subdomain',
      { app: 'open', run: 'allowlist', allowHosts: ['*.site.test'] },
      'sub.site.test:443',
      'unreachable',
    ],
    [
      'not the domain itself',
      { app: 'open', run: 'allowlist', allowHosts: ['*.site.test'] },
      'site.test:443',
      'not_listed',
    ],
    [
      'the list of the app is that of runs too',
      { app: 'open', run: 'allowlist', changes: { egressHosts: ['site.test'] } },
      'site.test:443',
      'unreachable',
    ],
    ['both levels must agree', { app: 'allowlist', run: 'open' }, 'site.test:443', 'not_listed'],
    [
      'a list of the run does not open the app',
      { app: 'allowlist', run: 'allowlist', allowHosts: ['site.test'] },
      'site.test:443',
      'not_listed',
    ],
    [
      'a listed name with a private address',
      { app: 'open', run: 'allowlist', allowHosts: ['nas.test'] },
      'nas.test:80',
      'private_address',
    ],
    ['the same, open', { app: 'open', run: 'open' }, 'nas.test:80', 'private_address'],
    [
      'named as private',
      { app: 'open', run: 'open', changes: { egressPrivateHosts: ['nas.test'] } },
      'nas.test:80',
      'unreachable',
    ],
    [
      'named, but offline',
      { app: 'offline', run: 'open', changes: { egressPrivateHosts: ['nas.test'] } },
      'nas.test:80',
      'offline',
    ],
    [
      'a server of this computer, named, but offline',
      { app: 'open', run: 'offline', changes: { egressPrivateHosts: ['127.0.0.1:*'] } },
      '127.0.0.1:80',
      'offline',
    ],
    [
      'a wildcard names nobody private',
      { app: 'open', run: 'open', changes: { egressPrivateHosts: ['*.test'] } },
      'nas.test:80',
      'private_address',
    ],
    [
      'an address of its own on the list of the run',
      { app: 'open', run: 'allowlist', allowHosts: ['192.168.1.5:80'] },
      '192.168.1.5:80',
      'unreachable',
    ],
    ['a name without an address', { app: 'open', run: 'open' }, 'nowhere.test:80', 'unresolved'],
  ];
  it.each(cases)('%s', async (_name, given, at, reason) => {
    const { run, store, asked } = openRun(given);
    const [host = '', port = ''] = at.split(':');
    const target = parseTarget(host, Number(port));
    expect(await reasonOf(run.client('sandbox').connect(target, never))).toBe(reason);
    expect(store.lines.map(({ reason: why, host: to, verdict }) => [why, to, verdict])).toEqual([
      [reason, host, reason === 'unreachable' ? 'failed' : 'denied'],
    ]);
    // A name lookup already sends something.
    if (reason === 'offline' || reason === 'not_listed') expect(asked).toEqual([]);
    expect(run.allows(target)).toBe(!['offline', 'not_listed'].includes(reason));
  });

  it('an approved call reaches its own host, whatever the list says, but no private address', async () => {
    const { run } = openRun({ app: 'open', run: 'allowlist' });
    const egressClient = run.client('fetch', [
      { host: 'site.test', port: 443 },
      { host: 'nas.test', port: 80 },
      { host: '127.0.0.1', port: 80 },
    ]);
    const ask = (host: string, port: number) =>
      reasonOf(egressClient.connect({ host, port }, never));
    expect([
      await ask('site.test', 443),
      await ask('site.test', 80),
      await ask('nas.test', 80),
      await ask('127.0.0.1', 80),
    ]).toEqual(['unreachable', 'not_listed', 'private_address', 'private_address']);
  });

  it('what the user named by its address for the egress client of a run is reached by that client only', async () => {
    const server = createServer((_request, response) => response.end('here'));
    const port = await listen(server, '127.0.0.1');
    const names = { ...NAMES, 'searx.test': ['127.0.0.1'] };
    const current = settings({});
    const { egress, store } = testEgress({ settings: current, names });
    const target = { host: 'searx.test', port };
    const reasons = async (network: NetworkPolicy) => {
      const run = egress.forRun({ runId: 'r', threadId: 'thr_1', network, allowHosts: [] });
      const named = run.client('search', [target], { byUser: true });
      const others = [
        run.client('search', [target], { byUser: false }),
        run.client('fetch', [target]),
        run.client('sandbox'),
      ];
      return await Promise.all([
        reasonOf(named.connect(target, never).then((socket) => socket.destroy())),
        reasonOf(named.connect({ ...target, port: port + 1 }, never)),
        reasonOf(named.connect({ host: '127.0.0.1', port }, never)),
        ...others.map((egressClient) => reasonOf(egressClient.connect(target, never))),
      ]);
    };
    expect(await reasons('open')).toEqual([
      ...['connected', 'private_address', 'private_address'],
      ...['private_address', 'private_address', 'private_address'],
    ]);
    expect(await reasons('allowlist')).toEqual([
      ...['connected', 'not_listed', 'not_listed'],
      ...['private_address', 'private_address', 'not_listed'],
    ]);
    expect(new Set(await reasons('offline'))).toEqual(new Set(['offline']));
    current.current = { ...current.current, egress: 'offline' };
    expect(new Set(await reasons('open'))).toEqual(new Set(['offline']));
    expect(store.lines.filter(({ verdict }) => verdict === 'allowed')).toHaveLength(2);
    await closeServer(server);
  });

  it('a model server is reached where the user configured it, also on a private network, but not offline', async () => {
    const server = createServer((_request, response) => response.end('here'));
    const port = await listen(server, '127.0.0.1');
    const current = settings({ egress: 'allowlist' });
    const { egress } = testEgress({ settings: current, names: { 'models.test': ['127.0.0.1'] } });
    const target = { host: 'models.test', port };
    const egressClient = egress.appClient('model', [target], { byUser: true });
    const socket = await egressClient.connect(target, never);
    socket.destroy();
    const other = await reasonOf(
      egressClient.connect({ host: 'models.test', port: port + 1 }, never),
    );
    current.current = { ...current.current, egress: 'offline' };
    expect([other, await reasonOf(egressClient.connect(target, never))]).toEqual([
      'not_listed',
      'offline',
    ]);
    await closeServer(server);
  });

  it('a change of the settings ends connections that it no longer allows, and keeps the others', async () => {
    const server = createServer();
    const port = await listen(server, '127.0.0.1');
    const current = settings({ egressPrivateHosts: ['a.test:*', 'b.test:*'] });
    const { egress, broker, store } = testEgress({
      settings: current,
      names: { 'a.test': ['127.0.0.1'], 'b.test': ['127.0.0.1'] },
    });
    const egressClient = egress
      .forRun({ runId: 'r', threadId: 'thr_1', network: 'open', allowHosts: [] })
      .client('sandbox');
    const [a, b] = await Promise.all([
      egressClient.connect({ host: 'a.test', port }, never),
      egressClient.connect({ host: 'b.test', port }, never),
    ]);
    const ended = new Promise((resolve) => a?.once('close', resolve));
    current.current = { ...current.current, egressPrivateHosts: ['b.test:*'] };
    broker.enforce();
    await ended;
    expect([a?.destroyed, b?.destroyed]).toEqual([true, false]);
    expect(store.lines.map(({ host, endedAt }) => [host, endedAt !== null])).toEqual([
      ['a.test', true],
      ['b.test', false],
    ]);
    b?.destroy();
    await closeServer(server);
  });
});

describe('hosts of a list', () => {
  it.each([
    ['example.com', 'example.com', [80, 443]],
    ['EXAMPLE.com.', 'example.com', [80, 443]],
    ['*.example.com:8443', 'example.com', [8443]],
    ['[2001:DB8::1]:*', '2001:db8::1', null],
    ['0x7f.1:80', '127.0.0.1', [80]],
    ['bücher.example', 'xn--bcher-kva.example', [80, 443]],
  ])('%s', (text, host, ports) => {
    expect(parseHostPattern(text)).toMatchObject({ host, ports });
  });

  it.each([
    '',
    '*',
    '*.',
    'http://example.com',
    'a b',
    'user@example.com',
    'x:99999',
    '*.*.com',
    'a/b',
  ])('refuses %j and says what to write', (text) => {
    expect(() => parseHostPattern(text)).toThrow(/Write example\.com/);
  });
});

describe("this computer's own public addresses", () => {
  const own = { names: NAMES, ownAddresses: ['93.184.215.14', '2a00:1450:4001:82a::200e'] };
  const asked = (host: string, changes: Record<string, unknown> = {}) => {
    const { egress } = testEgress({ ...own, settings: settings({ egress: 'open', ...changes }) });
    const run = egress.forRun({ runId: 'r', threadId: 'thr_1', network: 'open', allowHosts: [] });
    return reasonOf(run.client('sandbox').connect(parseTarget(host, 8080), never));
  };

  it.each(['site.test', '93.184.215.14', '[::ffff:93.184.215.14]', '[2A00:1450:4001:82a:0::200e]'])(
    '%s is not dialled: a service that listens on every interface answers there',
    async (host) => {
      expect(await asked(host)).toBe('private_address');
    },
  );

  it('are dialled if the user named exactly that host; neighbouring addresses are too', async () => {
    expect(await asked('site.test', { egressPrivateHosts: ['site.test:*'] })).toBe('unreachable');
    expect(await asked('93.184.215.15')).toBe('unreachable');
  });
});
