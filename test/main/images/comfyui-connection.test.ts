import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { comfyui } from '#main/images/providers/comfyui.ts';
import { ComfyuiEvents } from '#main/images/providers/comfyui-events.ts';
import { readOwnWorkflow } from '#main/images/providers/comfyui-own-workflow.ts';
import type { ImageProgress } from '#main/images/types.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { startFakeComfyui } from '../../fakes/images/fake-comfyui.ts';
import { ImageServerCore } from '../../fakes/images/fake-image-server.ts';
import { until } from '../../fakes/images/until.ts';
import {
  type Forwarding,
  failureOf,
  forwardTo,
  graphsOf,
  httpTo,
  make,
  ORDER,
  OWN,
  occupy,
  sizeOf,
} from './comfyui-harness.ts';

test('without a web socket the job is polled', async () => {
  await using server = await startFakeComfyui({ historyDelayMs: 100 });
  await using refusing = await forwardTo(server);
  const [made] = await make(refusing, { steps: 30 });
  expect([sizeOf(made?.bytes), made?.seed]).toEqual([[96, 64], 7]);
  expect(server.requests.filter(({ path }) => path === '/queue').length).toBeGreaterThan(1);
});

test('when the web socket breaks, the job goes on by polling', async () => {
  await using server = await startFakeComfyui();
  const sockets: WebSocket[] = [];
  const toServer = httpTo(server.url);
  const open = toServer.socket.bind(toServer);
  toServer.socket = (path) => {
    const socket = open(path);
    sockets.push(socket);
    return socket;
  };
  const signal = new AbortController().signal;
  const order = { ...ORDER, steps: 100 };
  const made = comfyui(toServer).make(order, { signal, onProgress: () => undefined });
  await until(() => server.stepsDone() > 2);
  sockets[0]?.terminate();
  expect(sizeOf((await made)[0]?.bytes)).toEqual([96, 64]);
  expect(sockets).toHaveLength(1);
});

test('the web socket is closed after the job', async () => {
  await using server = await startFakeComfyui();
  const toServer = httpTo(server.url);
  const open = toServer.socket.bind(toServer);
  let socket: WebSocket | null = null;
  toServer.socket = (path) => {
    socket = open(path);
    return socket;
  };
  const { signal } = new AbortController();
  await comfyui(toServer).make(ORDER, { signal, onProgress: () => undefined });
  await until(() => socket?.readyState === WebSocket.CLOSED);
});

test('a server that was restarted has lost the job', async () => {
  await using server = await startFakeComfyui();
  const failure = failureOf(make(server, { steps: 10_000 }));
  await until(() => server.stepsDone() > 2);
  if (!(server instanceof ImageServerCore)) expect.unreachable();
  server.die();
  // Up again.
  server.fault = 'none';
  expect(await failure).toEqual([
    'IMAGE_FAILED',
    'ComfyUI was restarted while it worked, and the job is lost. Order the picture again.',
  ]);
});

test('a job that someone stops in ComfyUI fails, and says so', async () => {
  await using server = await startFakeComfyui();
  const failure = failureOf(make(server, { steps: 10_000 }));
  await until(() => server.stepsDone() > 2);
  await fetch(`${server.url}/interrupt`, { method: 'POST' });
  expect(await failure).toEqual([
    'IMAGE_FAILED',
    'The job was stopped in ComfyUI. Order the picture again if you want it.',
  ]);
});

test('a job that someone takes out of the queue fails, and says so', async () => {
  await using server = await startFakeComfyui();
  await occupy(server, 1);
  const failure = failureOf(make(server));
  await until(() => server.jobsWaiting() === 1);
  const body = JSON.stringify({ clear: true });
  await fetch(`${server.url}/queue`, { method: 'POST', body });
  expect((await failure)[1]).toMatch(/^The job was taken out of the queue of ComfyUI\./);
});

test('a server that dies, hangs or runs out of memory fails the order with what to do', async () => {
  await using server = await startFakeComfyui();
  server.fault = 'dies';
  const [died, why] = await failureOf(make(server));
  expect([died, why]).toEqual(['IMAGE_FAILED', expect.stringMatching(/Start ComfyUI\.$/)]);
  server.fault = 'out_of_memory';
  expect(await failureOf(make(server))).toEqual([
    'IMAGE_FAILED',
    'ComfyUI ran out of memory. Make the picture smaller, or close other programs that use the graphics card.',
  ]);
  server.fault = 'hangs';
  const cancels = server.cancels.length;
  expect(await failureOf(make(server, {}, { limits: { stallMs: 200 } }))).toEqual([
    'IMAGE_FAILED',
    'ComfyUI reported nothing new for 0.2 s. The order was cancelled.',
  ]);
  expect(server.cancels.length).toBeGreaterThan(cancels);
});

test('a server that is gone in the middle and stays away fails the order', async () => {
  await using server = await startFakeComfyui();
  const failure = failureOf(make(server, { steps: 10_000 }));
  await until(() => server.stepsDone() > 2);
  if (!(server instanceof ImageServerCore)) expect.unreachable();
  server.die();
  await closeServer(server.server);
  expect(await failure).toEqual([
    'IMAGE_FAILED',
    'ComfyUI stopped while it worked. Start it again; if it stopped because memory ran out, make the picture smaller.',
  ]);
});

test('answers of another form are errors that say so', async () => {
  await using server = await startFakeComfyui();
  server.fault = 'html';
  expect((await failureOf(make(server)))[1]).toMatch(/^ComfyUI answered \/prompt with a page/);
  server.fault = 'wrong_json';
  expect((await failureOf(make(server)))[1]).toBe(
    'ComfyUI described the finished job in an unknown form. Update ComfyUI.',
  );
});

test('a picture of endless size is not read', async () => {
  await using server = await startFakeComfyui();
  server.fault = 'huge';
  const limits = { answerBytes: 2 * 1024 * 1024 };
  expect((await failureOf(make(server, {}, { limits })))[1]).toMatch(/sent more than 2 MB/);
  await sleep(50);
  const sent = server.bytesSent();
  await sleep(100);
  expect(server.bytesSent()).toBe(sent);
  expect(sent).toBeLessThan(40 * 1024 * 1024);
});

test('pictures are returned as they were sent, whatever they are', async () => {
  await using server = await startFakeComfyui();
  server.fault = 'not_a_picture';
  const [made] = await make(server);
  expect(Buffer.from(made?.bytes ?? []).toString()).toBe('This is not a picture.');
});

/** A server of a few answers, whose one job is finished at once, and has an id that it gave itself. */
async function scripted(images: unknown): Promise<Forwarding> {
  const requests: string[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    '/models/checkpoints': ['a.safetensors'],
    '/prompt': { prompt_id: 'its own/id' },
    '/queue': { queue_running: [], queue_pending: [] },
    '/history/its%20own%2Fid': { 'its own/id': { outputs: { 3: {}, 9: { images } } } },
  };
  const server = http.createServer(({ url = '', headers }, response) => {
    requests.push(url);
    const isView = url.startsWith('/view');
    const answer = isView ? 'PNG' : JSON.stringify(answers[url]);
    const isThere = answer !== undefined && headers.upgrade === undefined;
    response.writeHead(isThere ? 200 : 404).end(answer);
  });
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1')}`;
  return { url, requests, [Symbol.asyncDispose]: () => closeServer(server) };
}

test('a picture is fetched by exactly the name that the history has', async () => {
  const own = readOwnWorkflow(JSON.stringify(OWN));
  const filename = '../a b&type=input#.png';
  await using server = await scripted([
    { filename: 'preview.png', subfolder: '', type: 'temp' },
    { filename, subfolder: 'x/ü', type: 'output' },
    { filename, subfolder: 'second', type: 'output' },
  ]);
  const [made, ...more] = await make(server, {}, { own });
  expect([Buffer.from(made?.bytes ?? []).toString(), more]).toEqual(['PNG', []]);
  expect(server.requests.filter((url) => url.startsWith('/view'))).toEqual([
    '/view?filename=..%2Fa%20b%26type%3Dinput%23.png&subfolder=x%2F%C3%BC&type=output',
  ]);
});

test('files of other folders than those of results are not fetched', async () => {
  const own = readOwnWorkflow(JSON.stringify(OWN));
  await using server = await scripted([
    { filename: 'a.png', subfolder: '', type: 'input' },
    { filename: 5, subfolder: '', type: 'output' },
    'a.png',
  ]);
  expect((await failureOf(make(server, {}, { own })))[1]).toMatch(
    /^ComfyUI finished without a picture\./,
  );
  expect(server.requests.filter((url) => url.startsWith('/view'))).toEqual([]);
});

test('messages that are no messages, previews of others and huge ones are dropped', async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => sockets.close());
  const connected = once(sockets, 'connection');
  await once(sockets, 'listening');
  const { port } = sockets.address() as AddressInfo;
  const seen: ImageProgress[] = [];
  using events = new ComfyuiEvents(new WebSocket(`ws://127.0.0.1:${port}`), 'job', {
    ...{ label: 'ComfyUI', sampling: null },
    onProgress: (progress) => seen.push(progress),
  });
  await events.opened(new AbortController().signal);
  const [socket] = (await connected) as [WebSocket];
  const tell = (type: string, data: object): void =>
    socket.send(JSON.stringify({ type, data: { prompt_id: 'job', ...data } }));
  const frame = (kind: number, head: number, ...parts: (string | Buffer)[]): void => {
    const start = Buffer.alloc(8);
    start.writeUInt32BE(kind, 0);
    start.writeUInt32BE(head, 4);
    socket.send(Buffer.concat([start, ...parts.map((part) => Buffer.from(part))]));
  };
  frame(1, 1, 'before the job runs');
  tell('execution_start', {});
  for (const text of ['', '{', '[]', '{"type":5}', '['.repeat(5_000)]) socket.send(text);
  for (const bytes of [[], [0, 0, 0, 1], [0, 0, 0, 1, 0, 0, 0, 1]]) socket.send(Buffer.from(bytes));
  tell('execution_error', { prompt_id: 'other' });
  for (const [value, max] of [
    [1, 0],
    [-1, 4],
    ['1', 4],
    [null, null],
    [1, 1e12],
    [1, 1],
  ])
    tell('progress', { node: '3', value, max });
  tell('progress_state', { nodes: { 3: { value: 9, max: 9, state: 'finished' }, 4: 'x' } });
  const metadata = JSON.stringify({ prompt_id: 'other' });
  frame(4, metadata.length, metadata, 'of another job');
  frame(4, 4_000_000_000, '{}');
  frame(3, 1, '3text');
  frame(1, 1, Buffer.alloc(4 * 1024 * 1024));
  tell('progress', { node: '3', value: 9, max: 4 });
  frame(1, 2, 'PNG');
  tell('executing', { node: null });
  frame(1, 2, 'after the job');
  tell('progress', { node: '3', value: 1, max: 4 });
  socket.close();
  await until(() => !events.isConnected);
  expect([events.hasEnded, events.failure]).toEqual([true, null]);
  const running = { queue: 0, step: null, steps: null, preview: null };
  expect(seen).toEqual([
    running,
    { ...running, step: 4, steps: 4 },
    { queue: 0, step: 4, steps: 4, preview: Buffer.from('PNG') },
  ]);
});

test('an unknown model is named together with those that are there', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.safetensors`);
  await using server = await startFakeComfyui({ models: { checkpoints: names } });
  expect(await failureOf(make(server, { model: 'z.safetensors' }))).toEqual([
    'IMAGE_FAILED',
    'ComfyUI has no model "z.safetensors". It has: a.safetensors, b.safetensors, c.safetensors, d.safetensors, e.safetensors, ….',
  ]);
  expect(graphsOf(server)).toEqual([]);
});
