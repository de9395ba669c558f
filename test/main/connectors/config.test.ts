import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectorConfig, type ConnectorDraft } from '#contract/connectors.ts';
import { checkDraft, hostsOf, resolveValues } from '#main/connectors/config.ts';

let root: string;
let home: string;
let dataDir: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hyperagent-config-')));
  home = join(root, 'homes/me');
  dataDir = join(home, '.config/hyperagent');
  for (const one of [dataDir, join(home, 'notes'), join(home, '.ssh')]) {
    mkdirSync(one, { recursive: true });
  }
  writeFileSync(join(home, 'notes/a.txt'), 'a');
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

type Program = Extract<ConnectorDraft, { kind: 'program' }>;

const program = (change: Partial<Program> = {}): Program => ({
  ...{ kind: 'program', command: 'server', args: [], env: {}, folders: [], hosts: [] },
  ...change,
});
const remote = (url: string, headers: Readonly<Record<string, string>> = {}): ConnectorDraft => ({
  ...{ kind: 'remote', url, headers },
});
const check = (draft: ConnectorDraft, name = 'notes') => checkDraft(name, draft, { dataDir });
const REFUSED = expect.objectContaining({ code: 'BAD_REQUEST' });
const refused = (draft: ConnectorDraft, name?: string) =>
  expect(check(draft, name)).rejects.toEqual(REFUSED);
const opened = (path: string) => check(program({ folders: [{ path, access: 'write' }] }));

describe('names', () => {
  it.each(['a', 'github', 'my-server-2', ' trimmed ', 'a'.repeat(24)])('takes %j', async (name) => {
    expect(await check(program(), name)).toMatchObject({ name: name.trim() });
  });

  it.each(
    [
      ...['', ' ', 'A', 'a_b', 'a__b', 'a--b', '-a', 'a-', 'a.b', 'a/b', '../a', 'a\n', 'ä', 'а'],
      ...['a\u200b', '__proto__', 'a'.repeat(25), 'a-'.repeat(20).concat('a'), 'x'.repeat(100_000)],
    ].filter((name) => name !== 'a\n'),
  )('refuses %j', (name) => refused(program(), name));
});

describe('addresses', () => {
  it.each([
    ...['https://example.com/mcp', 'https://example.com:8443/', 'http://localhost:3000/mcp'],
    ...['http://127.0.0.1:1/', 'http://[::1]:3000/', 'http://192.168.1.5/', 'http://10.0.0.1/'],
    ...[' https://example.com/ ', 'https://example.com/mcp#part'],
  ])('takes %j', async (url) => {
    const { config } = await check(remote(url));
    expect(config).toMatchObject({ kind: 'remote', url: expect.not.stringContaining('#') });
  });

  it.each([
    ...['http://example.com/mcp', 'http://mcp.example.com:8080/', 'http://8.8.8.8/'],
    ...['http://localhost.example.com/', 'http://127.0.0.1.example.com/', 'http://[2606:4700::1]/'],
    ...['http://134744072/', 'http://example.com./', 'http://ex\u200bample.com/'],
  ])('refuses %j, which can be read on the way', (url) => refused(remote(url)));

  it.each([
    ...[
      'https://user:pass@example.com/',
      'https://user@example.com/',
      'https://:pass@example.com/',
    ],
    ...['http://user:pass@localhost/', 'ftp://example.com/', 'file:///etc/passwd', 'example.com'],
    ...[
      'javascript:alert(1)',
      'ws://localhost/',
      'https://',
      'https://example.com:0/',
      'https://./',
    ],
    ...['data:text/plain,x', 'https://exa mple.com/', 'HTTPS//x', 'stdio:x'],
  ])('refuses %j', (url) => refused(remote(url)));

  it('stores nothing that the contract does not allow', async () => {
    const headers = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`X-H${at}`, 'a']));
    const env = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`V${at}`, 'a']));
    const long = `https://example.com/${'ä'.repeat(4_000)}`;
    for (const draft of [remote('https://a.com/', headers), program({ env }), remote(long)]) {
      const made = await check(draft).catch((error: unknown) => error);
      if (made instanceof Error) expect(made).toEqual(REFUSED);
      else
        expect(ConnectorConfig.safeParse((made as { config: unknown }).config).success).toBe(true);
    }
  });
});

describe('headers', () => {
  it.each([
    ...['', ' ', 'X Y', 'X:', 'X\n', 'X\r\nEvil', 'X\0', 'Ä', 'X\u200b'],
    ...['Host', 'content-length', 'Content-Type', 'Accept', 'Transfer-Encoding', 'Connection'],
    ...['Mcp-Session-Id', 'MCP-Protocol-Version'],
  ])('refuses the name %j', (name) => refused(remote('https://a.com/', { [name]: 'x' })));

  it.each(['a\nb', 'a\rb', 'a\r\nEvil: 1', 'a\0'])('refuses the value %j', (value) =>
    refused(remote('https://a.com/', { 'X-Key': value })),
  );

  it.each(['grüße', '😀', 'a\u0001b', 'a\u2028b', 'key…', '密码'])(
    'takes the value %j only if it can be sent',
    async (value) => {
      const made = await check(remote('https://a.com/', { 'X-Key': value })).catch(() => null);
      if (made === null) return;
      const values = resolveValues(made.config, made.values, {});
      expect(() => new Headers(values)).not.toThrow();
    },
  );
});

describe('programs', () => {
  it.each([
    ...[program({ command: 'a\0b' }), program({ args: ['a\0b'] }), program({ args: ['a\u202eb'] })],
    ...[program({ command: 'ser\u200bver' }), program({ args: ['fine', '\u{e0041}'] })],
    program({ env: { A: 'a\0b' } }),
  ])('refuses what cannot be seen or given: %j', (draft) => refused(draft));

  it.each(['', '1A', 'A B', 'A=B', 'A-B', 'A\n', 'A\0', 'Ä', 'A;rm', '$(x)', 'BASH_FUNC_x%%'])(
    'refuses the variable %j',
    (name) => refused(program({ env: { [name]: 'x' } })),
  );

  it.each([
    'PATH',
    'HOME',
    'path',
    'LD_PRELOAD',
    'HTTPS_PROXY',
    'no_proxy',
    'BASH_ENV',
    'ENV',
    'PWD',
  ])('leaves %s to the sandbox', (name) => refused(program({ env: { [name]: 'x' } })));

  it('takes hosts as they can be reached', async () => {
    const hosts = ['api.example.com', '*.example.com', ' a.com:8443 ', '[::1]:80', '10.0.0.1:*'];
    const { config } = await check(program({ hosts }));
    expect(hostsOf(config)).toEqual(hosts.map((host) => host.trim()));
  });

  it.each([
    ...['', ' ', '*', '*.', 'https://a.com', 'a.com/x', 'a b', 'a.com:99999', 'a.com:x', 'u@a.com'],
    ...['a.com:0', 'a.com?x', 'a\u202e.com', '*.*.com', 'a.com\nb.com', '[::1', 'a\0.com'],
  ])('refuses the host %j', (host) => refused(program({ hosts: [host] })));

  it('shows a host as it is', async () => {
    for (const host of ['exa\u00admple.com', 'exa\u200bmple.com']) {
      const made = await check(program({ hosts: [host] })).catch(() => null);
      if (made !== null) expect(hostsOf(made.config)).toEqual(['example.com']);
    }
  });
});

describe('folders', () => {
  it('takes a folder of the user, by its real path', async () => {
    symlinkSync(join(home, 'notes'), join(root, 'link'));
    for (const path of [
      join(home, 'notes'),
      `${home}/notes/`,
      `${home}/x/../notes`,
      `${root}/link`,
    ]) {
      if (path.includes('/x/')) mkdirSync(join(home, 'x'), { recursive: true });
      const { config } = await opened(path);
      expect(config).toMatchObject({ folders: [{ path: join(home, 'notes'), access: 'write' }] });
    }
  });

  it.each(['notes', './notes', '', '~/notes', 'C:\\x', '/nowhere/at/all', '/tmp\0', '/tmp\u200b'])(
    'refuses %j',
    (path) => expect(opened(path)).rejects.toEqual(REFUSED),
  );

  it.each([
    ...['/', '//', '/etc', '/etc/', '/etc/ssl', '/usr', '/usr/bin', '/proc', '/proc/self', '/dev'],
    ...['/sys', '/run', '/var/run', '/bin', '/lib', '/tmp/../etc', '/boot'],
  ])('refuses %s of the system', (path) => expect(opened(path)).rejects.toEqual(REFUSED));

  it.each<[string, () => string]>([
    ['a file', () => join(home, 'notes/a.txt')],
    ['the home', () => home],
    ['the home of a round path', () => `${home}/notes/..`],
    ['the folder of all homes', () => join(root, 'homes')],
    ['what holds that', () => root],
    ['the data folder', () => dataDir],
    ['what the data folder holds', () => join(dataDir, 'logs')],
    ['what holds the data folder', () => join(home, '.config')],
    ['keys', () => join(home, '.ssh')],
    ['a folder in keys', () => join(home, '.ssh/old')],
    ...['gnupg', 'aws', 'azure', 'kube', 'docker', 'password-store'].map(
      (name): [string, () => string] => [name, () => join(home, `.${name}`)],
    ),
  ])('refuses %s, and a link to it', async (_name, pathOf) => {
    const path = pathOf();
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
    if (!path.endsWith('.txt')) mkdirSync(path, { recursive: true });
    symlinkSync(path, join(home, 'notes/link'));
    await expect(opened(path)).rejects.toEqual(REFUSED);
    await expect(opened(join(home, 'notes/link'))).rejects.toEqual(REFUSED);
  });

  it('refuses links that lead to the system', async () => {
    for (const [at, target] of ['/', '/etc', '/proc/self'].entries()) {
      symlinkSync(target, join(home, `notes/link${at}`));
      await expect(opened(join(home, `notes/link${at}`))).rejects.toEqual(REFUSED);
    }
  });

  it('refuses what holds keys, such as the folder of all configurations', async () => {
    mkdirSync(join(home, '.config/gh'), { recursive: true });
    const elsewhere = join(root, 'data');
    mkdirSync(elsewhere);
    const draft = program({ folders: [{ path: join(home, '.config'), access: 'read' }] });
    await expect(checkDraft('notes', draft, { dataDir: elsewhere })).rejects.toEqual(REFUSED);
  });

  it('refuses the home and its keys where the home itself is reached by a link', async () => {
    symlinkSync(join(root, 'homes'), join(root, 'home-link'));
    const linked = join(root, 'home-link/me');
    vi.stubEnv('HOME', linked);
    vi.stubEnv('USERPROFILE', linked);
    for (const path of [
      linked,
      home,
      join(linked, '.ssh'),
      join(home, '.ssh'),
      join(root, 'homes'),
    ]) {
      const draft = program({ folders: [{ path, access: 'read' }] });
      const data = join(root, 'no-data');
      await expect(checkDraft('notes', draft, { dataDir: data }), path).rejects.toEqual(REFUSED);
    }
  });

  it('refuses keys that the home links to', async () => {
    rmSync(join(home, '.ssh'), { recursive: true });
    mkdirSync(join(home, 'dotfiles/ssh'), { recursive: true });
    symlinkSync(join(home, 'dotfiles/ssh'), join(home, '.ssh'));
    await expect(opened(join(home, '.ssh'))).rejects.toEqual(REFUSED);
    await expect(opened(join(home, 'dotfiles/ssh'))).rejects.toEqual(REFUSED);
  });

  it('takes a folder whose name only begins like one that is refused', async () => {
    for (const name of ['me-too', 'me/.sshx', 'me/.config/hyperagent2']) {
      const path = join(root, 'homes', name);
      mkdirSync(path, { recursive: true });
      expect((await opened(path)).config).toMatchObject({ folders: [{ path }] });
    }
  });
});

describe('values', () => {
  const SECRETS: Readonly<Record<string, string>> = {
    API_KEY: 'abc',
    GITHUB_TOKEN: 'ghp_0123456789abcdefghij0123456789abcdef',
    PLAIN: 'sk-proj-0123456789abcdefghijklmnop',
    DATABASE_URL: 'postgres://me:hunter2@db.example.com/x',
    WEBHOOK: 'https://hooks.example.com/services/T0000/B0000/XXXXXXXXXXXXXXXXXXXXXXXX',
    ADDRESS: 'https://example.com/?sig=0123456789',
    PIN: '4711',
    CODE: '/dGhpcyBpcyBhIHNlY3JldA1',
  };

  it.each(Object.entries(SECRETS))('seals %s=%s', async (name, value) => {
    const { config, values } = await check(program({ env: { [name]: value } }));
    expect(values).toEqual({ [name]: value });
    expect(config).toMatchObject({ env: [{ name, value: null }] });
    expect(JSON.stringify(config)).not.toContain(value);
  });

  it('seals headers, and keeps what refers to a variable', async () => {
    const headers = { Authorization: 'Bearer abc', 'X-Api-Key': '${KEY}', 'X-Mode': 'fast' };
    const { config, values } = await check(remote('https://a.com/', headers));
    expect(values).toEqual({ Authorization: 'Bearer abc' });
    expect(config).toMatchObject({
      headers: [
        { name: 'Authorization', value: null },
        { name: 'X-Api-Key', value: '${KEY}' },
        { name: 'X-Mode', value: 'fast' },
      ],
    });
  });

  it.each([
    ['MODE', 'production'],
    ['PORT', '8080'],
    ['DEBUG', 'true'],
    ['ROOT', '/home/me/notes'],
    ['BASE', 'https://api.example.com/v1'],
    ['LOG_LEVEL', ''],
  ])('keeps %s=%s, which is no secret', async (name, value) => {
    const { config, values } = await check(program({ env: { [name]: value } }));
    expect([config, values]).toMatchObject([{ env: [{ name, value }] }, {}]);
  });

  it('gives back what was given, by names that objects inherit too', async () => {
    const env = JSON.parse('{"__proto__":"s3cret!","constructor":"s3cret?","A":"a b"}') as {
      readonly A: string;
    };
    const { config, values } = await check(program({ env }));
    const resolved = resolveValues(config, values, {});
    expect(Object.entries(resolved).sort()).toEqual(Object.entries(env).sort());
    // Values that were lost are empty, never what an object inherits.
    const lost = resolveValues(config, {}, {});
    expect(Object.values(lost).every((value) => typeof value === 'string')).toBe(true);
  });

  it('puts in the variables of the app, once', async () => {
    const env = { A: 'x ${ONE}-${TWO}', B: '${ONE}' };
    const { config, values } = await check(program({ env }));
    const environment = { ONE: '$& ${TWO}', TWO: '2', THREE: '3' };
    expect(resolveValues(config, values, environment)).toEqual({
      A: 'x $& ${TWO}-2',
      B: '$& ${TWO}',
    });
    expect(resolveValues(config, values, { ONE: '', TWO: '' })).toEqual({ A: 'x -', B: '' });
  });

  it.each(['MISSING', 'toString', 'constructor', '__proto__'])(
    'says that %s is not set',
    async (name) => {
      const { config, values } = await check(program({ env: { A: `\${${name}}` } }));
      expect(() => resolveValues(config, values, {})).toThrow(
        expect.objectContaining({
          code: 'CONNECTOR_UNAVAILABLE',
          message: expect.stringContaining(name),
        }),
      );
    },
  );

  it('leaves alone what only looks like a reference', async () => {
    const env = { A: '$HOME', B: '${}', C: '${A B}', D: '$${' };
    const { config, values } = await check(program({ env }));
    expect(resolveValues(config, values, {})).toEqual(env);
  });
});

it.each([
  ['https://Example.com/mcp', 'example.com:443'],
  ['http://localhost/', 'localhost:80'],
  ['https://a.com:8443/x', 'a.com:8443'],
  ['http://[::1]:3000/', '[::1]:3000'],
  ['http://0x7f.1/', '127.0.0.1:80'],
])('names the host of %s', async (url, host) => {
  expect(hostsOf((await check(remote(url))).config)).toEqual([host]);
});
