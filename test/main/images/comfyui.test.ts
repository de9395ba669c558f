import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { AppError } from '#contract/errors.ts';
import { ImageHttp } from '#main/images/image-http.ts';
import { comfyui } from '#main/images/providers/comfyui.ts';
import { ComfyuiEvents } from '#main/images/providers/comfyui-events.ts';
import { type OwnWorkflow, readOwnWorkflow } from '#main/images/providers/comfyui-own-workflow.ts';
import {
  type ComfyuiGraph,
  createWorkflow,
  inpaintWorkflow,
} from '#main/images/providers/comfyui-workflows.ts';
import type { ImageLimits, ImageOrder, ImageProgress } from '#main/images/types.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { type ComfyuiOptions, startFakeComfyui } from '../../fakes/images/fake-comfyui.ts';
import {
  type FakeImageServer,
  ImageServerCore,
  type MultipartBody,
} from '../../fakes/images/fake-image-server.ts';
import { noisePng, pictureFacts, solidPng } from '../../fakes/images/png.ts';
import { until } from '../../fakes/images/until.ts';

/** Milliseconds: long before the job would have ended, on a machine that has much else to do. `npm run bench images` has the figure. */
const PROMPTLY = 5_000;

const ORDER: ImageOrder = {
  ...{ operation: 'create', prompt: 'a tea pot', negativePrompt: 'hands' },
  ...{ width: 96, height: 64, count: 1, seed: 7, steps: 4, guidance: null, model: null },
  ...{ image: null, mask: null, clearMask: null, strength: null, scale: 2 },
};
const PICTURE = noisePng(96, 64, 1);
const MASK = solidPng(96, 64, [255, 255, 255]);

interface Opened {
  readonly limits?: Partial<ImageLimits>;
  readonly own?: OwnWorkflow;
  readonly onProgress?: (progress: ImageProgress) => void;
  readonly signal?: AbortSignal;
}

function httpTo(url: string, limits: Partial<ImageLimits> = {}): ImageHttp {
  return new ImageHttp({
    ...{ baseUrl: url, label: 'ComfyUI', startHint: 'Start ComfyUI.' },
    createAgent: createPlainAgent,
    limits: { pollMs: 20, ...limits },
  });
}

function providerOf(server: { url: string }, { limits, own }: Opened = {}) {
  return comfyui(httpTo(server.url, limits), own === undefined ? {} : { ownWorkflow: own });
}

function make(
  server: { url: string },
  order: Partial<ImageOrder> = {},
  { onProgress = () => undefined, signal, ...opened }: Opened = {},
) {
  return providerOf(server, opened).make(
    { ...ORDER, ...order },
    { signal: signal ?? new AbortController().signal, onProgress },
  );
}

async function failureOf(promise: Promise<unknown>): Promise<[code: string, message: string]> {
  const error = await promise.then(
    () => expect.unreachable('It did not fail'),
    (cause: unknown) => cause as AppError,
  );
  return [error.code, error.message];
}

/** The graphs that were ordered. */
function graphsOf({ requests }: FakeImageServer): ComfyuiGraph[] {
  return requests
    .filter(({ method, path }) => method === 'POST' && path === '/prompt')
    .map(({ body }) => (body as { prompt: ComfyuiGraph }).prompt);
}

function nodesOf(graph: ComfyuiGraph | undefined, type: string) {
  return Object.values(graph ?? {})
    .filter(({ class_type }) => class_type === type)
    .map(({ inputs }) => inputs);
}

const sizeOf = (bytes: Uint8Array | undefined): readonly (number | undefined)[] => {
  const facts = pictureFacts(Buffer.from(bytes ?? []));
  return [facts?.width, facts?.height];
};

/** Other people's work on the same server, which takes long. */
async function occupy(server: FakeImageServer, jobs: number): Promise<void> {
  const { graph } = createWorkflow({ ...ORDER, prompt: 'of others', steps: 10_000 }, 'x');
  const prompt = JSON.stringify(graph).replace('"x"', '"dreamshaper_8.safetensors"');
  for (let index = 0; index < jobs; index += 1) {
    const body = `{"prompt":${prompt.replace('"seed":7', `"seed":${index}`)}}`;
    const answer = await fetch(`${server.url}/prompt`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  }
  await until(() => server.jobsRunning() === 1);
}

test('it says what it has: models, and what it can do', async () => {
  await using server = await startFakeComfyui();
  expect(await providerOf(server).inspect(new AbortController().signal)).toEqual({
    models: ['dreamshaper_8.safetensors', 'sd_xl_base_1.0.safetensors'],
    can: {
      edit: true,
      inpaint: true,
      upscale: true,
      negativePrompt: true,
      seed: true,
      steps: true,
    },
  });
});

test('without a checkpoint, an order says where to put one, and enlarging still works', async () => {
  await using server = await startFakeComfyui({ models: { checkpoints: [] } });
  const { models, can } = await providerOf(server).inspect(new AbortController().signal);
  expect([models, can.edit, can.inpaint, can.upscale]).toEqual([[], false, false, true]);
  expect(await failureOf(make(server))).toEqual([
    'IMAGE_FAILED',
    "ComfyUI has no model. Put a checkpoint into ComfyUI's folder models/checkpoints.",
  ]);
  const [made] = await make(server, { operation: 'upscale', image: PICTURE });
  expect(sizeOf(made?.bytes)).toEqual([192, 128]);
});

test.for<[name: string, type: string, body: string]>([
  ['a page', 'text/html', '<!doctype html><title>Sign in</title>'],
  ['other JSON', 'application/json', '{"system":{}}'],
])('something else at the address is not ComfyUI: %s', async ([, type, body]) => {
  const other = http.createServer((_, response) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  const url = `http://127.0.0.1:${await listen(other, '127.0.0.1')}`;
  const [code] = await failureOf(providerOf({ url }).inspect(new AbortController().signal));
  await closeServer(other);
  expect(code).toBe('IMAGE_UNAVAILABLE');
  const [gone, message] = await failureOf(
    providerOf({ url }).inspect(new AbortController().signal),
  );
  expect([gone, message]).toEqual([
    'IMAGE_UNAVAILABLE',
    `ComfyUI does not answer at ${url}. Start ComfyUI.`,
  ]);
});

test('an old server lists its models as choices of nodes', async () => {
  const info = (node: string, input: string, choices: unknown): unknown => ({
    [node]: { input: { required: { [input]: choices } } },
  });
  const answers: Readonly<Record<string, unknown>> = {
    '/system_stats': { system: { comfyui_version: '0.2.0' } },
    '/object_info/CheckpointLoaderSimple': info('CheckpointLoaderSimple', 'ckpt_name', [
      ['a.ckpt', 'b\u0007.ckpt', 5, 'x'.repeat(301)],
    ]),
  };
  const old = http.createServer(({ url = '' }, response) => {
    const answer = answers[url];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer));
  });
  const url = `http://127.0.0.1:${await listen(old, '127.0.0.1')}`;
  const { models } = await providerOf({ url }).inspect(new AbortController().signal);
  await closeServer(old);
  expect(models).toEqual(['a.ckpt', 'b.ckpt']);
});

test('a picture from words: each picture of an order has its own seed, and can be made again alone', async () => {
  await using server = await startFakeComfyui();
  const made = await make(server, { count: 3, model: 'sd_xl_base_1.0.safetensors' });
  expect(made.map(({ seed, model }) => [seed, model])).toEqual([
    [7, 'sd_xl_base_1.0.safetensors'],
    [8, 'sd_xl_base_1.0.safetensors'],
    [9, 'sd_xl_base_1.0.safetensors'],
  ]);
  expect(made.map(({ bytes }) => sizeOf(bytes))).toEqual([
    [96, 64],
    [96, 64],
    [96, 64],
  ]);
  const [graph] = graphsOf(server);
  expect(nodesOf(graph, 'KSampler').map(({ seed }) => seed)).toEqual([7, 8, 9]);
  expect(nodesOf(graph, 'CLIPTextEncode').map(({ text }) => text)).toEqual(['a tea pot', 'hands']);
  expect(nodesOf(graph, 'KSampler')[0]).toMatchObject({
    ...{ steps: 4, cfg: 7, sampler_name: 'euler', scheduler: 'normal', denoise: 1 },
  });
  const alone = await make(server, { seed: 9, model: 'sd_xl_base_1.0.safetensors' });
  const pixels = (bytes: Uint8Array | undefined): string =>
    Buffer.from(bytes ?? [])
      .toString('latin1')
      .split('IDAT')[1] ?? '';
  expect(pixels(alone[0]?.bytes)).toBe(pixels(made[2]?.bytes));
  expect(pixels(alone[0]?.bytes)).not.toBe(pixels(made[0]?.bytes));
});

test('the same order again names the old files, and they are fetched', async () => {
  await using server = await startFakeComfyui();
  const first = await make(server);
  const steps = server.stepsDone();
  const second = await make(server);
  expect(server.stepsDone()).toBe(steps);
  expect(second).toEqual(first);
});

test.for<[model: string, sampling: object]>([
  ['dreamshaper_8.safetensors', { steps: 20, cfg: 7, sampler_name: 'euler' }],
  ['sd_xl_turbo_1.0.safetensors', { steps: 8, cfg: 1.5, sampler_name: 'euler' }],
  ['DreamShaperXL_Lightning.safetensors', { steps: 8, cfg: 1.5, scheduler: 'sgm_uniform' }],
  ['lcm_dreamshaper.safetensors', { steps: 8, cfg: 1.5, sampler_name: 'lcm' }],
  ['flux1-schnell-fp8.safetensors', { steps: 8, cfg: 1 }],
])('steps and guidance fit the model: %s', ([model, sampling]) => {
  const { graph } = createWorkflow({ ...ORDER, steps: null }, model);
  expect(nodesOf(graph, 'KSampler')[0]).toMatchObject(sampling);
});

test('a change of a picture sends it once, under a name of its content', async () => {
  await using server = await startFakeComfyui();
  const order = { operation: 'edit', image: PICTURE, count: 2 } as const;
  const [first, second] = await make(server, order);
  await make(server, { ...order, strength: 0.25 });
  expect([sizeOf(first?.bytes), first?.seed, second?.seed]).toEqual([[96, 64], 7, 8]);
  const [graph, weaker] = graphsOf(server);
  expect(nodesOf(graph, 'KSampler').map(({ denoise }) => denoise)).toEqual([0.6, 0.6]);
  expect(nodesOf(weaker, 'KSampler')[0]).toMatchObject({ denoise: 0.25 });
  expect(nodesOf(graph, 'ImageScale')).toEqual([]);
  const uploads = server.requests.filter(({ path }) => path === '/upload/image');
  const [upload, again] = uploads.map(({ body }) => body as MultipartBody);
  expect(upload?.files[0]?.bytes.equals(PICTURE)).toBe(true);
  expect(upload?.fields).toEqual({ type: 'input', subfolder: 'hyperagent' });
  expect(again?.files[0]?.filename).toBe(upload?.files[0]?.filename);
  const file = `hyperagent/${upload?.files[0]?.filename}`;
  expect(nodesOf(graph, 'LoadImage')).toEqual([{ image: file }]);
});

test('a picture of another size is scaled before it is changed', async () => {
  await using server = await startFakeComfyui();
  const image = noisePng(101, 67, 1);
  const [made] = await make(server, { operation: 'edit', image });
  expect(sizeOf(made?.bytes)).toEqual([96, 64]);
  expect(nodesOf(graphsOf(server)[0], 'ImageScale')[0]).toMatchObject({ width: 96, height: 64 });
});

test('what is white in the mask is drawn again: all of it, or a part of what was there', async () => {
  await using server = await startFakeComfyui();
  const order = { operation: 'inpaint', image: PICTURE, mask: MASK } as const;
  const [made] = await make(server, order);
  await make(server, { ...order, strength: 0.5 });
  expect([sizeOf(made?.bytes), made?.seed]).toEqual([[96, 64], 7]);
  const [whole, part] = graphsOf(server);
  const [, mask] = server.requests
    .filter(({ path }) => path === '/upload/image')
    .map(({ body }) => (body as MultipartBody).files[0]);
  expect(mask?.bytes.equals(MASK)).toBe(true);
  expect(nodesOf(whole, 'LoadImageMask')).toEqual([
    { image: `hyperagent/${mask?.filename}`, channel: 'red' },
  ]);
  expect(nodesOf(whole, 'KSampler')[0]).toMatchObject({ denoise: 1 });
  expect(nodesOf(whole, 'VAEEncodeForInpaint')).toHaveLength(1);
  expect(nodesOf(part, 'KSampler')[0]).toMatchObject({ denoise: 0.5 });
  expect(nodesOf(part, 'SetLatentNoiseMask')).toHaveLength(1);
});

test('what is not white in the mask is taken from the picture as it was, in its own size', () => {
  const order = { ...ORDER, operation: 'inpaint', image: noisePng(101, 67, 1) } as const;
  const files = { image: 'a.png', mask: 'b.png', canComposite: true };
  const { graph, outputs } = inpaintWorkflow(order, 'x', files);
  const idOf = (type: string): string | undefined =>
    Object.keys(graph).find((id) => graph[id]?.class_type === type);
  expect(nodesOf(graph, 'ImageCompositeMasked')).toEqual([
    {
      destination: [idOf('LoadImage'), 0],
      source: [idOf('VAEDecode'), 0],
      mask: [idOf('LoadImageMask'), 0],
      ...{ x: 0, y: 0, resize_source: true },
    },
  ]);
  expect(graph[outputs?.[0] ?? '']?.inputs).toEqual({ images: [idOf('ImageCompositeMasked'), 0] });
});

test.for<[scale: number, upscalers: string[]]>([
  [1.5, ['RealESRGAN_x4plus.pth']],
  [3, []],
])('a picture is made exactly %d times larger, with upscalers %o', async ([scale, upscalers]) => {
  await using server = await startFakeComfyui({ models: { upscale_models: upscalers } });
  const [made, ...more] = await make(server, { operation: 'upscale', image: PICTURE, scale });
  expect(more).toEqual([]);
  expect(sizeOf(made?.bytes)).toEqual([96 * scale, 64 * scale]);
  expect([made?.seed, made?.model]).toEqual([null, upscalers[0] ?? null]);
});

test('progress counts the steps of all pictures, and brings unfinished ones', async () => {
  for (const options of [{}, { isOld: true }] satisfies ComfyuiOptions[]) {
    await using server = await startFakeComfyui({ ...options, hasPreviews: true });
    const seen: ImageProgress[] = [];
    await make(server, { count: 2 }, { onProgress: (progress) => seen.push(progress) });
    const steps = seen.flatMap(({ step }) => (step === null ? [] : [step]));
    expect([...new Set(steps)].filter((step) => step > 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(seen.map(({ steps: all }) => all))).toEqual(new Set([null, 8]));
    const previews = seen.flatMap(({ preview }) => (preview === null ? [] : [sizeOf(preview)]));
    expect(previews.length).toBeGreaterThan(0);
    expect(new Set(previews.map(String))).toEqual(new Set(['64,64']));
  }
});

test('a job that waits reports its place, and is gone from the queue at once when it is cancelled', async () => {
  for (const isOld of [false, true]) {
    await using server = await startFakeComfyui({ isOld });
    await occupy(server, 3);
    const cancelling = new AbortController();
    const queue: (number | null)[] = [];
    const { signal } = cancelling;
    const made = make(server, {}, { signal, onProgress: (seen) => queue.push(seen.queue) });
    const failure = made.catch((error: unknown) => error);
    await until(() => queue.length > 0);
    expect(queue).toEqual([3]);
    const abortedAt = performance.now();
    cancelling.abort(new Error('cancelled'));
    expect(await failure).toEqual(new Error('cancelled'));
    expect((server.cancels[0] ?? Number.POSITIVE_INFINITY) - abortedAt).toBeLessThan(PROMPTLY);
    // What runs is of someone else, and an old server interrupts whatever runs.
    const steps = server.stepsDone();
    await until(() => server.stepsDone() > steps + 2);
    expect([server.jobsWaiting(), server.jobsRunning()]).toEqual([2, 1]);
  }
});

test('a job that runs is interrupted at once when it is cancelled', async () => {
  for (const isOld of [false, true]) {
    await using server = await startFakeComfyui({ isOld });
    const cancelling = new AbortController();
    const { signal } = cancelling;
    const made = make(server, { steps: 10_000 }, { signal });
    const failure = made.catch((error: unknown) => error);
    await until(() => server.stepsDone() > 2);
    const abortedAt = performance.now();
    cancelling.abort(new Error('cancelled'));
    expect(await failure).toEqual(new Error('cancelled'));
    expect((server.cancels[0] ?? Number.POSITIVE_INFINITY) - abortedAt).toBeLessThan(PROMPTLY);
    await until(() => server.jobsRunning() === 0);
    expect(server.jobsWaiting()).toBe(0);
  }
});

test('a cancel while the order is under way still reaches the job', async () => {
  await using server = await startFakeComfyui();
  await using slow = await forwardTo(server, async ({ url }) => {
    if (url === '/prompt') await sleep(150);
  });
  const cancelling = new AbortController();
  const made = make(slow, { steps: 10_000 }, { signal: cancelling.signal });
  const failure = made.catch((error: unknown) => error);
  await until(() => slow.requests.includes('/prompt'));
  cancelling.abort(new Error('cancelled'));
  expect(await failure).toEqual(new Error('cancelled'));
  expect(graphsOf(server)).toHaveLength(1);
  await until(() => server.jobsRunning() === 0);
});

test('an order that was cancelled before sends nothing', async () => {
  await using server = await startFakeComfyui();
  const signal = AbortSignal.abort(new Error('cancelled'));
  await expect(make(server, {}, { signal })).rejects.toThrow('cancelled');
  expect(server.requests).toEqual([]);
});

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

const OWN = {
  '3': {
    class_type: 'KSampler',
    inputs: {
      ...{ model: ['4', 0], positive: ['6', 0], negative: ['7', 0], latent_image: ['5', 0] },
      ...{ seed: 5, steps: 20, cfg: 8, sampler_name: 'euler', scheduler: 'normal', denoise: 1 },
    },
    _meta: { title: 'Seed, Steps' },
  },
  '4': {
    class_type: 'CheckpointLoaderSimple',
    inputs: { ckpt_name: 'dreamshaper_8.safetensors' },
    _meta: { title: 'Model' },
  },
  '5': {
    class_type: 'EmptyLatentImage',
    inputs: { width: 512, height: 512, batch_size: 1 },
    _meta: { title: 'width, height' },
  },
  '6': {
    class_type: 'CLIPTextEncode',
    inputs: { text: 'x', clip: ['4', 1] },
    _meta: { title: 'PROMPT' },
  },
  '7': {
    class_type: 'CLIPTextEncode',
    inputs: { text: 'blurry, %negative prompt%', clip: ['4', 1] },
  },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'own' } },
};

test("a workflow of the user's makes the pictures, once for each seed", async () => {
  await using server = await startFakeComfyui();
  const own = readOwnWorkflow(JSON.stringify(OWN));
  const made = await make(server, { count: 2 }, { own });
  expect(made.map(({ bytes, seed, model }) => [sizeOf(bytes), seed, model])).toEqual([
    [[96, 64], 7, null],
    [[96, 64], 8, null],
  ]);
  const graphs = graphsOf(server);
  expect(graphs.map((graph) => nodesOf(graph, 'KSampler')[0]?.seed)).toEqual([7, 8]);
  expect(graphs[0]?.['7']?.inputs.text).toBe('blurry, hands');
  const { can } = await providerOf(server, { own }).inspect(new AbortController().signal);
  expect([can.negativePrompt, can.seed, can.steps]).toEqual([true, true, true]);
});

test("a batch of a workflow of the user's is taken as far as it is wanted", async () => {
  await using server = await startFakeComfyui();
  const batch = { ...OWN, '5': { ...OWN['5'], inputs: { ...OWN['5'].inputs, batch_size: 3 } } };
  const own = readOwnWorkflow(JSON.stringify(batch));
  const made = await make(server, { count: 2 }, { own });
  expect(made.map(({ seed }) => seed)).toEqual([7, null]);
  expect(graphsOf(server)).toHaveLength(1);
});

test("a model that a workflow of the user's does not find is named with those that are there", async () => {
  await using server = await startFakeComfyui();
  const own = readOwnWorkflow(JSON.stringify(OWN));
  expect((await failureOf(make(server, { model: 'z' }, { own })))[1]).toBe(
    'ComfyUI has no "z" for ckpt_name. It has: dreamshaper_8.safetensors, sd_xl_base_1.0.safetensors.',
  );
  const custom = { ...OWN, '8': { class_type: 'FaceFixer', inputs: {} } };
  const missing = readOwnWorkflow(JSON.stringify(custom));
  expect((await failureOf(make(server, {}, { own: missing })))[1]).toMatch(
    /^ComfyUI has no such node: Node 'FaceFixer' not found.* Install it, or update ComfyUI\.$/,
  );
});

test("a workflow of the user's changes a picture where it takes one", async () => {
  await using server = await startFakeComfyui();
  const own = readOwnWorkflow(
    JSON.stringify({
      ...OWN,
      '5': { class_type: 'VAEEncode', inputs: { pixels: ['10', 0], vae: ['4', 2] } },
      '10': { class_type: 'LoadImage', inputs: { image: 'a.png' }, _meta: { title: 'image' } },
    }),
  );
  const image = noisePng(104, 72, 3);
  const [made] = await make(server, { operation: 'edit', image }, { own });
  expect([sizeOf(made?.bytes), made?.seed]).toEqual([[104, 72], 7]);
  expect(graphsOf(server)[0]?.['9']?.inputs.filename_prefix).toBe('own');
  // It takes no mask.
  await make(server, { operation: 'inpaint', image, mask: MASK }, { own });
  expect(nodesOf(graphsOf(server)[1], 'VAEEncodeForInpaint')).toHaveLength(1);
});

interface Forwarding extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly string[];
}

/** A server before another that knows no web sockets. */
async function forwardTo(
  { url }: { url: string },
  before: (request: http.IncomingMessage) => Promise<void> = async () => undefined,
): Promise<Forwarding> {
  const requests: string[] = [];
  const server = http.createServer(async (request, response) => {
    requests.push(request.url ?? '');
    if (request.headers.upgrade !== undefined) {
      response.writeHead(404).end();
      return;
    }
    await before(request);
    const { method, headers } = request;
    const onward = http.request(new URL(request.url ?? '/', url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const port = await listen(server, '127.0.0.1');
  return {
    ...{ url: `http://127.0.0.1:${port}`, requests },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
