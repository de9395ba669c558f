import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startFakeComfyui } from '../../fakes/images/fake-comfyui.ts';
import { startFakeGeminiImages } from '../../fakes/images/fake-gemini-images.ts';
import type { FakeImageServer } from '../../fakes/images/fake-image-server.ts';
import { startFakeOpenAiImages } from '../../fakes/images/fake-openai-images.ts';
import { startFakeSdServer } from '../../fakes/images/fake-sd-server.ts';
import { startFakeWebui } from '../../fakes/images/fake-webui.ts';
import { noisePng, pictureFacts, solidPng } from '../../fakes/images/png.ts';
import { until } from '../../fakes/images/until.ts';

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly body: Json;
}

async function get(server: FakeImageServer, path: string): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, body: (await response.json()) as Json };
}

async function post(
  server: FakeImageServer,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text === '' ? '{}' : text) as Json };
}

/** Width and height of a picture in base64. */
function sizeOf(base64: unknown): readonly (number | undefined)[] {
  const facts = pictureFacts(Buffer.from(String(base64), 'base64'));
  return [facts?.width, facts?.height];
}

const OPENAI = { authorization: 'Bearer sk-test' };
const GEMINI = { 'x-goog-api-key': 'gemini-test' };

test('sd-server: a job is polled; one that waits can be cancelled, one that runs cannot', async () => {
  await using server = await startFakeSdServer();
  const wish = { prompt: 'a tea pot', width: 96, height: 64, seed: 7 };
  const sample_params = { sample_steps: 8 };
  const start = await post(server, '/sdcpp/v1/img_gen', { ...wish, sample_params });
  const waiting = await post(server, '/sdcpp/v1/img_gen', wish);
  expect([start.status, start.body.status]).toEqual([202, 'queued']);
  await until(() => server.jobsRunning() === 1);
  const running = await post(server, `${String(start.body.poll_url)}/cancel`, {});
  expect(running).toEqual({
    status: 409,
    body: { error: 'job is currently generating and cannot be interrupted yet' },
  });
  const cancelled = await post(server, `${String(waiting.body.poll_url)}/cancel`, {});
  expect([cancelled.body.status, cancelled.body.error]).toEqual([
    'cancelled',
    { code: 'cancelled', message: 'job cancelled by client' },
  ]);
  await until(() => server.jobsRunning() === 0);
  const { body } = await get(server, String(start.body.poll_url));
  const { images } = body.result as { images: readonly { b64_json: string }[] };
  expect([body.status, sizeOf(images[0]?.b64_json)]).toEqual(['completed', [96, 64]]);
  expect([server.stepsDone(), server.cancels.length]).toEqual([8, 2]);
});

test('sd-server: the seed is the same unless given, and running out of memory says little', async () => {
  await using server = await startFakeSdServer();
  const draw = (prompt: string): Promise<Answer> =>
    post(server, '/v1/images/generations', { prompt, size: '64x64' });
  const [first, second, other] = [await draw('a'), await draw('a'), await draw('b')];
  expect(first.body.data).toEqual(second.body.data);
  expect(first.body.data).not.toEqual(other.body.data);
  expect((await draw('')).body).toEqual({ error: 'prompt required' });
  server.fault = 'out_of_memory';
  const error = 'generate_image returned no results';
  expect(await draw('a')).toEqual({ status: 500, body: { error } });
  server.fault = 'dies';
  await expect(draw('a')).rejects.toThrow('fetch failed');
  // It is gone until it is started again.
  await expect(draw('a')).rejects.toThrow('fetch failed');
  server.fault = 'none';
  expect((await draw('a')).status).toBe(200);
});

test('webui: an interrupted picture comes back as if it were whole', async () => {
  await using server = await startFakeWebui();
  const wish = { prompt: 'a tea pot', width: 100, height: 64, steps: 6, seed: 5 };
  const whole = await post(server, '/sdapi/v1/txt2img', wish);
  const [picture] = whole.body.images as readonly string[];
  // Down to the next multiple of 8.
  expect(sizeOf(picture)).toEqual([96, 64]);
  expect(JSON.parse(String(whole.body.info))).toMatchObject({ seed: 5, all_seeds: [5], steps: 6 });
  server.stepMs = 20;
  const long = post(server, '/sdapi/v1/txt2img', { ...wish, steps: 500 });
  await until(() => server.stepsDone() > 8);
  const { body } = await get(server, '/sdapi/v1/progress?skip_current_image=true');
  expect(body.state).toMatchObject({ job: 'scripts_txt2img', job_count: 1, sampling_steps: 500 });
  expect((await post(server, '/sdapi/v1/interrupt', {})).body).toEqual({});
  const { status, body: partial } = await long;
  const [unfinished] = partial.images as readonly string[];
  expect([status, unfinished === picture, sizeOf(unfinished)]).toEqual([200, false, [96, 64]]);
  expect([server.cancels.length, server.stepsDone() < 100]).toEqual([1, true]);
});

test('webui: errors are told as each of the two tells them', async () => {
  await using old = await startFakeWebui({ auth: 'ada:tea' });
  await using forge = await startFakeWebui({ flavor: 'forge' });
  const path = '/sdapi/v1/txt2img';
  const authorization = `Basic ${Buffer.from('ada:tea').toString('base64')}`;
  const type = 'HTTPException';
  expect(await post(old, path, {})).toEqual({
    status: 401,
    body: { error: type, detail: 'Not authenticated', body: '', errors: '' },
  });
  const msg = 'value is not a valid integer';
  expect(await post(old, path, { steps: 'many' }, { authorization })).toEqual({
    status: 422,
    body: { detail: [{ loc: ['body', 'steps'], msg, type: 'type_error.integer' }] },
  });
  forge.fault = 'out_of_memory';
  const { status, body } = await post(forge, path, { prompt: 'a', steps: 3 });
  expect([status, body.error]).toEqual([500, 'OutOfMemoryError']);
  expect(body.message).toContain('CUDA out of memory');
});

const CHECKPOINT = 'dreamshaper_8.safetensors';

function graphOf(prompt: string, steps: number, checkpoint = CHECKPOINT): Json {
  const node = (class_type: string, inputs: Json): Json => ({ class_type, inputs });
  const sampler = { sampler_name: 'euler', scheduler: 'normal', cfg: 7, denoise: 1, seed: 3 };
  const links = { model: ['4', 0], positive: ['6', 0], negative: ['7', 0], latent_image: ['5', 0] };
  return {
    '3': node('KSampler', { ...sampler, ...links, steps }),
    '4': node('CheckpointLoaderSimple', { ckpt_name: checkpoint }),
    '5': node('EmptyLatentImage', { width: 72, height: 64, batch_size: 1 }),
    '6': node('CLIPTextEncode', { text: prompt, clip: ['4', 1] }),
    '7': node('CLIPTextEncode', { text: '', clip: ['4', 1] }),
    '8': node('VAEDecode', { samples: ['3', 0], vae: ['4', 2] }),
    '9': node('SaveImage', { images: ['8', 0], filename_prefix: 'tea/pot' }),
  };
}

/** The messages of the socket of a client, up to the end of each prompt. */
async function listenTo(server: FakeImageServer, client: string) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws?clientId=${client}`);
  const events: { readonly type: string; readonly data: Json }[] = [];
  const previews: Buffer[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) previews.push(data);
    else events.push(JSON.parse(data.toString()) as (typeof events)[number]);
  });
  await until(() => events.length > 0);
  const ended = (): boolean =>
    events.some(({ type, data }) => type === 'executing' && data.node === null);
  return { events, previews, ended, [Symbol.dispose]: () => socket.close() };
}

test('ComfyUI: a graph runs node by node, its picture is in the history and can be fetched', async () => {
  await using server = await startFakeComfyui({ hasPreviews: true });
  using client = await listenTo(server, 'ada');
  const id = randomUUID();
  const wish = { prompt: graphOf('a tea pot', 2), client_id: 'ada', prompt_id: id };
  const answer = await post(server, '/prompt', wish);
  expect(answer).toEqual({ status: 200, body: { prompt_id: id, number: 0, node_errors: {} } });
  await until(client.ended);
  const kinds = client.events.map(({ type }) => type).filter((type) => type !== 'status');
  const told = kinds.filter((kind) => !['progress_state', 'executing'].includes(kind));
  expect(told).toEqual([
    ...['execution_start', 'execution_cached', 'progress', 'progress', 'executed'],
    'execution_success',
  ]);
  expect(client.previews.map((frame) => [frame.readUInt32BE(0), frame.readUInt32BE(4)])).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const { body } = await get(server, `/history/${id}`);
  const entry = body[id] as { outputs: Json; status: Json };
  const image = { filename: 'pot_00001_.png', subfolder: 'tea', type: 'output' };
  expect(entry.outputs).toEqual({ '9': { images: [image] } });
  expect([entry.status.status_str, entry.status.completed]).toEqual(['success', true]);
  const picture = await fetch(`${server.url}/view?${new URLSearchParams(image)}`);
  const facts = pictureFacts(Buffer.from(await picture.arrayBuffer()));
  expect([facts?.width, facts?.height]).toEqual([72, 64]);
  // The same again is not drawn again.
  await post(server, '/prompt', { ...wish, prompt_id: randomUUID() });
  await until(() => server.jobsRunning() === 0);
  expect(server.stepsDone()).toBe(2);
});

test('ComfyUI: a prompt that waits is deleted, one that runs is interrupted, others go on', async () => {
  await using server = await startFakeComfyui();
  using client = await listenTo(server, 'ada');
  const [running, waiting] = [randomUUID(), randomUUID()];
  const add = (prompt_id: string, prompt: Json): Promise<Answer> =>
    post(server, '/prompt', { prompt, prompt_id, client_id: 'ada' });
  await add(running, graphOf('a', 1_000));
  await add(waiting, graphOf('b', 1_000));
  await until(() => server.stepsDone() > 1);
  await post(server, '/interrupt', { prompt_id: waiting });
  await post(server, '/queue', { delete: [waiting] });
  const queue = (await get(server, '/queue')).body;
  const running_ids = (queue.queue_running as readonly (readonly unknown[])[]).map(([, id]) => id);
  expect([running_ids, queue.queue_pending]).toEqual([[running], []]);
  await post(server, `/api/jobs/${running}/cancel`, {});
  await until(client.ended);
  const { body } = await get(server, `/history/${running}`);
  const { status } = body[running] as { status: { messages: readonly (readonly unknown[])[] } };
  expect(status).toMatchObject({ status_str: 'error', completed: false });
  expect(status.messages.at(-1)?.[0]).toBe('execution_interrupted');
  expect((await get(server, `/history/${waiting}`)).body).toEqual({});
});

test('ComfyUI: what is wrong with a graph is told node by node', async () => {
  await using server = await startFakeComfyui();
  const { status, body } = await post(server, '/prompt', { prompt: graphOf('a', 0, 'gone.ckpt') });
  const errors = body.node_errors as Readonly<Record<string, { errors: readonly Json[] }>>;
  const types = Object.entries(errors).map(([id, node]) => [id, node.errors[0]?.type]);
  expect([status, (body.error as Json).type, types]).toEqual([
    400,
    'prompt_outputs_failed_validation',
    [
      ['3', 'value_smaller_than_min'],
      ['4', 'value_not_in_list'],
    ],
  ]);
  const unknown = await post(server, '/prompt', {
    prompt: { '1': { class_type: 'X', inputs: {} } },
  });
  expect((unknown.body.error as Json).type).toBe('missing_node_type');
  const data = new FormData();
  data.append('image', new Blob([new Uint8Array(solidPng(8, 8, [1, 2, 3]))]), 'in.png');
  const upload = await fetch(`${server.url}/upload/image`, { method: 'POST', body: data });
  expect(await upload.json()).toEqual({ name: 'in.png', subfolder: '', type: 'input' });
});

test('OpenAI: pictures come in parts, prompts are refused, and the end of a connection ends the job', async () => {
  await using server = await startFakeOpenAiImages();
  const path = '/v1/images/generations';
  const wish = { model: 'gpt-image-2.5-flare', prompt: 'a tea pot' };
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...OPENAI },
    body: JSON.stringify({ ...wish, stream: true, partial_images: 2 }),
  });
  const events = (await response.text()).split('\n\n').filter(Boolean);
  expect(events.map((one) => one.split('\n')[0])).toEqual([
    'event: image_generation.partial_image',
    'event: image_generation.partial_image',
    'event: image_generation.completed',
  ]);
  const refused = await post(server, path, { ...wish, prompt: 'something forbidden' }, OPENAI);
  expect([refused.status, (refused.body.error as Json).code]).toEqual([400, 'moderation_blocked']);
  const formatted = await post(server, path, { ...wish, response_format: 'b64_json' }, OPENAI);
  expect((formatted.body.error as Json).code).toBe('unknown_parameter');
  server.fault = 'hangs';
  const aborted = new AbortController();
  const hanging = fetch(`${server.url}${path}`, {
    ...{ method: 'POST', headers: OPENAI, body: JSON.stringify(wish), signal: aborted.signal },
  });
  await until(() => server.jobsRunning() === 1);
  aborted.abort();
  await expect(hanging).rejects.toThrow();
  await until(() => server.cancels.length === 1);
});

test('OpenAI: an edit needs a mask with alpha in the size of its picture', async () => {
  await using server = await startFakeOpenAiImages();
  const edit = async (mask: Buffer): Promise<Answer> => {
    const data = new FormData();
    const png = (bytes: Buffer): Blob => new Blob([new Uint8Array(bytes)], { type: 'image/png' });
    data.append('model', 'gpt-image-2');
    data.append('prompt', 'more tea');
    data.append('size', '1024x768');
    data.append('image[]', png(noisePng(64, 64, 1)), 'one.png');
    data.append('mask', png(mask), 'mask.png');
    const request = { method: 'POST', headers: OPENAI, body: data };
    const response = await fetch(`${server.url}/v1/images/edits`, request);
    return { status: response.status, body: (await response.json()) as Json };
  };
  const { status, body } = await edit(solidPng(64, 64, [0, 0, 0]));
  expect(status).toBe(400);
  expect((body.error as Json).message).toContain('missing alpha channel');
  // A PNG of colours with alpha, as far as its header is read.
  const masked = solidPng(64, 64, [0, 0, 0]);
  masked[25] = 6;
  const fine = await edit(masked);
  const [first] = fine.body.data as readonly { readonly b64_json: string }[];
  expect([fine.status, sizeOf(first?.b64_json)]).toEqual([200, [1024, 768]]);
});

test('Gemini: pictures in the asked ratio, refusals with 200, a wrong key with 400', async () => {
  await using server = await startFakeGeminiImages();
  const path = '/v1beta/models/gemini-nano-banana-2.1:generateContent';
  const ask = (text: string, headers: Readonly<Record<string, string>> = GEMINI): Promise<Answer> =>
    post(
      server,
      path,
      {
        contents: [{ role: 'user', parts: [{ text }] }],
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '16:9' },
        },
      },
      headers,
    );
  const { body } = await ask('a tea pot');
  const [candidate] = body.candidates as readonly {
    readonly content: {
      readonly parts: readonly { readonly inlineData?: { readonly data: string } }[];
    };
  }[];
  const data = candidate?.content.parts.find(({ inlineData }) => inlineData)?.inlineData?.data;
  expect(sizeOf(data)).toEqual([1376, 768]);
  const blocked = await ask('something forbidden');
  expect([blocked.status, blocked.body.candidates, blocked.body.promptFeedback]).toEqual([
    200,
    undefined,
    { blockReason: 'PROHIBITED_CONTENT' },
  ]);
  const unsafe = await ask('something unsafe');
  expect(unsafe.body.candidates).toMatchObject([{ finishReason: 'IMAGE_SAFETY' }]);
  const wrong = await ask('a', { 'x-goog-api-key': 'other' });
  expect([wrong.status, (wrong.body.error as Json).status]).toEqual([400, 'INVALID_ARGUMENT']);
});

test('a huge answer is sent no faster than it is taken', async () => {
  await using server = await startFakeWebui();
  server.fault = 'huge';
  const aborted = new AbortController();
  const response = await fetch(`${server.url}/sdapi/v1/txt2img`, {
    ...{ method: 'POST', signal: aborted.signal, body: JSON.stringify({ steps: 1 }) },
    headers: { 'content-type': 'application/json' },
  });
  await response.body?.getReader().read();
  await sleep(100);
  aborted.abort();
  await until(() => server.hangUps.length === 1);
  expect(server.bytesSent()).toBeLessThan(50_000_000);
});
