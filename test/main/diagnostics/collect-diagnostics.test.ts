import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DiagnosticsSection, diagnosticsText } from '#contract/diagnostics.ts';
import type { SetupReport } from '#contract/entities.ts';
import { Settings } from '#contract/settings.ts';
import { hasHidden } from '#contract/visible-text.ts';
import { systemClock } from '#main/base/clock.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import type { ComposeOptions } from '#main/compose/app.ts';
import {
  collectDiagnostics,
  type DiagnosticsParts,
} from '#main/diagnostics/collect-diagnostics.ts';
import { openData } from '../../fakes/open-data.ts';
import { newFolder, openUnder } from '../../fakes/policed-app.ts';
import { INVALID_POLICY, POLICY_FILE, policyOf } from '../../fakes/policies.ts';
import { addTask } from '../user-data/support.ts';

const SEAL: ComposeOptions['seal'] = {
  name: 'test',
  seal: (text) => Buffer.from(text).reverse(),
  open: (sealed) => Buffer.from(sealed).reverse().toString(),
};

const READY: SetupReport = {
  ...{ version: '1', verdict: { ready: true, text: 'Ready' } },
  ...{ servers: [], sandboxes: [], items: [] },
};

const all = async (parts: Partial<DiagnosticsParts> = {}): Promise<string> => {
  const found = await collectDiagnostics(
    {
      ...{ version: '1.2.3', entryPoint: 'terminal', dataDir: '/nowhere', root: '/opt/app' },
      ...{ env: {}, policy: { state: 'none' }, secrets: new KnownSecrets(), clock: systemClock },
      ...{ settings: () => Settings.parse({}), setupCheck: async () => READY },
      checksDatabase: true,
      ...parts,
    },
    new AbortController().signal,
  );
  return diagnosticsText(found, new Set());
};

it('contains no secret and no content of a task, wherever it is planted in the real app', async () => {
  const dataDir = newFolder();
  const stores = openData(dataDir);
  addTask(stores, { id: 'thr_1', title: 'Title of Mine', prompt: 'Prompt of Mine' });
  stores.close();
  const planted = {
    key: 'planted-by-the-keychain-of-mine',
    env: 'planted-in-a-variable-of-mine',
    header: 'planted-in-a-header-of-mine',
    process: 'planted-in-the-environment-of-mine',
  };
  vi.stubEnv('SOME_API_KEY', planted.process);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { app, ask } = await openUnder({ state: 'none' }, dataDir, { seal: SEAL });
  await ask('secrets.set', { name: 'lm-studio', value: planted.key });
  await ask('settings.update', {
    changes: {
      customInstructions: 'Instructions of Mine',
      prompts: [{ name: 'Saved of Mine', text: 'Saved of Mine' }],
      libraryFolders: ['/of Mine'],
      servers: [{ name: 'gpu', baseUrl: 'http://127.0.0.1:1/v1' }],
    },
  });
  for (const draft of [
    {
      ...{ kind: 'program', command: 'server', args: [], folders: [], hosts: [] },
      env: { API_KEY: planted.env },
    },
    { kind: 'remote', url: 'https://connector.example/mcp', headers: { 'x-key': planted.header } },
  ]) {
    const name = `c-${draft.kind}`;
    expect(await ask('connectors.add', { name, draft })).toMatchObject({ ok: true });
  }
  app.logger.error('A request failed', {
    error: new Error(`${homedir()}/x at ${hostname()}: http://me:planted-in-an-address@host/v1`),
    prompt: 'Prompt of Mine',
  });
  const line = (message: string): string =>
    `${JSON.stringify({ at: 'x', level: 'warn', message })}\n`;
  // As a log of an earlier version could be, which redacted less.
  const log = join(dataDir, 'logs', 'hyperagent.log');
  for (const secret of Object.values(planted)) appendFileSync(log, line(`\u001b[2J${secret}`));

  const result = await ask('diagnostics.get');
  if (!('data' in (result as object))) throw new Error(JSON.stringify(result));
  const { data } = result as { data: Parameters<typeof diagnosticsText>[0] };
  const text = diagnosticsText(data, new Set());
  expect(text).not.toMatch(/planted|of[- ]Mine/);
  expect(text).not.toContain(`${homedir()}/`);
  if (hostname().length > 1 && hostname() !== 'localhost') expect(text).not.toContain(hostname());
  expect(hasHidden(text.replaceAll('⟨U+', ''))).toBe(false);
  expect(Buffer.from(text).toString('utf8')).toBe(text);
  for (const shown of [
    'Tasks: 1',
    'Connectors: 2',
    'customInstructions: set',
    'servers: gpu at http://127.0.0.1:1/v1',
    'libraryFolders: 1',
    'A request failed',
  ]) {
    expect(text).toContain(shown);
  }
});

it('is there under an invalid policy, which allows nothing else', async () => {
  const dataDir = newFolder();
  openData(dataDir).close();
  const { ask } = await openUnder(INVALID_POLICY, dataDir);
  const result = await ask('diagnostics.get');
  expect(JSON.stringify(result)).toContain('The policy is invalid');
});

it('has the sections in one order, and leaves out those that the user does not want', async () => {
  const found = await collectDiagnostics(
    {
      ...{ version: '1.2.3', entryPoint: 'desktop', dataDir: '/nowhere', root: '/opt/app' },
      ...{ env: {}, policy: { state: 'none' }, secrets: new KnownSecrets(), clock: systemClock },
      ...{ settings: () => Settings.parse({}), setupCheck: async () => READY },
      checksDatabase: false,
    },
    new AbortController().signal,
  );
  expect(found.parts.map(({ section }) => section)).toEqual(DiagnosticsSection.options);
  const text = diagnosticsText(found, new Set(['log', 'setup']));
  expect(text.match(/^#.*$/gm)).toEqual([
    '# HyperAgent diagnostics',
    '## Versions and computer',
    '## Settings',
    '## Policy',
    '## Stored data',
    '## Crash dumps (only their names: they stay on this computer)',
    '## Not in this document',
  ]);
  expect(text).toContain('    Left out by the user: setup, log\n');
  expect(found.fileName).toMatch(/^hyperagent-diagnostics-\d{4}-\d\d-\d\d\.txt$/);
});

it('does not collect what is left out', async () => {
  const setupCheck = vi.fn(async () => READY);
  const text = await all({ setupCheck, without: ['setup', 'log'] });
  expect(setupCheck).not.toHaveBeenCalled();
  expect(text).toContain('    Left out by the user: setup, log\n');
  expect(text).not.toMatch(/^## (?:Setup|Log)/m);
  const { ask } = await openUnder({ state: 'none' }, newFolder());
  const result = await ask('diagnostics.get', { without: ['setup'] });
  expect(JSON.stringify(result)).toContain('{"section":"setup","text":""}');
});

it('is a document whatever is broken, and says what', async () => {
  const fail = (why: string) => () => {
    throw new Error(why);
  };
  const text = await all({ settings: fail('no settings'), setupCheck: fail('no check') });
  expect(text).toContain('This could not be read: no settings');
  expect(text).toContain('This could not be read: no check');
  expect(text).toContain('It does not exist yet.');
  expect(existsSync('/nowhere')).toBe(false);
});

it('says that the database is damaged, of another version, or no database', async () => {
  const dataDir = newFolder();
  const file = join(dataDir, 'hyperagent.db');
  writeFileSync(file, 'This is no database. '.repeat(500));
  expect(await all({ dataDir })).toMatch(/could not be read: .*damaged/);
  writeFileSync(file, '');
  const old = new Database(file);
  old.pragma('user_version = 3');
  old.exec('CREATE TABLE threads (id TEXT)');
  old.close();
  const text = await all({ dataDir });
  expect(text).toMatch(/Schema: version 3 of \d+/);
  expect(text).toContain('Tasks: 0');
  expect(text).toContain('Runs could not be read: ');
});

it('finds damage inside the database', async () => {
  const dataDir = newFolder();
  const stores = openData(dataDir);
  for (let at = 0; at < 200; at += 1) {
    addTask(stores, { id: `thr_${at}`, title: 'x'.repeat(150), prompt: 'y'.repeat(2_000) });
  }
  stores.close();
  const file = join(dataDir, 'hyperagent.db');
  const bytes = readFileSync(file);
  bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40_960);
  writeFileSync(file, bytes);
  expect(await all({ dataDir })).toMatch(/Check: damaged, |could not be read/);
});

it('names stored settings that are ignored, and never their values', async () => {
  const dataDir = newFolder();
  openData(dataDir).close();
  const database = new Database(join(dataDir, 'hyperagent.db'));
  const put = database.prepare('INSERT INTO settings (name, value) VALUES (?, ?)');
  put.run('ollamaUrl', '"http://me:planted@host"');
  put.run('maxRounds', 'not json planted');
  put.run('planted', '1');
  database.close();
  const text = await all({ dataDir });
  expect(text).toContain('Invalid settings, ignored: maxRounds, ollamaUrl');
  expect(text).toContain('Settings of another version, ignored: 1');
  expect(text).not.toContain('planted');
});

it('says what a policy locks, or what is wrong with it, but not whose it is', async () => {
  const policy = policyOf({
    ...{ organization: 'Example Corp', contact: 'help@corp.example' },
    ...{ settings: { egress: 'offline' }, hosts: { deny: ['intern.corp.example'] } },
  });
  const text = await all({ policy });
  expect(text).toContain('Locked settings: egress');
  expect(text).toContain('Allowed hosts: any, denied: 1');
  expect(text).not.toMatch(/corp/i);
  const problems = [{ line: 3, text: 'wrong \u001b[31m' }];
  const invalid = await all({ policy: { state: 'invalid', source: POLICY_FILE, problems } });
  expect(invalid).toContain('The policy is invalid');
  expect(invalid).toContain('line 3: wrong ⟨U+001B⟩[31m');
});

it('lets no text of the setup check fake another line', async () => {
  const hostile = 'ok\n## Policy\n    A policy holds.\u202e';
  const report: SetupReport = {
    ...READY,
    verdict: { ready: true, text: hostile },
    servers: [
      {
        ...{ provider: 'x', label: hostile, kind: 'openai-compatible', reachable: true },
        ...{ baseUrl: 'http://u:planted@h/v1?x=planted', problem: hostile, models: [] },
      },
    ],
    sandboxes: [
      {
        ...{ kind: 'os', available: true, detail: hostile, remedy: hostile },
        probes: [{ name: hostile, held: false, detail: hostile }],
      },
    ],
    items: [{ id: 'x', label: hostile, status: 'ok', detail: hostile, remedy: hostile }],
  };
  const text = await all({ setupCheck: async () => report });
  expect(text.match(/^## Policy$/gm)).toHaveLength(1);
  expect(text).not.toMatch(/^ {4}A policy holds/m);
  const unmarked = text.split('\n').filter((line) => !/^(?:$|#| {4})/.test(line));
  expect(unmarked).toEqual([]);
  expect(text.match(/^ {4}/gm)?.length).toBeGreaterThan(50);
  expect(text).not.toMatch(/\u202e|planted/);
});

it('reads the log and the crash dumps of a folder whose database is missing', async () => {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, 'logs'));
  const entry = { at: '2026', level: 'error', message: 'The app crashed' };
  writeFileSync(join(dataDir, 'logs', 'hyperagent.log'), `${JSON.stringify(entry)}\n`);
  const dumps = join(dataDir, 'window', 'Crashpad', 'completed');
  mkdirSync(dumps, { recursive: true });
  writeFileSync(join(dumps, 'a.dmp'), 'planted');
  const text = await all({ dataDir });
  expect(text).toContain('There is no database.');
  expect(text).toContain('2026 error The app crashed');
  expect(text).toContain('a.dmp 7 bytes');
  expect(text).not.toContain('planted');
});
