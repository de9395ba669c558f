import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { ERROR_CODES } from '#contract/errors.ts';
import { REQUESTS, type RequestName } from '#contract/requests.ts';
import type { Requests } from '#main/api/types.ts';
import { silentLogger } from '#main/base/logger.ts';
import { PushHub } from '#main/transport/push-hub.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { startWebServer, type WebServer } from '#main/web/web-server.ts';
import { createFakeApp, fakeCaller } from '../fakes/app/fake-app.ts';
import { Desktop } from '../fakes/electron/desktop.ts';
import type { SenderFrame } from '../fakes/electron/orders.ts';
import { ensureBuilt } from '../setup/built-app.ts';
import { HostileError, hostileMessage, REQUEST_NAMES, validInput } from '../setup/message-fuzz.ts';
import { removeFolder } from '../setup/remove-folder.ts';
import { createRandom, TEST_SEED as SEED, sampleSize } from '../setup/sampling.ts';

/**
 * Messages that a window could never mean, by every way in (100,000 where all are taken): how many crash
 * something, and how many reach a handler without having been parsed?
 */
const IN_MEMORY = sampleSize(60_000, { name: 'hostile messages at the router', size: 6_000 });
const OVER_ELECTRON = sampleSize(20_000, { name: 'hostile messages to Electron', size: 4_000 });
const OVER_SOCKET = sampleSize(20_000, { name: 'hostile messages over the socket', size: 4_000 });

const ANSWER = z.union([
  z.strictObject({ ok: z.literal(true), data: z.unknown() }),
  z.strictObject({
    ok: z.literal(false),
    error: z.strictObject({
      code: z.enum(Object.keys(ERROR_CODES) as [string, ...string[]]),
      message: z.string().min(1).max(2_000),
      details: z.record(z.string(), z.unknown()),
    }),
  }),
]);

const crashes: unknown[] = [];
const onCrash = (error: unknown): void => void crashes.push(error);
const objectKeys = Reflect.ownKeys(Object.prototype);

beforeEach(() => {
  crashes.length = 0;
  process.on('unhandledRejection', onCrash);
  process.on('uncaughtException', onCrash);
});

afterEach(() => {
  process.off('unhandledRejection', onCrash);
  process.off('uncaughtException', onCrash);
  expect(Reflect.ownKeys(Object.prototype)).toEqual(objectKeys);
});

/** A router whose handlers look at what they are given. */
function watchfulRouter() {
  const counts = { reached: 0, unparsed: [] as string[] };
  const handlers = Object.fromEntries(
    REQUEST_NAMES.map((name) => [
      name,
      (input: unknown) => {
        counts.reached += 1;
        if (!isParsed(name, input)) counts.unparsed.push(name);
        return {};
      },
    ]),
  ) as unknown as Requests;
  return { counts, router: new RequestRouter(handlers, silentLogger) };
}

/** Whether a handler may see this: a plain object that its schema takes and leaves as it is. */
function isParsed(name: RequestName, input: unknown): boolean {
  try {
    if (Object.getPrototypeOf(input) !== Object.prototype) return false;
    if (Object.hasOwn(input as object, '__proto__')) return false;
    const again = REQUESTS[name].input.safeParse(input);
    return again.success && isDeepStrictEqual(again.data, input);
  } catch (error) {
    // A field that the contract leaves open may hold a getter where nothing carries the message.
    return error instanceof HostileError || error instanceof TypeError;
  }
}

const fits = (name: unknown, input: unknown): boolean =>
  typeof name === 'string' &&
  Object.hasOwn(REQUESTS, name) &&
  REQUESTS[name as RequestName].input.safeParse(input).success;

function canBeRead(name: unknown, input: unknown): boolean {
  try {
    if (typeof name !== 'string' || !Object.hasOwn(REQUESTS, name)) return true;
    // With what is wrong in it: the words for that look at it once more.
    if (fits(name, input)) return true;
    void REQUESTS[name as RequestName].input.safeParse(input).error?.message;
    return true;
  } catch {
    // A getter or a trap of the message threw.
    return false;
  }
}

const report = (way: string, counts: Readonly<Record<string, number>>): void => {
  const words = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  console.log(`IPC fuzz, ${way} (seed ${SEED}): ${words.join(', ')}`);
};

describe('hostile messages', () => {
  it('are made of valid ones: what is not changed is taken', () => {
    const random = createRandom(SEED);
    const refused = REQUEST_NAMES.flatMap((name) =>
      Array.from({ length: 50 }, () => validInput(name, random)).filter(
        (input) => !REQUESTS[name].input.safeParse(input).success,
      ),
    );
    expect(refused).toEqual([]);
  });

  it(`${IN_MEMORY} at the router itself, with getters, proxies and symbols`, async () => {
    const random = createRandom(SEED);
    const { counts, router } = watchfulRouter();
    let refused = 0;
    const odd: unknown[] = [];
    for (let i = 0; i < IN_MEMORY; i += 1) {
      const { name, input, what } = hostileMessage(random, 'memory');
      const before = counts.reached;
      const answer = await router.handle(name, input, fakeCaller);
      const isRefused = !answer.ok;
      if (isRefused) refused += 1;
      const isAsked = counts.reached > before;
      // Only what throws when it is looked at may look like a bug of ours.
      const isBug = !answer.ok && answer.error.code === 'INTERNAL' && canBeRead(name, input);
      if (!ANSWER.safeParse(answer).success || isAsked === isRefused || isBug) {
        odd.push({ i, name, what, answer });
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
    report('router', {
      messages: IN_MEMORY,
      refused,
      'parsed and handled': counts.reached,
      'reached a handler unparsed': counts.unparsed.length,
      crashes: crashes.length,
    });
    expect({ odd, crashes, unparsed: counts.unparsed }).toEqual({
      ...{ odd: [], crashes: [], unparsed: [] },
    });
    expect(refused).toBeGreaterThan(IN_MEMORY / 2);
    expect(counts.reached).toBeGreaterThan(IN_MEMORY / 20);
    expect(await router.handle('app.info', {}, fakeCaller)).toEqual({ ok: true, data: {} });
  });
});

describe('hostile messages over a socket', () => {
  let server: WebServer;
  let watched: ReturnType<typeof watchfulRouter>;

  beforeEach(async () => {
    const app = createFakeApp({ dataDir: '/nowhere', entryPoint: 'browser', attended: true });
    watched = watchfulRouter();
    server = await startWebServer({
      rendererDir: join(import.meta.dirname, '../fakes/app/renderer'),
      ...{ port: 0, router: watched.router, logger: silentLogger },
      hub: new PushHub(app.runs, silentLogger),
    });
  });

  afterEach(() => server[Symbol.asyncDispose]());

  it(`${OVER_SOCKET} frames of the web UI`, async () => {
    const random = createRandom(SEED + 1);
    const { port, url } = server;
    const token = url.split('#token=')[1] ?? '';
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, [`hyperagent.${token}`], {
      origin: `http://127.0.0.1:${port}`,
    });
    await once(socket, 'open');
    const answers: Record<string, unknown>[] = [];
    socket.on('message', (data) => answers.push(JSON.parse(String(data))));
    let fitting = 0;
    let sent = 0;
    for (let i = 0; i < OVER_SOCKET; i += 1) {
      const message = hostileMessage(random, 'json');
      const frame = JSON.stringify({ id: i, name: message.name, input: message.input });
      const bytes = breakFrame(frame, random);
      if (bytes === null && fits(message.name, asReceived(message.input))) fitting += 1;
      if (bytes === null) socket.send(frame);
      else socket.send(bytes, { binary: random() < 0.3 });
      sent += 1;
      // What is on its way is bounded, as it is for a real window.
      while (sent - answers.length > 200) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // The contract's own depth does not matter: so deep that a careless parser would recurse to death.
    for (const deep of [
      `${'['.repeat(200_000)}`,
      `{"id":1,"name":"settings.update","input":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ]) {
      socket.send(deep);
      sent += 1;
    }
    while (answers.length < sent) await new Promise((resolve) => setTimeout(resolve, 2));
    const odd = answers.filter(({ result }) => !ANSWER.safeParse(result).success);
    const { counts } = watched;
    report('web UI', {
      messages: sent,
      'parsed and handled': counts.reached,
      'reached a handler unparsed': counts.unparsed.length,
      crashes: crashes.length,
    });
    const closed = socket.readyState;
    socket.terminate();
    expect({ odd, crashes, unparsed: counts.unparsed, closed }).toEqual({
      ...{ odd: [], crashes: [], unparsed: [], closed: WebSocket.OPEN },
    });
    expect(counts.reached).toBeGreaterThanOrEqual(fitting);
    expect(fitting).toBeGreaterThan(OVER_SOCKET / 20);
  });
});

const asReceived = (input: unknown): unknown =>
  input === undefined ? undefined : JSON.parse(JSON.stringify(input));

/** Bytes that are no longer the frame that was meant; null to leave it whole. */
function breakFrame(frame: string, random: () => number): Buffer | null {
  const choice = random();
  const at = Math.floor(random() * frame.length);
  if (choice < 0.8) return null;
  if (choice < 0.85) return Buffer.from(frame.slice(0, at));
  if (choice < 0.9) return Buffer.from(`${frame.slice(0, at)}\u0000${frame.slice(at)}`);
  if (choice < 0.93) return Buffer.from(`{"id":1,"id":{},${frame.slice(1)}`);
  if (choice < 0.96) return Buffer.from(`{"__proto__":{"name":"app.info"},${frame.slice(1)}`);
  return Buffer.from(`[${frame}]`);
}

describe('hostile messages over Electron', () => {
  let dataDir: string;
  let desktop: Desktop;

  beforeAll(async () => {
    ensureBuilt();
    dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-fuzz-'));
    const env = { STAND_IN_KEYRING: 'gnome_libsecret' };
    desktop = await new Desktop({ dataDir, env }).opened();
  });

  afterAll(async () => {
    await desktop?.quit();
    removeFolder(dataDir);
  });

  const OWN: SenderFrame = { origin: 'app://hyperagent', isTop: true };
  const FOREIGN: readonly (SenderFrame | null)[] = [
    null,
    ...['null', '', 'app://', 'app://hyperagent.attacker.example', 'https://attacker.example'].map(
      (origin) => ({ origin, isTop: true }),
    ),
    ...['app://hyperagent/', 'APP://HYPERAGENT', 'app://hyperagent:80', 'file://'].map(
      (origin) => ({
        ...{ origin, isTop: true },
      }),
    ),
    { origin: 'app://hyperagent', isTop: false },
  ];

  /** What a request that got through would have changed. */
  async function state(): Promise<unknown> {
    const names = ['threads.list', 'settings.get', 'rules.list', 'secrets.list', 'runs.waiting'];
    return Promise.all(names.map((name) => desktop.request(name, {})));
  }

  it(`${OVER_ELECTRON} to the built app: malformed from our page, well-formed from others`, async () => {
    const random = createRandom(SEED + 2);
    const before = await state();
    let malformed = 0;
    let foreign = 0;
    const odd: unknown[] = [];
    let batch: Promise<void>[] = [];
    for (let i = 0; malformed + foreign < OVER_ELECTRON; i += 1) {
      const { name, input, what } = hostileMessage(random, 'clone');
      const isForeign = random() < 0.3;
      if (!isForeign && fits(name, input)) continue;
      const frame = isForeign ? (FOREIGN[Math.floor(random() * FOREIGN.length)] ?? null) : OWN;
      const stranger = isForeign && random() < 0.1;
      if (isForeign) foreign += 1;
      else malformed += 1;
      const expected = isForeign ? 'UNAUTHORIZED' : 'BAD_REQUEST';
      const more = random() < 0.05 ? [{ more: true }] : [];
      const args = [name, input, ...more];
      const asked = desktop.order({
        ...{ kind: 'invoke', channel: 'hyperagent:request', args, frame: stranger ? OWN : frame },
        stranger,
      });
      batch.push(
        asked.then((answer) => {
          const parsed = ANSWER.safeParse(answer);
          const code = parsed.success && !parsed.data.ok ? parsed.data.error.code : null;
          if (code !== expected) odd.push({ i, name, what, frame, answer });
        }),
      );
      if (batch.length === 400) await Promise.all(batch.splice(0));
    }
    await Promise.all(batch);
    batch = [];
    const after = await state();
    report('Electron', {
      messages: malformed + foreign,
      'from others': foreign,
      'not refused': odd.length,
      crashes: crashes.length,
    });
    expect({ odd, crashes }).toEqual({ odd: [], crashes: [] });
    expect(after).toEqual(before);
    expect(foreign).toBeGreaterThan(OVER_ELECTRON / 10);
    expect((await desktop.quit()).stderr).toBe('');
  });
});
