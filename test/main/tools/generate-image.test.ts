import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readImageRecord } from '#main/images/image-files.ts';
import { tool as generateImageTool } from '#main/tools/definitions/generate-image.ts';
import { toToolSchema } from '#main/tools/tool-schema.ts';
import type { ToolContext } from '#main/tools/types.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { startFakeSdServer } from '../../fakes/images/fake-sd-server.ts';
import { startFakeWebui } from '../../fakes/images/fake-webui.ts';
import { imageBench, NOWHERE } from '../../fakes/images/image-bench.ts';
import { noisePng, pictureFacts, solidPng } from '../../fakes/images/png.ts';
import { until } from '../../fakes/images/until.ts';
import { noImages } from '../../fakes/no-images.ts';

type Wish = Readonly<Record<string, unknown>>;
const SMALL = { width: 128, height: 64, steps: 4 };
const FOX = { prompt: 'A red fox', ...SMALL };

async function webuiBench(options: Parameters<typeof imageBench>[0] = {}) {
  const server = await startFakeWebui();
  const imageServers = { 'sd-server': NOWHERE, webui: server.url, comfyui: NOWHERE };
  const bench = imageBench({ ...options, settings: { imageServers, ...options.settings } });
  return { ...bench, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const sent = (server: { readonly requests: readonly { path: string; body: unknown }[] }) =>
  server.requests
    .filter(({ path }) => /2img$|single-image$/.test(path))
    .map(({ body }) => body as Wish);

describe('a picture from words', () => {
  it('is a file, an image in the conversation, and data, with how it was made beside it', async () => {
    await using bench = await webuiBench();
    const { status, content, data } = await bench.make({ ...FOX, seed: 7, alt: 'A fox.' });
    expect([status, content]).toEqual([
      'ok',
      'AUTOMATIC1111 or Forge made:\n- images/a-red-fox.png (128 × 64, seed 7)',
    ]);
    const path = 'images/a-red-fox.png';
    const file = readFileSync(join(bench.dir, path));
    expect(pictureFacts(file)).toMatchObject({ width: 128, height: 64 });
    expect(data).toMatchObject({
      images: [{ path, download_url: `workspace:${path}`, alt: 'A fox.', seed: 7 }],
      problems: [],
    });
    expect(
      bench.events.filter(({ type }) => type === 'image' || type === 'workspace_update'),
    ).toEqual([
      expect.objectContaining({ operation: 'create', path, origin: 'c1' }),
      {
        type: 'image',
        index: 0,
        path,
        mimeType: 'image/png',
        bytes: file.length,
        alt: 'A fox.',
        toolCallId: 'c1',
      },
    ]);
    expect((await readImageRecord(bench.workspace, path))?.record).toMatchObject({
      ...{ operation: 'create', prompt: 'A red fox', seed: 7, steps: 4, server: 'webui' },
      ...{ width: 128, height: 64, image: null, mask: null, alt: 'A fox.' },
    });
    expect(sent(bench.server)).toEqual([
      expect.objectContaining({ prompt: 'A red fox', seed: 7, steps: 4, width: 128, height: 64 }),
    ]);
  });

  it('is the same again by its record, and another one without its seed', async () => {
    await using bench = await webuiBench();
    await bench.make(FOX);
    const first = (await readImageRecord(bench.workspace, 'images/a-red-fox.png'))?.record;
    await bench.make({ ...FOX, seed: first?.seed });
    await bench.make(FOX);
    const file = (name: string): Buffer => readFileSync(join(bench.dir, 'images', name));
    expect(file('a-red-fox-2.png')).toEqual(file('a-red-fox.png'));
    expect(file('a-red-fox-3.png')).not.toEqual(file('a-red-fox.png'));
  });

  it('comes in several, each with its seed', async () => {
    await using bench = await webuiBench();
    const { content } = await bench.make({ ...FOX, count: 3, seed: 5, file: 'fox/f.png' });
    expect(content.split('\n').slice(1)).toEqual([
      '- fox/f.png (128 × 64, seed 5)',
      '- fox/f-2.png (128 × 64, seed 6)',
      '- fox/f-3.png (128 × 64, seed 7)',
    ]);
  });

  it('has a size on the grid of the servers', async () => {
    await using bench = await webuiBench();
    await bench.make({ prompt: 'x', width: 101, height: 67, steps: 1 });
    expect(sent(bench.server)).toEqual([expect.objectContaining({ width: 104, height: 64 })]);
  });

  it.each([
    ['A red fox, in snow; at night: "quiet"!', 'a-red-fox-in-snow-at'],
    ['一只红色的狐狸', '一只红色的狐狸'],
    ['..\\up/it', 'up-it'],
    ['!!!', 'picture'],
    ['x'.repeat(300), 'x'.repeat(48)],
  ])('is named by its words: %s', async (prompt, name) => {
    await using bench = await webuiBench();
    await bench.make({ prompt, ...SMALL });
    expect(existsSync(join(bench.dir, 'images', `${name}.png`))).toBe(true);
  });
});

describe('a picture that is changed', () => {
  it('goes to the server decoded and written again, and its mask as black and white', async () => {
    await using bench = await webuiBench();
    writeFileSync(join(bench.dir, 'fox.png'), noisePng(64, 64, 1));
    writeFileSync(join(bench.dir, 'mask.png'), solidPng(64, 64, [250, 250, 250]));
    const change = { prompt: 'A blue fox', image: '/workspace/fox.png', mask: 'mask.png' };
    const { status } = await bench.make({ ...change, ...SMALL, strength: 0.4 });
    expect(status).toBe('ok');
    const [body = {}] = sent(bench.server);
    const [image] = body.init_images as string[];
    const facts = (base64: unknown) =>
      pictureFacts(Buffer.from(String(base64).replace(/^data:.*?,/, ''), 'base64'));
    expect(facts(image)).toMatchObject({ width: 64, height: 64 });
    expect(facts(body.mask)).toMatchObject({ width: 64, height: 64 });
    expect(body.denoising_strength).toBe(0.4);
    expect((await readImageRecord(bench.workspace, 'images/a-blue-fox.png'))?.record).toMatchObject(
      {
        ...{ operation: 'inpaint', image: '/workspace/fox.png', mask: 'mask.png', strength: 0.4 },
      },
    );
  });

  it('keeps its size, unless another is wanted', async () => {
    await using bench = await webuiBench();
    writeFileSync(join(bench.dir, 'fox.png'), noisePng(100, 68, 1));
    const change = { prompt: 'A blue fox', image: 'fox.png', steps: 1 };
    await bench.make(change);
    await bench.make({ ...change, width: 128, height: 128 });
    expect(sent(bench.server)).toEqual([
      expect.objectContaining({ width: 104, height: 72 }),
      expect.objectContaining({ width: 128, height: 128 }),
    ]);
  });

  it('can be made larger', async () => {
    await using bench = await webuiBench();
    writeFileSync(join(bench.dir, 'fox.png'), noisePng(64, 32, 1));
    const { content } = await bench.make({
      prompt: '',
      image: 'fox.png',
      scale: 2,
      file: 'big.png',
    });
    expect(content).toContain('big.png (128 × 64');
  });

  it.each([
    ['no picture', { image: 'no.txt' }, 'not a picture of a kind'],
    ['no file', { image: 'gone.png' }, 'gone.png'],
    ['a mask without a picture', { mask: 'fox.png' }, 'give image too'],
    ['a mask of another size', { image: 'fox.png', mask: 'other.png' }, 'same size'],
    ['a mask that is black', { image: 'fox.png', mask: 'black.png' }, 'nothing may change'],
    ['no words', { prompt: ' ' }, 'Describe the picture'],
  ])('says what is wrong: %s', async (_what, more, words) => {
    await using bench = await webuiBench();
    writeFileSync(join(bench.dir, 'fox.png'), noisePng(64, 64, 1));
    writeFileSync(join(bench.dir, 'other.png'), noisePng(32, 64, 1));
    writeFileSync(join(bench.dir, 'black.png'), solidPng(64, 64, [0, 0, 0]));
    writeFileSync(join(bench.dir, 'no.txt'), 'words');
    const { status, content } = await bench.make({ ...FOX, ...more });
    expect([status, content]).toEqual(['error', expect.stringContaining(words)]);
    expect(sent(bench.server)).toEqual([]);
  });

  it.each(['/etc/passwd.png', '../out.png', '.hyperagent/images/x.png', 'a.txt'])(
    'is not written to %s',
    async (file) => {
      await using bench = await webuiBench();
      expect((await bench.make({ ...FOX, file })).status).toBe('error');
      expect(sent(bench.server)).toEqual([]);
    },
  );
});

describe('where no server answers', () => {
  it('says what to install, and nothing is made', async () => {
    const bench = imageBench();
    const { status, content } = await bench.make(FOX);
    expect([status, content]).toEqual(['error', expect.stringContaining('Install one of ComfyUI')]);
    expect(existsSync(join(bench.dir, 'images'))).toBe(false);
  });

  it('or where a service has no key, how to give it', async () => {
    const bench = imageBench({ settings: { imageProvider: 'openai' }, bench: { approve: 'all' } });
    expect((await bench.make(FOX)).content).toContain('There is no key for OpenAI.');
  });
});

describe('what leaves the computer', () => {
  it('is asked about, with where it goes', async () => {
    const bench = imageBench({ settings: { imageProvider: 'openai' }, network: 'allowlist' });
    const making = bench.make({ prompt: 'A secret plan' });
    const question = await bench.openQuestion();
    expect(JSON.stringify(question)).toContain('send the description to OpenAI (api.openai.com)');
    bench.broker.respond('run_1', question.interruptId, { action: 'deny', reason: '' });
    expect((await making).status).toBe('denied');
  });

  it('is nothing where the network is off; a server on this computer still draws', async () => {
    await using bench = await webuiBench({ network: 'offline' });
    expect((await bench.make(FOX)).status).toBe('ok');
  });
});

describe('while a picture is made', () => {
  it('its progress and its unfinished picture are shown, and written nowhere', async () => {
    await using bench = await webuiBench({ limits: { pollMs: 20 } });
    // Starts the decoder.
    await bench.make(FOX);
    bench.server.stepMs = 60;
    await bench.make({ ...FOX, steps: 50 });
    const steps = bench.notices.flatMap(({ step }) => step ?? []);
    expect(Math.max(...steps)).toBeGreaterThan(9);
    expect(bench.notices.some(({ preview }) => preview?.startsWith('data:image/png;base64,'))).toBe(
      true,
    );
    expect(JSON.stringify(bench.events)).not.toContain('data:image');
  });

  it('a second one waits, and shows how many are before it', async () => {
    await using bench = await webuiBench();
    bench.server.stepMs = 40;
    const [first, second] = await Promise.all([bench.make({ ...FOX, steps: 60 }), bench.make(FOX)]);
    expect([first.status, second.status]).toEqual(['ok', 'ok']);
    expect(bench.notices).toContainEqual(expect.objectContaining({ toolCallId: 'c2', queue: 1 }));
  });

  it('a cancel reaches the server, and nothing is kept', async () => {
    await using bench = await webuiBench({ limits: { pollMs: 20 } });
    bench.server.stepMs = 50;
    const abort = new AbortController();
    const making = bench.make({ ...FOX, steps: 100 }, { signal: abort.signal });
    await until(() => bench.server.stepsDone() > 2);
    const at = performance.now();
    abort.abort();
    await making.catch(() => undefined);
    await until(() => bench.server.jobsRunning() === 0);
    expect(bench.server.cancels[0]).toBeGreaterThan(at);
    expect(existsSync(join(bench.dir, 'images'))).toBe(false);
  });
});

it('a server that hangs beside the one that draws breaks nothing when the order is cancelled', async () => {
  const silent = createServer(() => undefined);
  const port = await listen(silent, '127.0.0.1');
  onTestFinished(() => closeServer(silent));
  await using server = await startFakeWebui();
  const imageServers = { webui: server.url, comfyui: NOWHERE };
  const bench = imageBench({
    settings: { imageServers: { ...imageServers, 'sd-server': `http://127.0.0.1:${port}` } },
  });
  server.stepMs = 50;
  const abort = new AbortController();
  const making = bench.make({ ...FOX, steps: 100 }, { signal: abort.signal });
  await until(() => server.stepsDone() > 2);
  abort.abort();
  await making.catch(() => undefined);
  // A rejection that nobody handles fails this file.
  await until(() => server.jobsRunning() === 0);
});

describe('a server that does wrong', () => {
  it('black pictures are kept, with what to do', async () => {
    await using bench = await webuiBench();
    bench.server.fault = 'black';
    const { status, content } = await bench.make(FOX);
    expect([status, content]).toEqual(['error', expect.stringContaining('nothing but black')]);
    expect(existsSync(join(bench.dir, 'images/a-red-fox.png'))).toBe(true);
  });

  it.each([
    ['not_a_picture', 'no picture'],
    ['html', 'answer'],
    ['out_of_memory', 'smaller'],
    ['dies', 'AUTOMATIC1111'],
  ] as const)('%s ends with words for the user', async (fault, words) => {
    await using bench = await webuiBench();
    bench.server.fault = fault;
    const { status, content } = await bench.make({ ...FOX, steps: 6 });
    expect([status, content]).toEqual(['error', expect.stringContaining(words)]);
    expect(existsSync(join(bench.dir, 'images'))).toBe(false);
  });

  it('the first server that answers is taken', async () => {
    await using server = await startFakeSdServer();
    const imageServers = { 'sd-server': server.url, webui: NOWHERE, comfyui: NOWHERE };
    const bench = imageBench({ settings: { imageServers } });
    expect((await bench.make(FOX)).content).toContain('stable-diffusion.cpp made:');
  });
});

describe('a call that a crash interrupted', () => {
  it('finds its pictures, or is made again with the same seed and files', async () => {
    await using bench = await webuiBench();
    const { images, workspace, egress } = bench;
    const definition = generateImageTool({ images });
    const input = definition.input.parse({ ...FOX, count: 2 });
    using run = egress.forRun({
      runId: 'run_2',
      threadId: 'thr_1',
      network: 'open',
      allowHosts: [],
    });
    const context = (toolCallId: string, before: unknown) =>
      ({
        ...{ threadId: 'thr_1', toolCallId, before, signal: bench.context.signal, egress: run },
        ...{ sandbox: { workspace }, paths: definition.subjects?.(input).paths },
        seen: images.contacts(),
      }) as unknown as ToolContext;
    const before = await definition.before?.(input, context('a', null));
    expect(await definition.probe?.(input, context('a', before))).toBeNull();
    const made = await definition.run(input, context('a', before));
    const found = await definition.probe?.(input, context('a', before));
    expect(found?.data).toEqual(made.data);
    expect(new Set(found?.events)).toEqual(new Set(made.events));
    // Another call does not take them for its own.
    expect(await definition.probe?.(input, context('b', before))).toBeNull();
    writeFileSync(join(bench.dir, 'images/a-red-fox.png'), solidPng(8, 8, [1, 2, 3]));
    expect(await definition.probe?.(input, context('a', before))).toBeNull();
    expect((await definition.run(input, context('a', before))).data).toEqual(made.data);
  });
});

it('a record that a program wrote is none unless it is exactly one', async () => {
  await using bench = await webuiBench();
  await bench.make(FOX);
  const path = 'images/a-red-fox.png';
  const [name = ''] = readdirSync(join(bench.dir, '.hyperagent/images'));
  const file = join(bench.dir, '.hyperagent/images', name);
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { record: object };
  for (const wrong of ['', 'null', '{"__proto__":{}}', JSON.stringify({ ...stored, more: 1 })]) {
    writeFileSync(file, wrong);
    expect(await readImageRecord(bench.workspace, path)).toBeNull();
  }
  writeFileSync(file, JSON.stringify(stored));
  expect((await readImageRecord(bench.workspace, path))?.record).toEqual(stored.record);
  // One that was changed by another program says nothing of itself.
  writeFileSync(join(bench.dir, path), noisePng(8, 8, 1));
  expect(await readImageRecord(bench.workspace, path)).toBeNull();
});

it('costs little to offer', () => {
  const schema = toToolSchema(generateImageTool({ images: noImages }));
  expect(JSON.stringify(schema).length).toBeLessThanOrEqual(1_700);
});
