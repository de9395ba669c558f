import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, type SandboxReport, SetupReport } from '#contract/entities.ts';
import type { SearchProviderName } from '#contract/search.ts';
import { Settings } from '#contract/settings.ts';
import { checkBrowser } from '#main/setup-check/browser-check.ts';
import { checkDataFolder } from '#main/setup-check/data-folder-check.ts';
import { checkSearch } from '#main/setup-check/search-check.ts';
import { createSetupCheck, type SetupCheckParts } from '#main/setup-check/setup-check.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-setupCheck-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const server: ModelServer = {
  provider: 'ollama',
  label: 'Ollama',
  kind: 'ollama',
  baseUrl: 'http://127.0.0.1:11434',
  reachable: false,
  problem: 'Start Ollama.',
  models: [],
};
const sandbox: SandboxReport = {
  kind: 'os',
  available: true,
  detail: 'bubblewrap',
  remedy: null,
  probes: [{ name: 'write outside', held: true, detail: 'refused' }],
};

function parts(changes: Partial<SetupCheckParts> = {}): SetupCheckParts {
  return {
    version: '1.2.3',
    dataDir: dir,
    models: { listServers: () => Promise.resolve([server]) },
    sandbox: { report: () => Promise.resolve([sandbox]) },
    search: { providers: () => ['brave', 'duckduckgo'] },
    settings: () => Settings.parse({}),
    policy: { state: 'none' },
    ...changes,
  };
}

describe('createSetupCheck', () => {
  it('reports servers, checked sandboxes and the computer, as the contract defines', async () => {
    const asked: unknown[] = [];
    const report = await createSetupCheck(
      parts({
        sandbox: {
          report: (options) => {
            asked.push(options.probe);
            return Promise.resolve([sandbox]);
          },
        },
      }),
    )(new AbortController().signal);

    expect(SetupReport.parse(report)).toEqual(report);
    expect(report).toMatchObject({ version: '1.2.3', servers: [server], sandboxes: [sandbox] });
    expect(report.items.map((item) => item.id)).toEqual([
      'browser',
      'search',
      'data-folder',
      'node',
    ]);
    expect(asked).toEqual([true]);
  });

  it('reports the rest when one part cannot be checked', async () => {
    const broken = { report: () => Promise.reject(new Error('the engine hangs')) };
    const report = await createSetupCheck(parts({ sandbox: broken }))(new AbortController().signal);

    expect(report.servers).toEqual([server]);
    expect(report.items[0]).toMatchObject({
      id: 'sandboxes',
      status: 'failed',
      detail: 'could not be checked: the engine hangs',
    });
  });

  it('ends with the reason of its signal', async () => {
    const abort = new AbortController();
    const waiting = {
      listServers: (signal: AbortSignal) =>
        new Promise<ModelServer[]>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const report = createSetupCheck(parts({ models: waiting }))(abort.signal);
    abort.abort(new Error('the window is gone'));

    await expect(report).rejects.toThrow('the window is gone');
  });
});

describe('checkSearch', () => {
  const look = (names: SearchProviderName[], changes: Partial<Settings> = {}) =>
    checkSearch({ providers: () => names }, { ...Settings.parse({}), ...changes });
  it.each([
    [look(['searxng', 'brave', 'duckduckgo']), 'ok', 'SearXNG, then Brave, then DuckDuckGo', false],
    [look(['library', 'brave']), 'ok', 'the library, and Brave', false],
    [look(['library'], { egress: 'offline' }), 'ok', 'the library', false],
    [look(['duckduckgo']), 'ok', 'DuckDuckGo, without a key: unreliable', true],
    [look([], { searchProvider: 'tavily' }), 'missing', 'Tavily is selected but not set up', true],
    [
      look([], { egress: 'offline' }),
      'missing',
      'the network is switched off, and the library is empty',
      false,
    ],
  ])('%j', (item, status, detail, isAdvised) => {
    expect(item).toMatchObject({ id: 'search', label: 'Search', status, detail });
    expect(item.remedy !== null).toBe(isAdvised);
  });
});

describe('checkDataFolder', () => {
  it('leaves nothing behind in a writable folder', async () => {
    const item = await checkDataFolder(dir);

    expect(item).toMatchObject({ id: 'data-folder' });
    expect(item.detail).toMatch(/ [GM]B free$/);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('does not create a missing folder', async () => {
    const item = await checkDataFolder(join(dir, 'a', 'b'));

    expect(item.detail).toContain(join(dir, 'a', 'b'));
    expect(readdirSync(dir)).toEqual([]);
  });

  it('says what to do about a read-only folder', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');

    expect(await checkDataFolder(file)).toEqual({
      id: 'data-folder',
      label: 'Data folder',
      status: 'failed',
      detail: `${file} cannot be written (ENOTDIR)`,
      remedy: 'Make it writable for you, or choose another folder with --data-dir.',
    });
  });
});

describe.skipIf(process.platform !== 'linux')('checkBrowser (Linux only)', () => {
  it('finds a browser on the path, but not a file that is not executable', async () => {
    const other = join(dir, 'other');
    mkdirSync(other);
    writeFileSync(join(dir, 'chromium'), '');
    chmodSync(join(dir, 'chromium'), 0o644);
    writeFileSync(join(other, 'google-chrome'), '');
    chmodSync(join(other, 'google-chrome'), 0o755);

    const item = await checkBrowser({ PATH: `${dir}:${other}` }, false);

    expect(item).toMatchObject({ status: 'ok', detail: join(other, 'google-chrome') });
    // As root, Chromium only starts without its sandbox.
    expect(await checkBrowser({ PATH: other }, true)).toMatchObject({
      ...{ status: 'missing', remedy: expect.stringContaining('another user') },
    });
  });

  it('says how to install one if there is none', async () => {
    expect(await checkBrowser({ PATH: dir })).toMatchObject({
      status: 'missing',
      remedy: expect.stringContaining('apt install chromium'),
    });
  });
});
