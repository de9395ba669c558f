import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startModelServer } from '../fakes/model-server/server.ts';
import { ensureBuilt, runTerminal } from '../setup/built-app.ts';
import { removeFolder } from '../setup/remove-folder.ts';

/** `hyperagent models …` of the built app against a scripted Ollama. */

let dir: string;

beforeAll(() => {
  ensureBuilt();
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-models-'));
});

afterAll(() => removeFolder(dir));

it('lists, shows, checks, recommends and pulls', async () => {
  await using server = await startModelServer({
    models: [
      { name: 'qwen3:8b', capabilities: ['completion', 'tools'] },
      { name: 'far:cloud', remoteModel: 'far', remoteHost: 'https://cloud.invalid' },
    ],
    library: { new: [1_000] },
    pullTickMs: 1,
    turns: [{ times: 'always', steps: [{ text: '42 PINEAPPLE' }] }],
  });
  const models = (...args: string[]) =>
    runTerminal(['models', ...args, '--data-dir', join(dir, 'data')], {
      env: { OLLAMA_HOST: server.url },
    });
  const listed = await models('list', '--json');
  const text = await models('list');
  const checked = await models('check', 'ollama:qwen3:8b', '--json');
  const shown = await models('show', 'ollama:qwen3:8b', '--json');
  const recommended = await models('recommend', '--json');
  const pulled = await models('pull', 'ollama:new', '--json');
  const refused = await models('show', 'ollama:far:cloud');
  const allowed = await models('allow', 'ollama:far:cloud');
  const after = await models('show', 'ollama:far:cloud', '--json');
  const lines = checked.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect({
    codes: [listed, text, checked, shown, recommended, pulled, refused, allowed, after].map(
      ({ code }) => code,
    ),
    listed: JSON.parse(listed.stdout)
      .filter(({ provider }: { provider: string }) => provider === 'ollama')
      .map(({ name, cloud }: { name: string; cloud: boolean }) => [name, cloud]),
    marked: text.stdout.includes('FORWARDED TO A CLOUD'),
    tasks: lines.length,
    card: lines.at(-1).profile.reportCard.tiers,
    kept: JSON.parse(shown.stdout).reportCard.tiers,
    flash: JSON.parse(recommended.stdout).at(-1).model.name,
    pull: JSON.parse(pulled.stdout.trim().split('\n').at(-1) ?? '').status,
    refused: refused.stderr.includes('models allow ollama:far:cloud'),
    cloud: JSON.parse(after.stdout).cloud,
  }).toEqual({
    codes: [0, 0, 0, 0, 0, 0, 1, 0, 0],
    listed: [
      ['far:cloud', true],
      ['qwen3:8b', false],
    ],
    marked: true,
    tasks: 14,
    card: ['flash'],
    kept: ['flash'],
    flash: 'qwen3:8b',
    pull: 'completed',
    refused: true,
    cloud: true,
  });
});

it('says what is wrong with a name', async () => {
  const { code, stderr } = await runTerminal(['models', 'show', 'qwen3']);
  expect([code, stderr.includes('PROVIDER:NAME')]).toEqual([2, true]);
});

it('a cloud with a key in the environment is listed, marked and unasked, and runs speak its protocol', async () => {
  await using server = await startModelServer({
    turns: [{ times: 'always', steps: [{ text: 'Hello from far away.' }] }],
  });
  const env = {
    OLLAMA_HOST: 'http://127.0.0.1:1',
    OPENAI_API_KEY: 'sk-test-0123456789',
    ANTHROPIC_API_KEY: 'sk-ant-test-0123456789',
  };
  const data = ['--data-dir', join(dir, 'clouds')];
  const listed = await runTerminal(['models', 'list', ...data], { env });
  expect(listed.stdout.split('\n').map((line) => line.replace(/ {2,}.* {2}/, ' | '))).toEqual([
    'openai:gpt-6-astra | IN A CLOUD',
    'openai:gpt-5.6-terra | IN A CLOUD',
    'openai:gpt-5.6-luna | IN A CLOUD',
    'anthropic:claude-opus-5-5 | IN A CLOUD',
    'anthropic:claude-sonnet-5-5 | IN A CLOUD',
    'anthropic:claude-haiku-5-5 | IN A CLOUD',
    '',
  ]);
  const answers = [];
  for (const model of ['openai:fake', 'anthropic:fake']) {
    const args = ['run', 'Say hello', '--model', model, '--base-url', server.url, ...data];
    const { code, stdout } = await runTerminal(args, { env });
    answers.push([code, stdout.includes('Hello from far away.')]);
  }
  expect([answers, server.recording.requests.map(({ path }) => path)]).toEqual([
    [
      [0, true],
      [0, true],
    ],
    ['/v1/responses', '/v1/messages'],
  ]);
});

it.each([
  ['openai', '/v1/responses', 'sealed:I must ask.'],
  ['anthropic', '/v1/messages', 'signed:I must ask.'],
])(
  'what %s wants back with a call is sent after a question, by another process',
  async (provider, path, seal) => {
    await using server = await startModelServer({
      turns: [
        {
          when: { round: 0 },
          steps: [
            { thinking: 'I must ask.' },
            { call: { name: 'ask_user', arguments: { question: 'How sweet?' } } },
          ],
        },
        { times: 'always', steps: [{ text: 'Sweet: {{result}}' }] },
      ],
    });
    const env = {
      OPENAI_API_KEY: 'sk-test-0123456789',
      ANTHROPIC_API_KEY: 'sk-ant-test-0123456789',
    };
    const flags = ['--base-url', server.url, '--data-dir', join(dir, `asks-${provider}`), '--json'];
    const asked = await runTerminal(['run', 'Bake', '--model', `${provider}:fake`, ...flags], {
      env,
    });
    const question = asked.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find(({ type }) => type === 'interrupt');
    const answer = ['--respond', `${question.interruptId}=input:very`];
    const resumed = await runTerminal(['resume', question.runId, ...answer, ...flags], { env });
    const [first, second] = server.recording.to(path);
    expect([resumed.code, resumed.stdout.includes('very')]).toEqual([0, true]);
    expect([first, second].map((request) => request?.body.includes(seal))).toEqual([false, true]);
  },
);
