import { describe, expect, it } from 'vitest';
import { ConnectorName, type ImportedConnector } from '#contract/connectors.ts';
import { readConfigs } from '#main/connectors/import-configs.ts';

const read = (value: unknown): Promise<ImportedConnector[]> => readConfigs(JSON.stringify(value));
const one = async (server: unknown): Promise<ImportedConnector> => {
  const [found] = await read({ mcpServers: { it: server } });
  if (found === undefined) throw new Error('It has one server');
  return found;
};
const BAD = expect.objectContaining({ code: 'BAD_REQUEST' });
/** What comes of any text: servers by valid names of their own, or a refusal. */
async function outcome(text: string): Promise<ImportedConnector[] | null> {
  let found: ImportedConnector[];
  try {
    found = await readConfigs(text);
  } catch (error) {
    expect(error).toEqual(BAD);
    return null;
  }
  const names = found.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !ConnectorName.safeParse(name).success).slice(0, 3)).toEqual([]);
  for (const { draft, notes } of found) expect(draft !== null || notes.length > 0).toBe(true);
  return found;
}

describe('Claude desktop', () => {
  it('reads a program and an address', async () => {
    const found = await read({
      mcpServers: {
        GitHub: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-github', 5],
          env: { GITHUB_TOKEN: 'ghp_x', PORT: 80, DEBUG: true },
        },
        far: { url: 'https://a.com/mcp', headers: { Authorization: 'Bearer x' } },
      },
    });
    expect(found).toMatchObject([
      {
        name: 'github',
        draft: {
          kind: 'program',
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-github', '5'],
          env: { GITHUB_TOKEN: 'ghp_x', PORT: '80', DEBUG: 'true' },
          hosts: ['registry.npmjs.org'],
        },
      },
      { name: 'far', draft: { kind: 'remote', headers: { Authorization: 'Bearer x' } } },
    ]);
    expect(found[0]?.notes.join()).toContain('registry.npmjs.org');
  });

  it('opens folders of the command for reading only, and says so', async () => {
    const { draft, notes } = await one({
      command: 'server',
      args: ['/data/notes', 'plain', './x'],
    });
    expect(draft).toMatchObject({ folders: [{ path: '/data/notes', access: 'read' }] });
    expect(notes.join()).toMatch(/reading/);
  });
});

describe('VS Code', () => {
  it('reads comments, trailing commas, and both kinds', async () => {
    const text = `{
      // The servers, "quoted"
      "inputs": [{ "id": "key", "type": "promptString" },],
      "servers": {
        /* one */ "a": { "type": "stdio", "command": "uvx", "args": ["x // no comment", "b,]",], },
        "b": { "type": "http", "url": "https://a.com/mcp", "headers": { "K": "\${env:KEY}" } },
      },
    }`;
    expect(await readConfigs(text)).toMatchObject([
      { draft: { command: 'uvx', args: ['x // no comment', 'b,]'] } },
      { draft: { kind: 'remote', url: 'https://a.com/mcp', headers: { K: '${KEY}' } } },
    ]);
  });

  it('reads a file that begins with a comment, or with a byte order mark', async () => {
    const text = '{"servers":{"a":{"command":"x"}}}';
    expect(await readConfigs(`// my servers\n${text}`)).toMatchObject([{ name: 'a' }]);
    expect(await readConfigs(`/* my servers */${text}`)).toMatchObject([{ name: 'a' }]);
    expect(await readConfigs(`\ufeff${text}`)).toMatchObject([{ name: 'a' }]);
  });

  it('says what it was asked for, and which file is not read', async () => {
    const { draft, notes } = await one({
      command: 'x',
      env: { A: '${input:key}' },
      envFile: '.env',
    });
    expect(draft).toMatchObject({ env: { A: '' } });
    expect(notes.join('\n')).toMatch(/A was asked for[\s\S]*\.env is not read/);
  });

  it('says where an argument or an address needs what VS Code asks for', async () => {
    expect((await one({ command: 'x', args: ['--key', '${input:key}'] })).notes).not.toEqual([]);
    expect((await one({ url: 'https://a.com/${input:key}' })).notes).not.toEqual([]);
  });

  it.each([
    { type: 'sse', url: 'https://a.com/sse' },
    { transport: 'SSE', url: 'https://a.com/' },
  ])('does not take the older transport: %j', async (server) => {
    expect(await one(server)).toMatchObject({
      draft: null,
      notes: [expect.stringContaining('SSE')],
    });
  });
});

it('reads the extensions of goose', async () => {
  const text = `extensions:
  fetch:
    enabled: true
    type: stdio
    cmd: uvx
    args:
      - mcp-server-fetch
    envs:
      MODE: fast
    env_keys:
      - FETCH_KEY
  far:
    type: streamable_http
    uri: https://a.com/mcp
    headers: { X-Key: abc }
  developer: { type: builtin, enabled: true }
`;
  expect(await readConfigs(text)).toMatchObject([
    {
      name: 'fetch',
      draft: {
        ...{
          command: 'uvx',
          args: ['mcp-server-fetch'],
          hosts: ['pypi.org', 'files.pythonhosted.org'],
        },
        env: { MODE: 'fast', FETCH_KEY: '${FETCH_KEY}' },
      },
    },
    {
      name: 'far',
      draft: { kind: 'remote', url: 'https://a.com/mcp', headers: { 'X-Key': 'abc' } },
    },
    { name: 'developer', draft: null },
  ]);
});

it('keeps each variable that it names, whatever it is called', async () => {
  const { draft } = await one({ command: 'x', env_keys: ['constructor', 'toString', 'A'] });
  const env = draft?.kind === 'program' ? draft.env : {};
  expect(Object.keys(env).sort()).toEqual(['A', 'constructor', 'toString']);
});

it('makes valid names that differ', async () => {
  const names = ['My Server!', 'my-server', 'MY_SERVER', '服务器', '', '__', '-a-', 'x'.repeat(99)];
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, { command: 'x' }])));
  expect((await outcome(text))?.map(({ name }) => name)).toEqual([
    ...['my-server', 'my-server-2', 'my-server-3', 'server', 'server-2', 'server-3', 'a'],
    'x'.repeat(20),
  ]);
});

it.each([
  ['long ones of one beginning', (at: number) => `${'x'.repeat(30)} ${at}`],
  ['of no Latin letter', (at: number) => '家'.repeat((at % 90) + 1) + '人'.repeat(at / 90)],
])('names 10,000 servers: %s', async (_name, nameOf) => {
  const servers = Array.from({ length: 10_000 }, (_, at) => [nameOf(at), { command: 'x' }]);
  const found = await outcome(JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  if (found !== null) expect(found).toHaveLength(10_000);
});

describe('hostile text', () => {
  const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);

  it.each([
    ...['', ' ', 'null', '5', '"x"', '[]', '[{"command":"x"}]', '{', '{}', '{"a":', 'plain words'],
    ...['{"mcpServers":[]}', '{"mcpServers":{}}', '{"mcpServers":5}', '- a\n- b', 'a: b', ': : :'],
    ...['a: &a [x]\nb: *a', '!!js/function "x"', '%YAML 9', '---\na: 1\n---\nb: 2', 'a: 1\na: 2'],
    ...['\0', '{"a":"\\u0000"}', '\ud800', '{/*', '{"', '\t{'],
    ...[deep('[', ']'), `{"mcpServers":{"a":${deep('[', ']')}}}`, `a: ${deep('[', ']')}`],
    'a: &a [l,l]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\nextensions: { x: *d }',
  ])('gives a refusal or notes: %.60s', async (text) => {
    await outcome(text);
  });

  it.each([
    ...[
      { command: 5 },
      { command: ['x'] },
      { command: 'x', args: 'y' },
      { command: 'x', args: [{}] },
    ],
    ...[
      { command: 'x', env: ['A'] },
      { command: 'x', env: { A: {} } },
      { url: 5 },
      { url: '' },
      {},
    ],
    ...[
      { command: '' },
      { command: 'x'.repeat(5_000) },
      { command: 'x', args: Array(300).fill('a') },
    ],
    ...[
      { command: 'x', env: { A: null } },
      { url: 'x', headers: { A: 'y'.repeat(20_000) } },
    ],
    { command: 'x', args: Array.from({ length: 30 }, (_, at) => `/f/${at}`) },
  ])('gives notes for wrong types: %j', async (server) => {
    const found = await outcome(
      JSON.stringify({ mcpServers: { it: server, fine: { command: 'x' } } }),
    );
    expect(found).toMatchObject([{ name: 'it' }, { name: 'fine', draft: { command: 'x' } }]);
  });

  it('keeps the others where one is no server at all', async () => {
    expect(await read({ servers: { a: 5, b: null, c: [], d: { command: 'x' } } })).toMatchObject([
      { name: 'd' },
    ]);
  });

  it.each([
    '{"mcpServers":{"__proto__":{"command":"x","env":{"__proto__":"y","constructor":"z"}}}}',
    '{"__proto__":{"mcpServers":{"a":{"command":"x"}}}}',
    'extensions:\n  __proto__:\n    cmd: x\n    envs: { __proto__: y }',
    '{"mcpServers":{"a":{"__proto__":{"command":"x"}}}}',
  ])('touches no prototype: %s', async (text) => {
    await outcome(text);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { command?: unknown }).command).toBeUndefined();
  });
});
