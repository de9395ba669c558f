import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '#main/compose/app.ts';
import { compose } from '#main/compose.ts';
import { dataPaths } from '#main/storage/data-paths.ts';
import type { SecretSeal } from '#main/storage/secret-store.ts';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { browserForTests } from '../fakes/browser/open-browsers.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { findSecrets, testKeychain } from '../setup/secret-hunt.ts';

/** Saved sign-ins in the whole app, with a real browser and a site that sets an HttpOnly cookie. */

const TOKEN = 'zqhttponlytokenwvzqhttponly';
const STORED = 'zqlocalstoragevaluewvzq';

interface Shop {
  readonly url: string;
  /** Paths, with whether the session was sent. */
  readonly asked: string[];
}

async function openShop(): Promise<Shop> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const isKnown = request.headers.cookie?.includes(TOKEN) === true;
    if (request.url !== '/favicon.ico') asked.push(`${request.url} ${isKnown}`);
    response.setHeader('content-type', 'text/html');
    if (request.url === '/sign-in') response.setHeader('set-cookie', `s=${TOKEN}; HttpOnly`);
    response.end(`<title>Shop</title><script>localStorage.setItem('s', '${STORED}')</script>`);
  });
  const port = await listen(server, '127.0.0.1');
  onTestFinished(async () => void (await closeServer(server)));
  return { url: `http://127.0.0.1:${port}/`, asked };
}

interface Opened {
  readonly app: App;
  readonly dataDir: string;
  /** Two tasks without a run. */
  readonly tasks: readonly [string, string];
  /** All that requests answered and windows were sent. */
  readonly said: unknown[];
}

async function open(seal: SecretSeal | null): Promise<Opened> {
  const before = process.env.PATH;
  process.env.PATH = `${path.dirname((await browserForTests()) ?? '')}${path.delimiter}${before}`;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hyperagent-sign-ins-'));
  const app = await compose({
    ...{ dataDir, entryPoint: 'desktop', attended: true, readOnly: false, seal },
  });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    process.env.PATH = before;
    rmSync(dataDir, { recursive: true, force: true });
  });
  const said: unknown[] = [];
  app.onBroadcast((notice) => said.push(notice));
  app.api['settings.update']({ changes: { egressPrivateHosts: ['127.0.0.1:*'], egress: 'open' } });
  const insert = new Database(dataPaths(dataDir).database);
  for (const id of ['thr_1', 'thr_2']) {
    insert
      .prepare(
        "INSERT INTO threads (id, title, title_folded, created_at, updated_at) VALUES (?, 'T', 't', 1, 1)",
      )
      .run(id);
  }
  insert.close();
  return { app, dataDir, said, tasks: ['thr_1', 'thr_2'] };
}

async function visit({ app }: Opened, threadId: string, url: string): Promise<void> {
  await app.api['browser.control']({ threadId, action: 'take' });
  await app.api['browser.go']({ threadId, to: { url } });
  await expect
    .poll(() => app.api['browser.state']({ threadId }), { timeout: 30_000 })
    .toMatchObject({ isLoading: false, tabs: [{ title: 'Shop' }] });
}

const codeOf = async (work: unknown): Promise<string> => {
  try {
    await work;
    return 'done';
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
};

/** The message of what a request throws at once. */
const thrown = (work: () => unknown): string => {
  try {
    work();
    return 'done';
  } catch (error) {
    return (error as Error).message;
  }
};

function filesIn(dir: string): Map<string, Buffer> {
  const files = readdirSync(dir, { recursive: true }).map((name) => path.join(dir, String(name)));
  return new Map(
    files.filter((file) => statSync(file).isFile()).map((file) => [file, readFileSync(file)]),
  );
}

describe.skipIf(chromiumPath === null)(`saved sign-ins${chromiumNote}`, () => {
  it('sign in another task, are listed and deleted; what they consist of is nowhere', async () => {
    const shop = await openShop();
    const opened = await open(testKeychain());
    const { app, said, tasks } = opened;
    const { api } = app;
    await visit(opened, tasks[0], `${shop.url}sign-in`);
    const save = (name: string, replace = false) =>
      api['signIns.save']({ threadId: tasks[0], name, replace });
    const { signIn } = await save('  My   shop ');
    const site = new URL(shop.url).origin;
    expect(signIn).toMatchObject({ name: 'My shop', site, usedAt: null });
    expect(await codeOf(save('MY SHOP'))).toBe(
      'CONFLICT: There is a saved sign-in "My shop". Replace it, or choose another name.',
    );
    for (const name of ['', ' ', 'a\u202eb', 'x'.repeat(81)]) {
      expect(await codeOf(save(name))).toContain('BAD_REQUEST: Give the sign-in a name');
    }
    const { signIn: replaced } = await save('my shop', true);

    await visit(opened, tasks[1], shop.url);
    expect(shop.asked).toEqual(['/sign-in false', '/ false']);
    said.push(await api['signIns.use']({ threadId: tasks[1], signInId: replaced.id }));
    await expect.poll(() => shop.asked.at(-1), { timeout: 30_000 }).toBe('/ true');
    const listed = api['signIns.list']();
    said.push(signIn, replaced, listed);
    expect(listed).toEqual({
      signIns: [{ ...replaced, usedAt: expect.any(Number) }],
      storage: 'a keychain for tests',
    });
    const useless = api['signIns.use']({ threadId: tasks[1], signInId: signIn.id });
    expect(await codeOf(useless)).toContain('NOT_FOUND');

    const exported = path.join(opened.dataDir, 'export.zip');
    await app.dataExporter.toFile(exported, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    const sources = filesIn(opened.dataDir);
    sources.set('said', Buffer.from(JSON.stringify(said)));
    sources.set('data', Buffer.from(JSON.stringify(await api['data.get']({}, caller))));
    expect(findSecrets(sources, [TOKEN, STORED]).map(({ where }) => where)).toEqual([]);

    await api['browser.control']({ threadId: tasks[1], action: 'hand_back' });
    const noControl = 'CONFLICT: The agent has control of the browser. Take over first.';
    const use = api['signIns.use']({ threadId: tasks[1], signInId: replaced.id });
    expect(await codeOf(use)).toBe(noControl);
    api['signIns.delete']({ signInId: replaced.id });
    expect(api['signIns.list']().signIns).toEqual([]);
    expect(thrown(() => api['signIns.delete']({ signInId: replaced.id }))).toContain('There is no');
  });

  it('that are damaged say which one, put nothing in, and can be deleted', async () => {
    const shop = await openShop();
    const keychain = testKeychain();
    const opened = await open(keychain);
    const { api } = opened.app;
    const threadId = opened.tasks[0];
    await visit(opened, threadId, `${shop.url}sign-in`);
    const { signIn } = await api['signIns.save']({ threadId, name: 'shop', replace: false });
    const site = new URL(shop.url).origin;
    const cookie = {
      ...{ name: 's', value: 'v', path: '/', expires: -1, httpOnly: true, secure: false },
      sameSite: 'Lax',
    };
    const put = (contents: string): Uint8Array => keychain.seal(contents);
    const broken: Readonly<Record<string, Uint8Array>> = {
      'no seal of this keychain': testKeychain().seal('{}'),
      'not JSON': put('zq'),
      'of another form': put(JSON.stringify({ site, cookies: [{}], items: [] })),
      'of another site': put(JSON.stringify({ site: 'http://a.test', cookies: [], items: [] })),
      'a cookie for another site': put(
        JSON.stringify({ site, cookies: [{ ...cookie, domain: 'a.test' }], items: [] }),
      ),
    };
    const answers: string[] = [];
    for (const sealed of Object.values(broken)) {
      const database = new Database(dataPaths(opened.dataDir).database);
      database.prepare('UPDATE sign_ins SET sealed = ?').run(sealed);
      database.close();
      answers.push(await codeOf(api['signIns.use']({ threadId, signInId: signIn.id })));
    }
    const damaged =
      'CONFLICT: The saved sign-in "shop" is damaged. Delete it, sign in again and save it again.';
    expect(answers).toEqual([
      'CONFLICT: The saved sign-in "shop" can no longer be decrypted with a keychain for tests. Delete it, sign in again and save it again.',
      ...[damaged, damaged, damaged, damaged],
    ]);
    expect(shop.asked).toEqual(['/sign-in false']);
    api['signIns.delete']({ signInId: signIn.id });
    expect(api['signIns.list']().signIns).toEqual([]);
  });

  it('need a keychain', async () => {
    const opened = await open(null);
    const { api } = opened.app;
    expect(api['signIns.list']()).toEqual({ signIns: [], storage: null });
    const save = api['signIns.save']({ threadId: opened.tasks[0], name: 'a', replace: false });
    expect(await codeOf(save)).toContain('no keychain is available here to protect it');
  });
});

const caller = { closed: new AbortController().signal };
