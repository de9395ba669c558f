import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ComposeOptions } from '#main/compose/app.ts';
import { huntSecrets, startWatched } from '../fakes/app/watched-app.ts';
import type { WireStepInput } from '../fakes/model-server/options.ts';
import { type FakeModelServer, startModelServer } from '../fakes/model-server/server.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { removeFolder } from '../setup/remove-folder.ts';
import { environmentsBelow, findSecrets, testKeychain } from '../setup/secret-hunt.ts';

/**
 * Secrets of four kinds go in, whole runs are made with them, failures repeat them; then every byte
 * below the data folder, everything a window was told and every child's environment is searched.
 */

/** With what JSON and addresses escape, so that the escaped forms are told from the plain ones. */
const SECRETS = {
  stored: 'sk-stored/7Qp+ZxV"w9\\Lk2',
  given: 'given/M4r+tH"a8\\Yt3-override',
  environment: 'env/Kk5+Rr"u1\\Oo6-variable',
  userInfo: 'user-info-Bb8Nn2Cc7Vv3',
} as const;

const MODEL = { name: 'x', capabilities: ['completion', 'tools'] };
/** Everything that a program in the sandbox can see of its surroundings. */
const LOOK_AROUND = [
  'import glob, os, time',
  'print(dict(os.environ))',
  "for name in glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline'):",
  '    try:',
  '        print(name, open(name).read())',
  '    except OSError:',
  '        pass',
  'time.sleep(0.5)',
].join('\n');

let dir: string;
/** Everything that a window was told, pushes and answers. */
let told: unknown[];
const open: AsyncDisposable[] = [];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-secrets-'));
});

afterEach(async () => {
  delete process.env.OPENAI_API_KEY;
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

afterAll(() => removeFolder(dir));

const seal = testKeychain();

/** The app with a window before it. */
async function start(dataDir: string, overrides?: ComposeOptions['modelOverrides']) {
  const watched = await startWatched(dataDir, told, {
    seal,
    ...(overrides === undefined ? {} : { overrides }),
  });
  open.push(watched.app);
  return watched;
}

async function serve(...turns: WireStepInput[][]): Promise<FakeModelServer> {
  const server = await startModelServer({
    models: [MODEL],
    turns: turns.map((steps) => ({ steps })),
  });
  open.push(server);
  return server;
}

const call = (code: string): WireStepInput => ({
  call: { name: 'execute_code', arguments: { language: 'python', code } },
});

/** Refusals that repeat the key, in the ways that servers and what stands before them do. */
function refusals(secret: string): WireStepInput[][] {
  const json = (value: unknown) => JSON.stringify(value);
  const refuse = (status: number, body: string, contentType = 'application/json') => [
    { refuse: { status, body, contentType } },
  ];
  const html = `<h1>401</h1><pre>Authorization: Bearer ${secret}</pre>`;
  return [
    refuse(401, json({ error: { message: `Incorrect API key provided: ${secret}.` } })),
    refuse(403, json({ error: { message: `key=${encodeURIComponent(secret)} is not allowed` } })),
    refuse(500, json({ detail: `headers: ${json({ authorization: `Bearer ${secret}` })}` })),
    refuse(400, json({ message: Buffer.from(secret).toString('base64') })),
    refuse(401, html, 'text/html'),
    refuse(418, secret, 'text/plain'),
    [{ text: 'A beginning. ' }, { error: `the key ${secret} has expired` }],
  ];
}

/** Where a secret is, in whatever form. */
function hunt(dataDir: string, environments: ReadonlyMap<string, string>) {
  return huntSecrets({ dataDir, told }, Object.values(SECRETS), environments);
}

describe('secrets', () => {
  it.skipIf(!osSandboxReady)(
    `are nowhere after whole runs that look around${osSandboxNote}`,
    async () => {
      told = [];
      const dataDir = join(dir, 'whole');
      const server = await serve(
        [call(LOOK_AROUND)],
        [{ text: 'Seen.' }],
        [call(LOOK_AROUND)],
        [{ text: 'Seen again.' }],
        [call(LOOK_AROUND)],
        [{ text: 'And again.' }],
      );
      const watch = environmentsBelow(process.pid);
      const first = await start(dataDir);
      await first.ask('settings.update', {
        changes: { servers: [{ name: 'mine', baseUrl: `${server.url}/v1` }] },
      });
      await first.ask('secrets.set', { name: 'mine', value: SECRETS.stored });
      await first.ask('secrets.list', {});
      const runs = [await first.run('mine')];
      await first.app[Symbol.asyncDispose]();
      open.splice(open.indexOf(first.app), 1);

      process.env.OPENAI_API_KEY = SECRETS.environment;
      const second = await start(dataDir, { baseUrl: `${server.url}/v1` });
      runs.push(await second.run('openai'));
      await second.app[Symbol.asyncDispose]();
      open.splice(open.indexOf(second.app), 1);

      const { host } = new URL(server.url);
      const third = await start(dataDir, {
        ...{ baseUrl: `http://me:${SECRETS.userInfo}@${host}/v1`, apiKey: SECRETS.given },
      });
      runs.push(await third.run('openai-compatible'));
      const sent = server.recording.requests.map(({ headers }) => headers.authorization);
      const environments = watch.stop();
      const { files, found } = hunt(dataDir, environments);

      expect(runs.map(({ status, error }) => [status, error])).toEqual(
        runs.map(() => ['completed', null]),
      );
      // The keys were really used, or nothing was shown.
      const used = [SECRETS.stored, SECRETS.environment, SECRETS.given];
      expect(used.filter((key) => !sent.includes(`Bearer ${key}`))).toEqual([]);
      expect(environments.size).toBeGreaterThan(3);
      console.log(
        `Secrets: ${files} files, ${environments.size} child environments, ${told.length} messages to the window: ${found.length} found`,
      );
      expect(found).toEqual([]);
      expect(third.app.api['secrets.list']().names).toEqual(['mine']);
    },
    120_000,
  );

  it('are nowhere after failures that repeat them', async () => {
    told = [];
    const dataDir = join(dir, 'failures');
    const seen: string[] = [];
    const fail = async (app: Awaited<ReturnType<typeof start>>, provider: string, of: number) => {
      for (let i = 0; i < of; i += 1) {
        const { status, error } = await app.run(provider, `Fail ${i}`);
        seen.push(status);
        expect(error?.message).toBeTruthy();
      }
      await app.app[Symbol.asyncDispose]();
      open.splice(open.indexOf(app.app), 1);
    };
    const forms = refusals('x').length;

    const one = await serve(...refusals(SECRETS.stored));
    const first = await start(dataDir);
    await first.ask('settings.update', {
      changes: { servers: [{ name: 'mine', baseUrl: `${one.url}/v1` }] },
    });
    await first.ask('secrets.set', { name: 'mine', value: SECRETS.stored });
    await fail(first, 'mine', forms);

    const two = await serve(...refusals(SECRETS.environment));
    process.env.OPENAI_API_KEY = SECRETS.environment;
    await fail(await start(dataDir, { baseUrl: `${two.url}/v1` }), 'openai', forms);

    const three = await serve(...refusals(SECRETS.given), ...refusals(SECRETS.userInfo));
    const { host } = new URL(three.url);
    const baseUrl = `http://me:${SECRETS.userInfo}@${host}/v1`;
    const given = { baseUrl, apiKey: SECRETS.given };
    await fail(await start(dataDir, given), 'openai-compatible', forms * 2);

    const four = await serve(...refusals(SECRETS.given));
    const ollama = { baseUrl: four.url, apiKey: SECRETS.given };
    await fail(await start(dataDir, ollama), 'ollama', forms);

    const broken = ['htp://me:@host', 'http://me:@[x', 'http:/me:@host:99999', 'htp:a/b@:@c@d'];
    for (const form of broken) {
      const address = form.replace(':@', `:${SECRETS.userInfo}@`);
      await fail(await start(dataDir, { baseUrl: address }), 'openai-compatible', 1);
    }

    const { files, found } = hunt(dataDir, new Map());
    console.log(`Secrets: ${seen.length} failed runs, ${files} files: ${found.length} found`);
    expect(seen).toEqual(seen.map(() => 'failed'));
    expect(found).toEqual([]);
  });

  it('are nowhere after a server repeated every header, whatever it was asked', async () => {
    told = [];
    const dataDir = join(dir, 'echo');
    const asked: string[] = [];
    const answers = [
      ...[200, 401, 404, 500].map((status) => [status, 'application/json']),
      ...[200, 401].map((status) => [status, 'text/html']),
    ] as [number, string][];
    let turn = 0;
    const echo = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const [status, type] = answers[turn] ?? [500, 'text/plain'];
      const said = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
      const message = `Unexpected header ${said.join(', ')}`;
      response.writeHead(status, { 'content-type': type });
      response.end(type.endsWith('json') ? JSON.stringify({ error: { message } }) : message);
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    open.push({
      [Symbol.asyncDispose]: async () => {
        echo.closeAllConnections();
        await new Promise((resolve) => echo.close(resolve));
      },
    });
    const { port } = echo.address() as AddressInfo;
    const { ask, run } = await start(dataDir);
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    await ask('settings.update', {
      changes: { servers: [{ name: 'mine', baseUrl }], ollamaUrl: `http://127.0.0.1:${port}` },
    });
    for (const name of ['mine', 'ollama'])
      await ask('secrets.set', { name, value: SECRETS.stored });
    const statuses: string[] = [];
    for (; turn < answers.length; turn += 1) {
      await ask('models.list', {});
      for (const provider of ['mine', 'ollama']) {
        await ask('models.profile', { model: { provider, name: `x${turn}` } });
        await ask('models.check', { model: { provider, name: `x${turn}` } });
        await ask('models.pull', { model: { provider, name: `x${turn}` } });
        statuses.push((await run(provider, `Ask ${turn}`)).status);
      }
    }
    await ask('models.pulls', {});
    const { found } = hunt(dataDir, new Map());
    console.log(`Secrets: ${asked.length} echoes, ${statuses.length} runs: ${found.length} found`);
    expect(asked.length).toBeGreaterThan(answers.length * 4);
    expect(statuses).toEqual(statuses.map(() => 'failed'));
    expect(found).toEqual([]);
  });

  it('in an address are refused where the address would be stored', async () => {
    told = [];
    const dataDir = join(dir, 'addresses');
    const { ask } = await start(dataDir);
    const baseUrl = `http://me:${SECRETS.userInfo}@127.0.0.1:1/v1`;
    const answers = [
      await ask('settings.update', { changes: { servers: [{ name: 'mine', baseUrl }] } }),
      await ask('settings.update', { changes: { ollamaUrl: baseUrl } }),
      await ask('settings.update', {
        changes: { ollamaUrl: `http://127.0.0.1:1/?key=${SECRETS.userInfo}` },
      }),
    ];
    expect(answers).toMatchObject(
      answers.map(() => ({ ok: false, error: { code: 'BAD_REQUEST' } })),
    );
    expect(hunt(dataDir, new Map()).found).toEqual([]);
  });

  it('would be found, in every form that is looked for', () => {
    const key = SECRETS.stored;
    const forms = [
      key,
      JSON.stringify({ key }),
      JSON.stringify(JSON.stringify({ key })),
      Buffer.from(key).toString('base64'),
      Buffer.from(`x${key}`).toString('base64url'),
      Buffer.from(`Bearer: ${key}`).toString('base64'),
      Buffer.from(key).toString('hex').toUpperCase(),
      encodeURIComponent(key),
      [...key].reverse().join(''),
    ].map((text) => Buffer.from(`before ${text} after`));
    const all = [...forms, Buffer.from(key, 'utf16le')];
    const found = all.map((bytes) => findSecrets(new Map([['it', bytes]]), [key]).length > 0);
    expect(found).toEqual(all.map(() => true));
    expect(findSecrets(new Map([['it', Buffer.from('nothing')]]), [key])).toEqual([]);
  });
});
