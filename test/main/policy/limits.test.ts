import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { ConnectorConfig } from '#contract/connectors.ts';
import { systemClock } from '#main/base/clock.ts';
import { dataDirFor } from '#main/data-dir.ts';
import { EgressDenied } from '#main/egress/denied.ts';
import { RememberedAddresses } from '#main/egress/remembered-addresses.ts';
import { parseTarget } from '#main/egress/target.ts';
import type { Resolve } from '#main/egress/types.ts';
import { dataFolderFor, problemOfDataFolder } from '#main/policy/data-folder.ts';
import { PolicyLimits } from '#main/policy/limits.ts';
import { testEgress } from '../../fakes/egress.ts';
import { policyOf } from '../../fakes/policies.ts';

const limits = (document: Readonly<Record<string, unknown>>) =>
  new PolicyLimits(policyOf(document));
const NAMES = {
  'site.test': ['93.184.215.14'],
  'alias.test': ['93.184.215.14'],
  'llm.test': ['93.184.215.15'],
  'other.test': ['93.184.215.16'],
};

/** Why a connection failed; `unreachable` means that it was allowed (tests have no network). */
async function reasonOf(
  document: Readonly<Record<string, unknown>>,
  host: string,
  {
    actor = 'fetch',
    port = 443,
  }: { actor?: 'fetch' | 'model' | 'connector' | 'app'; port?: number } = {},
): Promise<string> {
  const { egress } = testEgress({ names: NAMES, limits: limits(document).hosts });
  const target = parseTarget(host, port);
  // Named by the user, so that nothing but the policy is against it.
  const client = egress.appClient(actor, [target], { byUser: true });
  const error = await client
    .connect(target, new AbortController().signal)
    .catch((cause: unknown) => cause);
  return error instanceof EgressDenied ? error.reason : 'connected';
}

describe('hosts of a policy', () => {
  const deny = { hosts: { deny: ['site.test', '*.bad.test'] } };
  const allow = { hosts: { allow: ['site.test'] } };
  const models = { hosts: { allow: ['site.test'] }, modelHosts: ['llm.test:*'] };
  const [allowed, refused] = ['unreachable', 'denied_by_policy'];
  it.each([
    [{}, 'other.test', {}, allowed],
    [deny, 'other.test', {}, allowed],
    [deny, 'site.test', {}, refused],
    [deny, 'SITE.test.', {}, refused],
    [deny, 'a.bad.test', {}, refused],
    // Its alias, its address, and ports that the pattern does not name.
    [deny, 'alias.test', {}, refused],
    [deny, '93.184.215.14', {}, refused],
    [deny, 'site.test', { actor: 'model' }, refused],
    [deny, 'site.test', { actor: 'connector' }, refused],
    [{ hosts: { deny: ['93.184.215.14:*'] } }, 'site.test', {}, refused],
    [allow, 'site.test', {}, allowed],
    [allow, 'site.test', { port: 8080 }, refused],
    [allow, 'other.test', {}, refused],
    [allow, 'alias.test', {}, refused],
    [allow, '93.184.215.14', {}, refused],
    [allow, 'other.test', { actor: 'app' }, refused],
    [allow, 'other.test', { actor: 'model' }, refused],
    // A model on this computer.
    [allow, '127.0.0.1', { actor: 'model', port: 1 }, allowed],
    [allow, 'localhost', { actor: 'fetch', port: 1 }, refused],
    [allow, '127.0.0.1.other.test', { actor: 'model' }, refused],
    [models, 'llm.test', { actor: 'model', port: 11434 }, allowed],
    [models, 'site.test', { actor: 'model' }, refused],
    [models, '127.0.0.1', { actor: 'model', port: 1 }, refused],
    [models, 'llm.test', { actor: 'fetch' }, refused],
    [{ hosts: { allow: [] } }, 'site.test', {}, refused],
    [{ hosts: { allow: ['site.test'], deny: ['site.test'] } }, 'site.test', {}, refused],
  ] as const)('%j: %s %j', async (document, host, by, expected) => {
    const reason = await reasonOf(document, host, by);
    expect(reason === 'unresolved' ? allowed : reason).toBe(expected);
  });
});

describe('denied hosts', () => {
  const open = (deny: readonly string[], resolve: Resolve) => {
    const { egress } = testEgress({ limits: limits({ hosts: { deny } }).hosts, resolve });
    return async (host: string, port = 443): Promise<string> => {
      const target = parseTarget(host, port);
      const error = await egress
        .appClient('fetch', [target], { byUser: true })
        .connect(target, new AbortController().signal)
        .catch((cause: unknown) => cause);
      return error instanceof EgressDenied ? error.reason : 'connected';
    };
  };

  it.each([
    ['[::ffff:93.184.215.14]', 'site.test'],
    ['[::ffff:5db8:d70e]', '93.184.215.14'],
    ['[64:ff9b::5db8:d70e]', 'site.test'],
  ])('are denied as %s', async (host, denied) => {
    const names: Record<string, string[]> = { 'site.test': ['93.184.215.14'] };
    const reach = open([denied], async (name) => names[name] ?? [name]);
    expect(await reach(host)).toBe('denied_by_policy');
  });

  it('are denied where another name resolves to another spelling of their address', async () => {
    const reach = open(['93.184.215.14'], async (name) =>
      name === 'alias.test' ? ['::ffff:5db8:d70e'] : [name],
    );
    expect(await reach('alias.test')).toBe('denied_by_policy');
  });

  it('leave the ports that they do not name', async () => {
    const reach = open(['llm.test:8080'], async () => ['93.184.215.15']);
    expect(await reach('llm.test', 8080)).toBe('denied_by_policy');
    expect(await reach('llm.test', 9090)).toBe('unreachable');
  });

  it('are looked up once, not for each connection', async () => {
    const asked: string[] = [];
    const deny = Array.from({ length: 300 }, (_, index) => `h${index}.test`);
    const reach = open(deny, async (name) => {
      asked.push(name);
      return ['93.184.215.15'.replace('15', name === 'site.test' ? '15' : '16')];
    });
    await reach('site.test');
    const first = asked.length;
    await reach('site.test');
    expect([first, asked.length - first]).toEqual([301, 1]);
  });

  it('stay denied by the address that was known, and hold up nothing else, without a name server', async () => {
    let isUp = true;
    const clock = { at: 0 };
    const remembered = new RememberedAddresses(
      async () => {
        if (!isUp) throw new Error('EAI_AGAIN');
        return ['93.184.215.14'];
      },
      { ...systemClock, monotonic: () => clock.at },
    );
    const { signal } = new AbortController();
    expect(await remembered.addressesOf('site.test', signal)).toEqual(['93.184.215.14']);
    isUp = false;
    clock.at = 10 * 60_000;
    expect(await remembered.addressesOf('site.test', signal)).toEqual(['93.184.215.14']);
    const never: Promise<string[]> = new Promise(() => undefined);
    const reach = open(['dead.test'], (name) =>
      name === 'dead.test' ? never : Promise.resolve(['93.184.215.15']),
    );
    expect(await reach('site.test')).toBe('unreachable');
  });
});

it('says who forbids it, and whom to ask', () => {
  const held = limits({
    organization: 'Example Ltd',
    contact: 'it@example.com',
    sandboxes: ['os'],
  });
  expect(held.sandbox('docker')).toBe(
    'This sandbox cannot be used: the policy of Example Ltd says so. Contact: it@example.com',
  );
  expect(held.sandbox('os')).toBeNull();
  expect(limits({ sandboxes: ['os'] }).sandbox('e2b')).toContain('the policy of this computer');
});

describe('skills of a policy', () => {
  const skill = (id: string, source: 'builtin' | 'dynamic' | 'markdown', isShipped = false) => ({
    ...{ id, source, isShipped },
  });
  it.each([
    [{}, skill('mine', 'dynamic'), true],
    [{ skills: { from: 'shipped' } }, skill('mine', 'dynamic'), false],
    [{ skills: { from: 'shipped' } }, skill('mine', 'markdown'), false],
    [{ skills: { from: 'shipped' } }, skill('theirs', 'markdown', true), true],
    [{ skills: { from: 'shipped' } }, skill('deep_research', 'builtin'), true],
    [{ skills: { block: ['deep_research'] } }, skill('deep_research', 'builtin'), false],
    [{ skills: { block: ['deep_research'] } }, skill('data_analysis', 'builtin'), true],
  ] as const)('%j: %j', (document, one, isAllowed) => {
    expect(limits(document).skill(one) === null).toBe(isAllowed);
  });
});

describe('connectors of a policy', () => {
  const program = (command: string, ...args: string[]): ConnectorConfig => ({
    ...{ kind: 'program', command, args, env: [], folders: [], hosts: [] },
  });
  const opened = (more: object): ConnectorConfig =>
    ({ ...program('npx', '-y', '@a/mcp'), ...more }) as ConnectorConfig;
  const opening = {
    connectors: {
      allow: [
        {
          ...{ command: 'npx', args: ['-y', '@a/mcp'] },
          ...{ env: ['TOKEN'], hosts: ['api.test'], folders: ['/srv/shared'] },
        },
      ],
    },
  };
  const folder = (path: string) => ({ folders: [{ path, access: 'read' }] });
  const remote = (url: string): ConnectorConfig => ({ kind: 'remote', url, headers: [] });
  const allow = {
    connectors: {
      allow: [{ command: 'npx', args: ['-y', '@a/mcp'] }, { url: 'https://mcp.test/mcp' }],
    },
  };
  it.each([
    [{}, program('sh'), true],
    [{ connectors: {} }, program('sh'), true],
    [{ connectors: { allow: [] } }, remote('https://mcp.test/mcp'), false],
    [allow, program('npx', '-y', '@a/mcp'), true],
    [allow, program('npx', '-y', '@a/mcp', '--more'), false],
    [allow, program('npx', '-y @a/mcp'), false],
    [allow, program('npx -y @a/mcp'), false],
    [allow, program('/tmp/npx', '-y', '@a/mcp'), false],
    // What a user opens to it, or tells it by a variable, is not the same program any more.
    [allow, opened({ env: [{ name: 'NODE_OPTIONS', value: '--import=x' }] }), false],
    [allow, opened({ hosts: ['evil.test'] }), false],
    [allow, opened(folder('/home')), false],
    [opening, opened({ env: [{ name: 'TOKEN', value: null }] }), true],
    [opening, opened({ env: [{ name: 'NODE_OPTIONS', value: null }] }), false],
    [opening, opened({ hosts: ['api.test'] }), true],
    [opening, opened({ hosts: ['api.test', 'evil.test'] }), false],
    [opening, opened(folder('/srv/shared')), true],
    [opening, opened(folder('/srv/shared/a')), true],
    [opening, opened(folder('/srv/shared-not')), false],
    [opening, opened(folder('/srv')), false],
    [allow, remote('https://mcp.test/mcp'), true],
    [allow, remote('https://MCP.test:443/mcp'), true],
    [allow, remote('https://mcp.test/mcp/'), false],
    [allow, remote('http://mcp.test/mcp'), false],
    [allow, remote('https://mcp.test.evil.test/mcp'), false],
  ] as const)('%j: %j', (document, config, isAllowed) => {
    expect(limits(document).connector(config) === null).toBe(isAllowed);
  });
});

describe('the data folder of a policy', () => {
  it.each([
    ['/srv/hyperagent/{user}', 'linux', true],
    ['{home}/Work', 'linux', true],
    ['{home}', 'win32', true],
    ['D:\\Data\\{user}', 'win32', true],
    ['D:\\Data', 'linux', false],
    ['data', 'linux', false],
    ['/srv/{home}', 'linux', false],
    ['{home}HyperAgent', 'linux', false],
    ['/srv/{USER}', 'linux', false],
    ['/srv/{user', 'linux', false],
    ['/srv/../etc', 'linux', false],
    ['/srv/a\u0000b', 'linux', false],
  ] as const)('%s on %s', (folder, platform, isValid) => {
    expect(problemOfDataFolder(folder, platform) === null).toBe(isValid);
  });

  it('is the one of the user, whatever the environment says', () => {
    const { username, homedir } = userInfo();
    expect(dataFolderFor('{home}/{user}/data')).toBe(`${homedir}/${username}/data`);
  });

  it.skipIf(process.platform === 'win32')('cannot be replaced by a flag or a variable', () => {
    const policy = policyOf({ dataFolder: '/srv/hyperagent' });
    expect(dataDirFor(undefined, {}, policy)).toBe('/srv/hyperagent');
    expect(dataDirFor('/srv/hyperagent/', {}, policy)).toBe('/srv/hyperagent');
    expect(() => dataDirFor('/elsewhere', {}, policy)).toThrow('/srv/hyperagent');
    expect(() => dataDirFor(undefined, { HYPERAGENT_DATA_DIR: '/elsewhere' }, policy)).toThrow(
      'Leave out',
    );
    expect(dataDirFor('/elsewhere', {}, policyOf({}))).toBe('/elsewhere');
  });
});
