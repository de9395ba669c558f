import { expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { Settings } from '#contract/settings.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import { createEmbeddingService } from '#main/models/embeddings/embedding-service.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import type { ModelProgress, SendOptions } from '#main/models/types.ts';
import { withoutSecrets } from '#main/models/without-secrets.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { call, ScriptedChatModel, type ScriptedReply } from '../../fakes/scripted-chat-model.ts';

const KEY = 'correct-horse-battery-staple';
const never = new AbortController().signal;

function knowing(): KnownSecrets {
  const secrets = new KnownSecrets();
  secrets.register(KEY);
  return secrets;
}

async function ask(reply: ScriptedReply) {
  const scripted = new ScriptedChatModel([reply]);
  const progress: ModelProgress[] = [];
  const model = withoutSecrets(scripted, knowing());
  const options: SendOptions = { signal: never, onProgress: (step) => progress.push(step) };
  const messages = [{ role: 'user', content: `Use ${KEY}` } as const];
  const ephemeralMessage = { role: 'user', content: `Not ${KEY}` } as const;
  const answer = await model
    .send({ messages, tools: [], ephemeralMessage }, options)
    .catch((error) => error);
  return { answer, progress, sent: scripted.requests[0] };
}

it('sends no secret, and passes on none in text, thinking, calls or ids', async () => {
  const { answer, sent } = await ask({
    ...{ content: `It is ${KEY}.`, reasoning: KEY },
    toolCalls: [call(KEY, KEY, { [KEY]: [KEY] }), call(KEY, 'x', {}), call('own', 'x', {})],
    invalidToolCalls: [{ id: 'i', name: KEY, rawArguments: `{"${KEY}`, problem: KEY }],
  });
  expect(sent).toBe('[{"role":"user","content":"Use [redacted: key]"}]');
  expect(JSON.stringify(answer)).not.toContain(KEY);
  expect(answer).toMatchObject({ content: 'It is [redacted: key].', reasoning: '[redacted: key]' });
  const [first, second, third] = answer.toolCalls;
  expect(first).toMatchObject({
    ...{ name: '[redacted: key]', arguments: { '[redacted: key]': ['[redacted: key]'] } },
  });
  expect([first.id === second.id, third.id]).toEqual([false, 'own']);
});

it('shows at most seven characters of a secret that alternates with thinking, and keeps the order', async () => {
  const { progress } = await ask(async (_request, { onProgress }) => {
    onProgress({ kind: 'reasoning', text: 'It is c' });
    onProgress({ kind: 'text', text: `a ${KEY.slice(0, 12)}` });
    onProgress({ kind: 'reasoning', text: 'old. ' });
    onProgress({ kind: 'text', text: `${KEY.slice(12)} b` });
    return {};
  });
  const of = (wanted: string) =>
    progress.map((one) => (one.kind === wanted && 'text' in one ? one.text : '')).join('');
  expect(of('text')).toBe('a correct[redacted: key] b');
  expect(of('reasoning')).toBe('It is cold. ');
  // The first thinking is not delayed until the end of the answer.
  expect(progress.slice(0, 2)).toEqual([
    { kind: 'reasoning', text: 'It is ' },
    { kind: 'reasoning', text: 'c' },
  ]);
});

it('passes on none in an error, its details, or the partial answer', async () => {
  const { answer, progress } = await ask(async (_request, { onProgress }) => {
    for (const letter of `a ${KEY}`) onProgress({ kind: 'text', text: letter });
    throw new AppError('MODEL_STREAM_BROKEN', `no ${KEY}`, { details: { partial: `a ${KEY}` } });
  });
  expect(answer).toMatchObject({
    ...{ code: 'MODEL_STREAM_BROKEN', message: 'no [redacted: key]' },
    details: { partial: 'a [redacted: key]' },
  });
  expect(JSON.stringify(progress)).not.toContain(KEY);
});

it('sends none to an embedding model', async () => {
  await using server = await startModelServer({
    models: [{ name: 'e', capabilities: ['embedding'] }],
  });
  const settings = Settings.parse({ ollamaUrl: server.url });
  const service = createEmbeddingService({
    ...{ settings: () => settings, readSecret: () => null, env: {}, secrets: knowing() },
    createAgent: createPlainAgent,
  });
  await using model = await service.open({ provider: 'ollama', name: 'e' }, never);
  expect(await model.embed([`a ${KEY} b`], never)).toHaveLength(1);
  expect(server.recording.to('/api/embed')[0]?.json).toMatchObject({
    input: ['a [redacted: key] b'],
  });
});
