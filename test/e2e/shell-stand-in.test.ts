import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '#contract/entities.ts';
import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { PushMessage } from '#contract/requests.ts';
import { Desktop, type DesktopOptions } from '../fakes/electron/desktop.ts';
import { startModelServer } from '../fakes/model-server/server.ts';

/**
 * The built desktop app on a stand-in for Electron: its window, its requests, its life. What the
 * security checklist asks for is in `electron-checklist.test.ts`.
 */

let dataDir: string;
const running: Desktop[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-shell-'));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((desktop) => desktop.quit()));
  rmSync(dataDir, { recursive: true, force: true });
});

function start(options: Partial<DesktopOptions> = {}): Desktop {
  const desktop = new Desktop({ dataDir, ...options });
  running.push(desktop);
  return desktop;
}

const APP = 'app://hyperagent';

describe('the window', () => {
  it('is a sandboxed page of our own origin without Node, shown when it has something to show', async () => {
    const { calls, webPreferences, loaded, schemes, handledChannels } = await (
      await start().opened()
    ).state();

    expect(webPreferences).toEqual({
      preload: expect.stringMatching(/out\/preload\/index\.cjs$/),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    });
    expect(schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    expect(loaded).toEqual([`${APP}/`]);
    expect(handledChannels).toEqual(['hyperagent:request']);
    expect(calls).toEqual([
      'app.setName HyperAgent (before ready)',
      'app.setPath userData (before ready)',
      'app.requestSingleInstanceLock (before ready)',
      'app.setPath crashDumps (before ready)',
      'crashReporter.start {"uploadToServer":false,"ignoreSystemCrashHandler":true} (before ready)',
      'app.enableSandbox (before ready)',
      'protocol.registerSchemesAsPrivileged (before ready)',
      'Menu.setApplicationMenu',
      'protocol.handle app',
      'new BrowserWindow, show false',
      'window.show',
    ]);
  });

  it('is served with its policy, and nothing else is', async () => {
    const desktop = await start().opened();
    const fetch = (url: string, method = 'GET') =>
      desktop.order<{ status: number; headers: Record<string, string>; body: string }>({
        kind: 'fetch',
        url,
        method,
      });

    const page = await fetch(`${APP}/`);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; font-src 'self'; frame-src 'self' http://*.localhost:*; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const refused = [
      await fetch('app://other/'),
      await fetch(`${APP}/../../package.json`),
      await fetch(`${APP}/%2e%2e/%2e%2e/package.json`),
      await fetch(`${APP}/..%2f..%2fpackage.json`),
      await fetch(`${APP}//etc/passwd`),
      await fetch(`${APP}/`, 'POST'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });
});

describe('requests', () => {
  it('of our own top frame are answered', async () => {
    const desktop = await start().opened();

    expect(await desktop.request('app.info', {})).toMatchObject({
      ok: true,
      data: { entryPoint: 'desktop', dataDir },
    });
    expect(await desktop.request('app.info', { x: 1 })).toMatchObject({
      ok: false,
      error: { code: 'BAD_REQUEST' },
    });
  });

  /** Starts the scripted demo, subscribed, and waits until it asks something. */
  async function startDemonstration(desktop: Desktop) {
    const eventsPushed = (): RunEvent[] =>
      (desktop.pushes as PushMessage[]).flatMap((push) =>
        push.kind === 'events' ? push.events : [],
      );
    desktop.onPush(() => void desktop.acknowledge());
    const started = (await desktop.request('runs.start', {
      prompt: 'hello',
      attachmentIds: [],
      options: { model: { provider: 'demo', name: 'scripted' }, approve: 'ask' },
    })) as { data: { run: Run } };
    const { id: runId } = started.data.run;
    await desktop.request('runs.subscribe', { runId, afterSeq: 0 });
    const question = (): RunEvent | undefined =>
      eventsPushed().find((event) => event.type === 'interrupt');
    while (question() === undefined) await new Promise((r) => setTimeout(r, 5));
    const { interruptId } = question() as RunEventOf<'interrupt'>;
    const deny = async (): Promise<Run> => {
      const response = { action: 'deny', reason: 'not now' };
      await desktop.request('runs.respond', { runId, interruptId, response });
      for (;;) {
        const { data } = (await desktop.request('runs.get', { runId })) as { data: { run: Run } };
        if (data.run.status === 'completed') return data.run;
        await new Promise((r) => setTimeout(r, 10));
      }
    };
    return { eventsPushed, deny };
  }

  it('carry out a task whose events are pushed in order, each once', async () => {
    const { eventsPushed, deny } = await startDemonstration(await start().opened());
    const { lastSeq } = await deny();
    while (eventsPushed().length < lastSeq) await new Promise((r) => setTimeout(r, 5));

    expect(eventsPushed().map(({ seq }) => seq)).toEqual(
      Array.from({ length: lastSeq }, (_, i) => i + 1),
    );
  });

  it('of a page before a reload are forgotten: the new page subscribes itself', async () => {
    const desktop = await start().opened();
    const { eventsPushed, deny } = await startDemonstration(desktop);
    const before = eventsPushed().length;
    const pushedBefore = desktop.pushes.length;
    await desktop.order({ kind: 'reload' });
    await deny();
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(eventsPushed()).toHaveLength(before);
    // Notices that are for every page still come, among others of the app.
    const since = (desktop.pushes as PushMessage[]).slice(pushedBefore);
    expect(since.map(({ kind }) => kind)).toContain('thread_changed');
  });
});

describe('secrets', () => {
  it('are not stored where the platform would only pretend to seal them', async () => {
    const desktop = await start({ env: { STAND_IN_KEYRING: 'basic_text' } }).opened();

    const answer = await desktop.request('secrets.set', { name: 'openai', value: 'sesame' });
    const list = await desktop.request('secrets.list', {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
    expect(list).toMatchObject({ data: { names: [], storage: null } });
  });

  it('are sealed by a keyring, and never come back out', async () => {
    const desktop = await start({ env: { STAND_IN_KEYRING: 'gnome_libsecret' } }).opened();

    await desktop.request('secrets.set', { name: 'openai', value: 'sesame' });
    expect(await desktop.request('secrets.list', {})).toEqual({
      ok: true,
      data: { names: ['openai'], storage: 'the GNOME keyring' },
    });
  });
});

describe('while nobody looks', () => {
  it('runs go on in the tray, and the window comes back from there', async () => {
    await using server = await startModelServer({
      models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
      turns: [{ steps: [{ head: true }, { delay: 60_000 }] }],
    });
    const desktop = await start().opened();
    const settings = { changes: { ollamaUrl: server.url } };
    await desktop.request('settings.update', settings);
    const started = (await desktop.request('runs.start', {
      prompt: 'Take your time',
      attachmentIds: [],
      options: { model: { provider: 'ollama', name: 'x' } },
    })) as { data: { run: Run } };
    await server.arrival('/api/chat');
    await desktop.order({ kind: 'close-window' });
    const closed = await desktop.state();
    await desktop.order({ kind: 'tray', label: 'Open HyperAgent' });
    const open = await desktop.state();
    expect([closed.windows, closed.trays, open.windows, open.trays]).toEqual([0, 1, 1, 0]);
    const { id: runId } = started.data.run;
    const still = (await desktop.request('runs.get', { runId })) as { data: { run: Run } };
    expect(still.data.run.status).toBe('running');
    await desktop.request('runs.cancel', { runId });
    const ended = 'Task stopped: Take your time';
    await expect.poll(async () => (await desktop.state()).notifications).toEqual([ended]);
  });

  it('a question shows a system notification that leads to its task', async () => {
    const desktop = await start().opened();
    await desktop.request('runs.start', {
      prompt: 'hello',
      attachmentIds: [],
      options: { model: { provider: 'demo', name: 'scripted' }, approve: 'ask' },
    });
    await expect
      .poll(async () => (await desktop.state()).notifications)
      .toEqual(['HyperAgent needs your answer: Run this command? (hello)']);
    await desktop.order({ kind: 'click-notification' });
    expect((await desktop.state()).loaded.at(-1)).toMatch(/^app:\/\/hyperagent\/#\/task\/thr_/);
  });
});

describe('the life of the app', () => {
  it('a second start hands over and ends; the first one comes to the front', async () => {
    const first = await start().opened();
    const second = start({ env: { STAND_IN_SECOND: '1' } });

    expect(await second.ended).toEqual({ code: 0, stderr: '' });
    await first.order({ kind: 'second-instance' });
    expect((await first.state()).calls.slice(-2)).toEqual(['window.show', 'window.focus']);
  });

  it('a data folder that another process works on is named, and nothing is opened', async () => {
    await start().opened();
    const other = start();
    const { code, stderr } = await other.ended;

    expect(code).toBe(1);
    expect(stderr).toMatch(/^HyperAgent could not start: /);
    expect(stderr).toContain(dataDir);
  });

  it('a damaged database is offered its last backup, or begins empty, or is left as it is', async () => {
    await (await start().opened()).request('settings.update', { changes: { appearance: 'dark' } });
    await running.splice(0)[0]?.quit();
    const file = join(dataDir, 'hyperagent.db');
    const backup = 'hyperagent-daily-2026-01-01T00-00-00-000Z.db';
    mkdirSync(join(dataDir, 'backups'));
    copyFileSync(file, join(dataDir, 'backups', backup));
    writeFileSync(file, 'no database');

    const left = start({ env: { STAND_IN_ANSWER: '2' } });
    expect(await left.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is damaged'),
    });
    expect(readFileSync(file, 'utf8')).toBe('no database');

    const restored = await start({ env: { STAND_IN_ANSWER: '0' } }).opened();
    const { asked } = await restored.state();
    expect(asked).toEqual([expect.stringContaining('It does not contain later changes.')]);
    expect(await restored.request('settings.get', {})).toMatchObject({
      data: { settings: { appearance: 'dark' } },
    });
    const kept = readdirSync(dataDir).filter((name) => name.startsWith('hyperagent-damaged-'));
    expect(kept.map((name) => readFileSync(join(dataDir, name), 'utf8'))).toEqual(['no database']);
  });

  it('all data is saved where the user says, and deleted by the start after the next quit', async () => {
    const saved = mkdtempSync(join(tmpdir(), 'hyperagent-saved-'));
    const first = await start({ env: { STAND_IN_SAVE: saved } }).opened();
    await first.request('settings.update', { changes: { density: 'compact' } });
    expect(await first.request('data.export', {})).toMatchObject({ ok: true });
    await expect.poll(() => readdirSync(saved)).toEqual([expect.stringMatching(/\.zip$/)]);
    rmSync(saved, { recursive: true });
    mkdirSync(join(dataDir, 'window/Local Storage'), { recursive: true });
    writeFileSync(join(dataDir, 'window/Crashpad/settings.dat'), 'x');
    writeFileSync(join(dataDir, 'thesis.doc'), 'mine');
    const wrong = { confirmation: 'yes', keepModels: true };
    expect(await first.request('data.delete', wrong)).toMatchObject({ ok: false });
    const right = { ...wrong, confirmation: 'delete' };
    const answer = { ok: true, data: { next: 'restarts' } };
    expect(await first.request('data.delete', right)).toEqual(answer);
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(existsSync(join(dataDir, 'hyperagent.db'))).toBe(true);
    const second = await start().opened();
    expect(await second.request('settings.get', {})).toMatchObject({
      data: { settings: { density: 'comfortable' } },
    });
    expect(existsSync(join(dataDir, 'window/Local Storage'))).toBe(false);
    expect(existsSync(join(dataDir, 'window/Crashpad/settings.dat'))).toBe(false);
    expect(existsSync(join(dataDir, 'hyperagent-deletion.json'))).toBe(false);
    expect(readFileSync(join(dataDir, 'thesis.doc'), 'utf8')).toBe('mine');
  });

  it('crash dumps stay in the data folder, the newest ten, and are named in the diagnostics', async () => {
    const dumps = join(dataDir, 'window/Crashpad/completed');
    mkdirSync(dumps, { recursive: true });
    for (let at = 10; at < 22; at += 1) {
      writeFileSync(join(dumps, `${at}.dmp`), 'memory');
      utimesSync(join(dumps, `${at}.dmp`), at, at);
    }
    const desktop = await start().opened();
    expect(readdirSync(dumps).sort()).toEqual(
      Array.from({ length: 10 }, (_, at) => `${at + 12}.dmp`),
    );
    const text = JSON.stringify(await desktop.request('diagnostics.get', {}));
    expect(text).toContain('1970-01-01T00:00:21.000Z 21.dmp 6 bytes');
  });

  it('a crash of the main process is in the log, with its stack', async () => {
    const desktop = await start().opened();
    await desktop.order({ kind: 'crash', message: 'A planted bug' }).catch(() => undefined);
    expect(await desktop.ended).toMatchObject({ code: 1 });
    const log = readFileSync(join(dataDir, 'logs/hyperagent.log'), 'utf8').trim().split('\n');
    const crashes = log.map((line) => JSON.parse(line)).filter(({ origin }) => origin);
    expect(crashes).toEqual([
      expect.objectContaining({
        ...{ level: 'error', message: 'The app crashed', origin: 'uncaughtException' },
        error: expect.objectContaining({ stack: expect.stringContaining('stand-in.ts') }),
      }),
    ]);
  });

  it('closing the window quits, releases the data folder, and remembers the position', async () => {
    const first = await start().opened();
    await first.order({ kind: 'close-window' }).catch(() => undefined);
    expect(await first.ended).toEqual({ code: 0, stderr: '' });

    const bounds = JSON.parse(readFileSync(join(dataDir, 'window', 'bounds.json'), 'utf8'));
    expect(bounds).toEqual({ x: 10, y: 20, width: 900, height: 700, maximized: false });
    const second = await start().opened();
    expect((await second.state()).windows).toBe(1);
  });
});
