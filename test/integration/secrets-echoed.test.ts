import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '#contract/entities.ts';
import type { PushMessage, RequestInput } from '#contract/requests.ts';
import { huntSecrets, startWatched, type WatchedApp } from '../fakes/app/watched-app.ts';
import type { WireStepInput } from '../fakes/model-server/options.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import { ensureBuilt, runTerminal } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { removeFolder } from '../setup/remove-folder.ts';
import { testKeychain } from '../setup/secret-hunt.ts';

/**
 * A server that says the key that it was sent, wherever it can say anything, whole and cut in every way:
 * afterwards it is in no file of the data folder, in nothing that the window was told, and in no request.
 */

const newKey = (name: string): string => `sk-${name}/${randomBytes(15).toString('base64url')}+"\\=`;
const MODEL = { name: 'x', capabilities: ['completion', 'tools', 'thinking'] };

let dir: string;
let told: unknown[];
const open: AsyncDisposable[] = [];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-echoes-'));
});

afterEach(async () => {
  delete process.env.ANTHROPIC_API_KEY;
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

afterAll(() => removeFolder(dir));

const steps = (texts: readonly string[]): WireStepInput[] =>
  texts.map((text) => ({ text, whole: true }));
const cuts = (key: string): number[] => Array.from({ length: key.length - 1 }, (_, i) => i + 1);
const halves = (key: string): string[] =>
  cuts(key).flatMap((at) => [`a ${key.slice(0, at)}`, `${key.slice(at)} b. `]);
const escaped = (key: string): string =>
  [...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const write = (content: string) => ({ operation: 'write', path: 'notes.txt', content });
const called = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });

/** Answers of one step each, by what says the key. */
function echoes(key: string): Record<string, WireStepInput[]> {
  const file = (content: string, more: object = {}): WireStepInput => ({
    call: { name: 'sandbox_file', arguments: write(content), ...more },
  });
  const raw = (rawArguments: string): WireStepInput => ({
    call: { name: 'sandbox_file', rawArguments, pieces: 5 },
  });
  const tagged = `<tool_call>${called('sandbox_file', write(`x ${key} y`))}</tool_call>`;
  const pythonic = `[sandbox_file(operation="write", path="p.txt", content=${JSON.stringify(key)})]`;
  const fenced = `\`\`\`json\n${called('sandbox_file', write(key))}\n\`\`\``;
  return {
    'answer, whole': [{ text: `Your key is ${key}, is it not?`, whole: true }],
    'answer, cut in two at each place': steps(halves(key)),
    'answer, letter by letter': steps([...`Your key: ${key} `]),
    'answer, the whole of it': steps([key]),
    'answer, around thinking': [
      ...[{ text: `a ${key.slice(0, 20)}`, whole: true as const }, { thinking: 'hm ' }],
      ...[{ text: key.slice(20), whole: true as const }, { thinking: key.slice(0, 9) }],
      ...[{ text: ' and ', whole: true as const }, { thinking: key.slice(9) }],
    ],
    'answer, around tags': steps([`a ${key.slice(0, 12)}<think>hm</think>${key.slice(12)} b`]),
    'answer, coded': steps([
      ...[Buffer.from(key).toString('base64'), encodeURIComponent(key), escaped(key)],
      ...[JSON.stringify({ key }), Buffer.from(`u:${key}`).toString('base64url'), 'end'],
    ]),
    'thinking, whole': [{ thinking: `It sent ${key}` }, { text: 'Seen.' }],
    'thinking, cut at each place': [
      ...halves(key).map((thinking) => ({ thinking })),
      { text: 'Seen.' },
    ],
    'thinking, letter by letter': [...[...key].map((thinking) => ({ thinking })), { text: 'Yes.' }],
    'thinking in tags': steps([...`<think>it sent ${key}</think>Seen.`]),
    arguments: [file(`x ${key} y`)],
    'arguments, letter by letter': [file(key, { pieces: key.length })],
    'arguments, escaped': [raw(`{"operation":"write","path":"e.txt","content":"${escaped(key)}"}`)],
    'arguments, a path': [
      { call: { name: 'sandbox_file', arguments: { ...write('x'), path: `${key}.txt` } } },
    ],
    'arguments, a name of a field': [
      { call: { name: 'sandbox_file', arguments: { ...write('x'), [key]: 1 } } },
    ],
    'arguments, broken': [raw(`{"operation": "write", "content": ${JSON.stringify(key)}`)],
    'arguments, broken and escaped': [raw(`{"content": "${escaped(key)}`)],
    'tool name': [{ call: { name: key } }],
    'tool name and id': [{ call: { name: `use_${key}`, id: `call_${key}` } }],
    'call ids': [
      {
        calls: ['a', 'b'].map((text) => ({
          id: key,
          name: 'sandbox_file',
          arguments: write(text),
        })),
      },
    ],
    'call as text': steps([tagged]),
    'call as text, letter by letter': steps([...tagged]),
    'call as Python, letter by letter': steps([...pythonic]),
    'call in a fence': steps([fenced]),
    'call of nobody as text': steps([`<tool_call>${called(key, { [key]: key })}</tool_call>`]),
    'error in the stream': [{ text: 'A beginning. ' }, { error: `the key ${key} has expired` }],
    'partial answer': [...steps([`a ${key.slice(0, 9)}`, key.slice(9)]), { reset: true }],
    'refused, as JSON': [
      { refuse: { status: 400, body: JSON.stringify({ error: { message: `no ${key}` } }) } },
    ],
    'refused, cut short': [
      { refuse: { status: 500, body: `${'x'.repeat(380)} ${key}`, contentType: 'text/plain' } },
    ],
  };
}

/** One key for each provider, and a server that answers with `said`. */
async function setUp(name: string, said: (keys: Record<string, string>) => WireStepInput[][]) {
  told = [];
  const dataDir = join(dir, name);
  const keys = { mine: newKey('mine'), ollama: newKey('ollama'), other: newKey('other') };
  const server = await startModelServer({
    models: [MODEL],
    turns: [
      ...said(keys).map((turn) => ({ steps: turn, when: { round: 0 } })),
      { steps: [{ text: 'Seen.' }], times: 'always' as const },
    ],
    v1: { errors: 'data', reasoningKey: 'reasoning_content' },
  });
  open.push(server);
  const watched = await startWatched(dataDir, told, { seal: testKeychain() });
  open.push(watched.app);
  await watched.ask('settings.update', {
    changes: {
      servers: ['mine', 'other'].map((one) => ({ name: one, baseUrl: `${server.url}/v1` })),
      ollamaUrl: server.url,
    },
  });
  for (const [of, value] of Object.entries(keys))
    await watched.ask('secrets.set', { name: of, value });
  const found = (others?: ReadonlyMap<string, string>) =>
    huntSecrets({ dataDir, told }, Object.values(keys), others).found.map(
      ({ where, form, around }) => `${where.replace(dir, '')} (${form}): ${around}`,
    );
  /** What was sent to servers, but for the header that is for the key. */
  const bodies = () =>
    new Map(server.recording.requests.map(({ body }, i) => [`request ${i}`, body]));
  return { ...watched, ...{ dataDir, keys, server, found, bodies } };
}

async function runAll(run: WatchedApp['run'], providers: readonly string[], prompt: string) {
  const ended: Run[] = [];
  for (const provider of providers) ended.push(await run(provider, prompt));
  return ended;
}

describe('a key that a server says', () => {
  for (const provider of ['mine', 'ollama'] as const) {
    it(`is nowhere afterwards, with ${provider === 'mine' ? 'OpenAI' : 'Ollama'}'s protocol`, async () => {
      const names = Object.keys(echoes(newKey('x')));
      const set = await setUp(`echo-${provider}`, (keys) =>
        Object.values(echoes(keys[provider] ?? '')),
      );
      const ended = await runAll(
        set.run,
        names.map(() => provider),
        'Say it',
      );
      const first = ended[0]?.threadId;
      const later = await set.run(
        'other',
        'And again',
        first === undefined ? {} : { threadId: first },
      );
      const found = set.found(set.bodies());
      console.log(`Secrets: ${ended.length} echoes: ${found.length} found`);
      expect(found).toEqual([]);
      expect(later.status).toBe('completed');
      const statuses = Object.fromEntries(ended.map(({ status }, i) => [names[i], status]));
      // What is not about errors went on with what was left.
      expect(
        Object.values(statuses).filter((status) => status === 'completed').length,
      ).toBeGreaterThan(names.length - 6);
      const events = JSON.stringify(told);
      expect(events.split('[redacted: key]').length).toBeGreaterThan(100);
      const files = readdirSync(join(set.dataDir, 'workspaces'), { recursive: true }).map(String);
      const notes = files.filter((file) => file.endsWith('notes.txt'));
      const written = notes.map((file) =>
        readFileSync(join(set.dataDir, 'workspaces', file), 'utf8'),
      );
      expect(written).toContain('x [redacted: key] y');
    }, 240_000);
  }

  it('is in no list of models, profile, check or pull', async () => {
    const set = await setUp('lists', () => []);
    const { mine } = set.keys;
    const lister = await startModelServer({ models: [{ ...MODEL, name: `m-${mine}` }, MODEL] });
    open.push(lister);
    await set.ask('settings.update', {
      changes: { servers: [{ name: 'mine', baseUrl: `${lister.url}/v1` }], ollamaUrl: lister.url },
    });
    await set.ask('models.list', {});
    await set.ask('models.recommend', {});
    for (const provider of ['mine', 'ollama']) {
      const model = { provider, name: 'x' };
      await set.ask('models.profile', { model });
      await set.ask('models.pull', { model });
    }
    await set.ask('models.pulls', {});
    expect(JSON.stringify(told)).toContain('m-[redacted: key]');
    expect(set.found()).toEqual([]);
  });
});

describe('a key that somebody else says', () => {
  it('is not stored, shown or sent to a model, in a prompt, an answer or new arguments', async () => {
    const environment = newKey('environment');
    process.env.ANTHROPIC_API_KEY = environment;
    const set = await setUp('said', () => [
      [{ call: { name: 'ask_user', arguments: { question: 'Which one?' } } }],
    ]);
    const { mine, other } = set.keys;
    const begun = set.run('ollama', `${mine} is my key, ${environment} another`);
    const respond = async (response: RequestInput<'runs.respond'>['response']) => {
      await expect.poll(() => waiting(told), { timeout: 60_000 }).not.toEqual([]);
      const [question] = waiting(told);
      if (question === undefined) throw new Error('nothing was asked');
      const { runId, interruptId } = question;
      await set.ask('runs.respond', { runId, interruptId, response });
    };
    await respond({ action: 'input', text: `It is ${other}` });
    const ended = await begun;
    await set.ask('threads.rename', { threadId: ended.threadId, title: `My ${mine}` });
    await set.ask('runs.edit', { runId: ended.id, prompt: `Now with ${other}` });
    for (const { id } of set.app.runs.list()) await set.app.runs.settled(id);
    const key = new Map([['environment', environment]]);
    expect(
      huntSecrets({ dataDir: set.dataDir, told }, [...key.values()], set.bodies()).found,
    ).toEqual([]);
    expect(set.found(set.bodies())).toEqual([]);
    expect(ended.prompt).toBe('[redacted: key] is my key, [redacted: key] another');
    expect([...set.bodies().values()].join('')).toContain('It is [redacted: key]');
  }, 120_000);

  it.skipIf(!osSandboxReady)(
    `is not stored, shown or sent on, in what programs print and files hold${osSandboxNote}`,
    async () => {
      const print = [
        'import sys, time',
        'key = open("keys.txt").read()',
        'for letter in "out: " + key + " end":',
        '    sys.stdout.write(letter); sys.stdout.flush(); time.sleep(0.005)',
        'sys.stderr.write("err: " + key)',
        'raise ValueError(key)',
      ].join('\n');
      const set = await setUp('printed', () => [
        [
          { call: { name: 'execute_code', arguments: { language: 'python', code: print } } },
          { call: { name: 'sandbox_file', arguments: { operation: 'read', path: 'keys.txt' } } },
        ],
      ]);
      const { mine } = set.keys;
      const data = Buffer.from(mine).toString('base64');
      const added = await set.ask('attachments.add', { name: 'keys.txt', data });
      const { attachmentId } = (added as { data: { attachmentId: string } }).data;
      const ended = await set.run('ollama', 'Print it', { attachmentIds: [attachmentId] });
      expect(ended.status).toBe('completed');
      const found = set.found(set.bodies());
      // The user's own file stays as it is, and its copies with it.
      expect(
        found.filter((where) => !/^\/printed\/(?:attachments|workspaces|snapshots)/.test(where)),
      ).toEqual([]);
      const events = JSON.stringify(told);
      expect(events).toContain('out: [redacted: key] end');
      expect(events).toContain('err: [redacted: key]');
    },
    120_000,
  );

  it('is taken out from the moment it is entered, also while a run is on', async () => {
    const late = newKey('late');
    const go = join(dir, 'go');
    const set = await setUp('late', () => [
      [
        { text: 'Beginning of some words. ' },
        { untilFile: go },
        { text: `It is ${late}.`, whole: true },
      ],
    ]);
    const running = set.run('ollama', 'Wait for it');
    await expect.poll(() => JSON.stringify(told), { timeout: 60_000 }).toContain('Beginning');
    await set.ask('secrets.set', { name: 'mine', value: late });
    writeFileSync(go, '');
    expect((await running).status).toBe('completed');
    expect(huntSecrets({ dataDir: set.dataDir, told }, [late], set.bodies()).found).toEqual([]);
    expect(JSON.stringify(told)).toContain('It is [redacted: key].');
  }, 120_000);

  it('is not what the terminal prints', async () => {
    ensureBuilt();
    const key = newKey('terminal');
    await using server = await startModelServer({
      models: [MODEL],
      turns: [
        { steps: [...`Your key: ${key}.`].map((text) => ({ text, whole: true as const })) },
        { steps: [{ refuse: { status: 400, body: JSON.stringify({ error: `no ${key}` }) } }] },
        { steps: [{ call: { name: key, arguments: { key } } }] },
        { steps: [{ text: 'Done.' }], times: 'always' },
      ],
    });
    const dataDir = join(dir, 'terminal');
    const printed: string[] = [];
    for (const more of [[], ['--json'], ['--json']]) {
      const { stdout, stderr } = await runTerminal(
        [
          ...['run', `say ${key}`, '--model', 'openai-compatible:x', '--data-dir', dataDir],
          ...['--base-url', `${server.url}/v1`, '--api-key-env', 'A_KEY', ...more],
        ],
        { env: { A_KEY: key } },
      );
      printed.push(stdout, stderr);
    }
    const all = new Map([['the terminal', printed.join('\n')]]);
    expect(huntSecrets({ dataDir, told: [] }, [key], all).found).toEqual([]);
    expect(printed.join('')).toContain('Your key: [redacted: key].');
  }, 120_000);
});

/** The questions that the window shows now. */
function waiting(messages: readonly unknown[]) {
  const news = (messages as PushMessage[]).filter((message) => message.kind === 'waiting_changed');
  return news.at(-1)?.questions ?? [];
}
