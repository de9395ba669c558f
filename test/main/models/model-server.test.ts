import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type FakeModelServer, startModelServer } from '../../fakes/model-server/server.ts';

/** The scripted server is as strict and as silent as the real one, which other tests rely on. */

async function post(
  server: FakeModelServer,
  at: string,
  body: unknown,
): Promise<[number, unknown]> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${server.url}${at}`, { method: 'POST', body: text });
  const answer = await response.text();
  const lines = answer.trim().split('\n').map(parse);
  return [response.status, lines.length === 1 ? lines[0] : lines];
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

const hello = [{ role: 'user', content: 'Hello' }];
const error = (text: unknown): unknown => ({ error: text });

test('requests that Ollama would refuse are refused with its messages', async () => {
  await using server = await startModelServer({
    models: [
      { name: 'fake' },
      { name: 'plain', capabilities: ['completion'] },
      { name: 'embed', capabilities: ['embedding'] },
    ],
  });
  const call = { function: { name: 'f', arguments: '{"a":1}' } };
  const chat = (body: unknown): Promise<[number, unknown]> => post(server, '/api/chat', body);
  expect([
    await chat(''),
    await chat({ messages: hello }),
    await chat({ model: 'nope', messages: hello }),
    await chat({ model: 'fake', messages: [{ role: 'user', content: [{ type: 'text' }] }] }),
    await chat({
      model: 'fake',
      messages: [{ role: 'assistant', content: '', tool_calls: [call] }],
    }),
    await chat({ model: 'fake', messages: hello, think: true }),
    await chat({ model: 'plain', messages: hello, tools: [{ type: 'function', function: {} }] }),
    await chat({ model: 'embed', messages: hello }),
    await chat({ model: 'fake', messages: hello, format: 'yaml' }),
    await chat({ model: 'fake', messages: hello, keep_alive: 'soon' }),
  ]).toEqual([
    [400, error('missing request body')],
    [400, error('model is required')],
    [404, error("model 'nope' not found")],
    [
      400,
      error(
        'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string',
      ),
    ],
    [400, error(expect.stringContaining('cannot unmarshal string into Go struct field'))],
    [400, error('"fake" does not support thinking')],
    [400, error('registry.ollama.ai/library/plain does not support tools')],
    [400, error('"embed" does not support chat')],
    [500, error(expect.stringContaining('invalid format: "yaml"'))],
    [400, error(expect.stringContaining('invalid duration'))],
  ]);
});

test('an empty conversation loads or unloads, and /api/ps shows the window in force', async () => {
  await using server = await startModelServer({ models: [{ name: 'fake', trainedContext: 8192 }] });
  const running = async (): Promise<unknown> => (await fetch(`${server.url}/api/ps`)).json();
  const load = await post(server, '/api/chat', {
    model: 'fake',
    messages: [],
    options: { num_ctx: 99_999 },
  });
  const loaded = await running();
  await post(server, '/api/chat', { model: 'fake', messages: [], options: { num_ctx: 4096 } });
  const unload = await post(server, '/api/chat', { model: 'fake', messages: [], keep_alive: 0 });
  expect([load, loaded, server.loads(), unload, await running()]).toEqual([
    [200, expect.objectContaining({ done: true, done_reason: 'load' })],
    { models: [expect.objectContaining({ name: 'fake:latest', context_length: 8192 })] },
    2,
    [200, expect.objectContaining({ done_reason: 'unload' })],
    { models: [] },
  ]);
});

test('a prompt that is too long silently loses its oldest messages', async () => {
  await using server = await startModelServer({ turns: [{ steps: [{ text: 'ok' }] }] });
  const long = (content: string): unknown => ({ role: 'user', content: content.repeat(6000) });
  const messages = [{ role: 'system', content: 'Be brief.' }, long('a'), long('b'), long('c')];
  const [status, lines] = await post(server, '/api/chat', { model: 'fake', messages });
  expect([status, (lines as unknown[]).at(-1), server.recording.requests[0]?.dropped]).toEqual([
    200,
    expect.objectContaining({ done: true, prompt_eval_count: expect.any(Number) }),
    [1],
  ]);
});

test('a pull reports its layers, is cancelled by closing the socket, and continues where it stopped', async () => {
  await using server = await startModelServer({ library: { new: [400, 8] }, pullTickMs: 5 });
  const controller = new AbortController();
  const first = await fetch(`${server.url}/api/pull`, {
    method: 'POST',
    body: JSON.stringify({ model: 'new' }),
    signal: controller.signal,
  });
  for await (const bytes of first.body ?? []) {
    if (Buffer.from(bytes).toString().includes('"completed":200')) break;
  }
  controller.abort();
  await server.recording.requests[0]?.closed;
  const [, again] = await post(server, '/api/pull', { model: 'new' });
  const [, cached] = await post(server, '/api/pull', { model: 'new' });
  const [status, unknown] = await post(server, '/api/pull', { model: 'nope' });
  const completed = (again as { completed?: number }[])[1]?.completed ?? 0;
  expect(completed).toBeGreaterThanOrEqual(200);
  expect((again as unknown[]).at(-1)).toEqual({ status: 'success' });
  expect((cached as { total?: number; completed?: number }[])[1]).toMatchObject({
    total: 400,
    completed: 400,
  });
  expect([status, unknown]).toEqual([
    200,
    [{ status: 'pulling manifest' }, error('pull model manifest: file does not exist')],
  ]);
});

test('a foreign Host is refused, as are unknown paths and methods', async () => {
  await using server = await startModelServer();
  const { port } = new URL(server.url);
  const status = (headers: Record<string, string>, method: string, at: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = http.request({ port, host: '127.0.0.1', method, path: at, headers });
      request.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on('error', reject);
      request.end();
    });
  expect([
    await status({ host: 'evil.example' }, 'GET', '/api/tags'),
    await status({ host: `localhost:${port}` }, 'GET', '/api/tags'),
    await status({}, 'GET', '/api/nothing'),
    await status({}, 'GET', '/api/chat'),
  ]).toEqual([403, 200, 404, 405]);
});

test('it runs as a process, with a script from a file', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'model-server-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const script = path.join(dir, 'script.json');
  await writeFile(script, JSON.stringify([{ steps: [{ text: 'From a file.' }] }]));
  const main = path.join(import.meta.dirname, '../../fakes/model-server/main.ts');
  const child = spawn(process.execPath, [main, '--script', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await exited;
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const response = await fetch(`${line.toString().trim()}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'fake', messages: hello, stream: false }),
  });
  expect(await response.json()).toMatchObject({ message: { content: 'From a file.' }, done: true });
});
