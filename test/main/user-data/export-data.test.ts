import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import { readConfigs } from '#main/connectors/import-configs.ts';
import { exportData } from '#main/user-data/export-data.ts';
import { random } from '../../fakes/secret-kinds/generate.ts';
import { unpack } from '../base/unpack.ts';
import { temporaryDir } from '../storage/support.ts';
import { addTask, type Bench, bench } from './support.ts';

const NOW = Date.UTC(2026, 10, 24);
const ROOT = 'hyperagent-export-2026-11-24/';
const TASK = 'tasks/2026-01-02-Sales-by-region-销售-thr_1';

/** What an export unpacks to, without its top folder. */
async function exported({ parts }: Bench): Promise<ReadonlyMap<string, string>> {
  const file = join(temporaryDir(), 'all.zip');
  await using handle = await open(file, 'wx');
  const signal = new AbortController().signal;
  await exportData(parts, (bytes) => handle.writeFile(bytes), { now: NOW, signal });
  const files = [...(await unpack(file))].map(([name, bytes]): [string, string] => {
    expect(name.startsWith(ROOT)).toBe(true);
    return [name.slice(ROOT.length), bytes.toString('latin1')];
  });
  return new Map(files);
}

const json = (files: ReadonlyMap<string, string>, name: string): unknown =>
  JSON.parse(Buffer.from(files.get(name) ?? 'null', 'latin1').toString());

it('has each task with its conversation, runs and files, and skills, prompts, rules and settings', async () => {
  using all = bench();
  const { stores } = all;
  const files = stores.paths.workspace('thr_1');
  mkdirSync(join(files, 'data', 'empty'), { recursive: true });
  const large = Buffer.alloc(300_000, 'large and ');
  writeFileSync(join(files, 'data', 'large.txt'), large);
  writeFileSync(join(files, '汉字.csv'), 'a,b\n');
  mkdirSync(join(stores.paths.skills, 'tea'), { recursive: true });
  writeFileSync(join(stores.paths.skills, 'tea', 'SKILL.md'), '# Tea');
  stores.settings.update({ prompts: [{ name: 'short', text: 'Be short.' }], density: 'compact' });
  addTask(stores, { id: 'thr_2', title: '../../etc', prompt: 'Leave' });
  const found = await exported(all);
  expect([...found.keys()].sort()).toEqual(
    [
      ...['README.txt', 'prompts.json', 'rules.json', 'settings.json', 'skills/skills.json'],
      ...['skills/markdown/tea/SKILL.md'],
      ...['conversation.md', 'task.json', 'runs/run_1.json', 'files/data/large.txt'].map(
        (name) => `${TASK}/${name}`,
      ),
      `${TASK}/files/汉字.csv`,
      ...['conversation.md', 'task.json', 'runs/run_2.json'].map(
        (name) => `tasks/2026-01-02-etc-thr_2/${name}`,
      ),
    ].sort(),
  );
  expect(found.get(`${TASK}/files/data/large.txt`)).toBe(large.toString());
  expect(found.get(`${TASK}/conversation.md`)).toContain('It is 42.');
  expect(json(found, `${TASK}/task.json`)).toMatchObject({
    thread: { id: 'thr_1', title: 'Sales: by region / 销售' },
    messages: [{ content: 'Sum it up' }],
    runs: ['run_1'],
  });
  expect(json(found, `${TASK}/runs/run_1.json`)).toMatchObject({
    format: 'hyperagent.run',
    events: [{ type: 'complete', answer: 'It is 42.' }],
  });
  expect(json(found, 'prompts.json')).toEqual([{ name: 'short', text: 'Be short.' }]);
  expect(json(found, 'settings.json')).toMatchObject({ density: 'compact' });
  expect(found.get('README.txt')).toMatch(/API keys[\s\S]*Downloaded models: 1 files, 5\.2 GB/);
});

it('has the connectors as an mcp.json that can be imported, without their secrets, and their files', async () => {
  using all = bench();
  const { connectors, paths } = all.stores;
  const files = { path: '/home/me/notes', access: 'read' as const };
  const { id } = connectors.add(
    'notes',
    {
      ...{ kind: 'program', command: 'npx', args: ['-y', 'server'], folders: [files] },
      env: [
        { name: 'LEVEL', value: 'debug' },
        { name: 'API-KEY', value: null },
      ],
      hosts: ['registry.npmjs.org'],
    },
    {},
  );
  connectors.putTools(id, [
    {
      ...{ name: 'read', now: '{}', isGone: false, approved: '{}' },
      ...{ isEnabled: false, isRepeatable: true },
    },
    {
      ...{ name: 'new', now: '{}', isGone: false, approved: null },
      ...{ isEnabled: true, isRepeatable: false },
    },
  ]);
  const headers = [{ name: 'X-Level', value: 'low' }];
  const url = 'https://example.com/mcp';
  const oauth = { clientId: 'my-app', clientSecret: null };
  connectors.add('far', { kind: 'remote', url, headers, oauth }, {});
  connectors.setSignIn(id, 'zq-sign-in');
  mkdirSync(join(paths.connectors, id), { recursive: true });
  writeFileSync(join(paths.connectors, id, 'memory.json'), '{}');
  const found = await exported(all);
  expect(found.get('connectors/files/notes/memory.json')).toBe('{}');
  const text = found.get('connectors/mcp.json') ?? '';
  expect(JSON.parse(text)).toEqual({
    mcpServers: {
      notes: {
        ...{ command: 'npx', args: ['-y', 'server'] },
        env: { LEVEL: 'debug', 'API-KEY': `\${API_KEY}` },
        hyperagent: {
          ...{ isEnabled: true, folders: [files], hosts: ['registry.npmjs.org'] },
          approvedTools: [{ name: 'read', isEnabled: false, isRepeatable: true }],
        },
      },
      far: {
        ...{ type: 'http', url, headers: { 'X-Level': 'low' } },
        hyperagent: { isEnabled: true, approvedTools: [], clientId: 'my-app' },
      },
    },
  });
  expect([...found.values()].join('')).not.toContain('zq-sign-in');
  const imported = await readConfigs(text);
  expect(imported.map(({ name, draft }) => [name, draft?.kind]).sort()).toEqual([
    ['far', 'remote'],
    ['notes', 'program'],
  ]);
});

it('follows no link, waits for no pipe, and reads no empty terabyte: it names them', async () => {
  using all = bench();
  const files = all.stores.paths.workspace('thr_1');
  mkdirSync(join(files, 'deep/'.repeat(110)), { recursive: true });
  writeFileSync(join(files, 'real.txt'), 'real');
  symlinkSync('/etc/passwd', join(files, 'passwd'));
  symlinkSync('/etc', join(files, 'etc'));
  symlinkSync('..', join(files, 'up'));
  execFileSync('mkfifo', [join(files, 'pipe')]);
  writeFileSync(join(files, 'huge'), '');
  truncateSync(join(files, 'huge'), 1024 ** 4);
  // Names that would lead out of a folder, or write over each other, where they are unpacked.
  for (const name of ['..\\..\\evil.bat', 'CON', 'a.txt', 'A.txt', 'line\nbreak']) {
    writeFileSync(join(files, name), name);
  }
  const invalid = Buffer.concat([Buffer.from(`${files}/`), Buffer.of(0xff, 0xfe)]);
  writeFileSync(invalid, 'not text');
  const found = await exported(all);
  const names = [...found.keys()].filter((name) => name.startsWith(`${TASK}/files/`));
  const short = names.map((name) => name.slice(`${TASK}/files/`.length)).sort();
  expect(short).toHaveLength(6);
  expect(short.filter((name) => !/^a(?: \(2\))?\.txt$/i.test(name))).toEqual([
    '.._.._evil.bat',
    '_CON',
    'line_break',
    'real.txt',
  ]);
  const readme = found.get('README.txt') ?? '';
  for (const [name, why] of [
    ['passwd', 'link'],
    ['etc', 'link'],
    ['up', 'link'],
    ['pipe', 'pipe'],
    ['huge', 'claims a size'],
    ['deep/', 'nested'],
  ] as const) {
    const line = readme.split('\n').find((one) => one.includes(`/files/${name}`));
    expect([name, line]).toEqual([name, expect.stringContaining(why)]);
  }
  expect(readme).toContain('could not be read');
  expect([...found.values()].join('')).not.toContain('root:');
});

it('reads a file that grows without end up to the size that it had, and names one that shrinks', async () => {
  using all = bench();
  const files = all.stores.paths.workspace('thr_1');
  mkdirSync(files, { recursive: true });
  const [growing, shrinking] = [join(files, 'growing.log'), join(files, 'shrinking.log')];
  for (const file of [growing, shrinking]) writeFileSync(file, randomBytes(600_000));
  const file = join(temporaryDir(), 'all.zip');
  await using handle = await open(file, 'wx');
  const tooMuch = new AbortController();
  let written = 0;
  const { leftOut } = await exportData(
    all.parts,
    async (bytes) => {
      written += bytes.length;
      writeFileSync(growing, randomBytes(100_000), { flag: 'a' });
      if (written > 100_000) truncateSync(shrinking, 10);
      if (written > 30_000_000) tooMuch.abort(new Error('It is read without end'));
      await handle.writeFile(bytes);
    },
    { now: NOW, signal: tooMuch.signal },
  );
  const grown = [...(await unpack(file))].find(([name]) => name.endsWith('growing.log'));
  expect(grown?.[1].length).toBeGreaterThanOrEqual(600_000);
  expect(leftOut).toBeLessThanOrEqual(1);
});

it('has no key, nor a part of one in a name', async () => {
  const key = random('alnum', 40);
  const secrets = new KnownSecrets();
  secrets.recall = () => secrets.register(key);
  using all = bench({ secrets });
  addTask(all.stores, { id: 'thr_2', title: `Key ${key}`, prompt: `Use ${key}` });
  all.stores.settings.update({ customInstructions: `The key is ${key}` });
  const found = await exported(all);
  for (const [name, content] of found) {
    expect([name, name.includes(key.slice(0, 8)), content.includes(key)]).toEqual([
      name,
      false,
      false,
    ]);
  }
  expect(JSON.stringify(json(found, 'settings.json'))).toContain('[redacted: key]');
});
