import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWorkflow, inpaintWorkflow } from '#main/images/providers/comfyui-workflows.ts';
import type { ImageProgress } from '#main/images/types.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { type ComfyuiOptions, startFakeComfyui } from '../../fakes/images/fake-comfyui.ts';
import type { MultipartBody } from '../../fakes/images/fake-image-server.ts';
import { noisePng } from '../../fakes/images/png.ts';
import { until } from '../../fakes/images/until.ts';
import {
  failureOf,
  forwardTo,
  graphsOf,
  MASK,
  make,
  nodesOf,
  ORDER,
  occupy,
  PICTURE,
  PROMPTLY,
  providerOf,
  sizeOf,
} from './comfyui-harness.ts';

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
