import { expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import {
  fillOwnWorkflow,
  type OwnWorkflowValues,
  readOwnWorkflow,
} from '#main/images/providers/comfyui-own-workflow.ts';

type Inputs = Readonly<Record<string, unknown>>;

const VALUES: OwnWorkflowValues = {
  ...{ prompt: 'a tea pot', negativePrompt: 'hands', seed: 7, width: 96, height: 64 },
  ...{ steps: null, guidance: null, strength: null, model: null },
  ...{ image: null, mask: null, clearMask: null },
};
const SAVE = node('SaveImage', { images: ['8', 0], filename_prefix: 'a' });
const PROMPT = node('CLIPTextEncode', { text: 'x', clip: ['4', 1] }, 'Prompt');

function node(class_type: string, inputs: Inputs, title?: string) {
  return { class_type, inputs, ...(title === undefined ? {} : { _meta: { title } }) };
}

function read(nodes: Readonly<Record<string, unknown>>) {
  return readOwnWorkflow(JSON.stringify(nodes));
}

/** The inputs of node 1 of a workflow, filled. */
function filled(one: unknown, values: Partial<OwnWorkflowValues> = {}, more: Inputs = {}) {
  const workflow = read({ '1': one, '2': PROMPT, '9': SAVE, ...more });
  return fillOwnWorkflow(workflow, { ...VALUES, ...values })['1']?.inputs;
}

function refusalOf(text: string): [code: string, message: string] {
  try {
    readOwnWorkflow(text);
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.message];
    throw error;
  }
  return expect.unreachable('It was read');
}

test.for<[title: string, one: unknown, values: Partial<OwnWorkflowValues>, inputs: Inputs]>([
  [
    'prompt',
    node('CLIPTextEncode', { text: 'x', clip: ['4', 1] }, 'PROMPT'),
    {},
    { text: 'a tea pot', clip: ['4', 1] },
  ],
  [
    'both texts of SDXL',
    node('CLIPTextEncodeSDXL', { text_g: '', text_l: '', width: 1 }, 'prompt'),
    {},
    { text_g: 'a tea pot', text_l: 'a tea pot', width: 1 },
  ],
  [
    'negative prompt',
    node('CLIPTextEncode', { text: 'x' }, 'Negative_Prompt '),
    {},
    { text: 'hands' },
  ],
  [
    'an empty negative prompt',
    node('CLIPTextEncode', { text: 'x' }, 'negative prompt'),
    { negativePrompt: '' },
    { text: '' },
  ],
  ['seed', node('RandomNoise', { noise_seed: 1 }, 'Seed'), {}, { noise_seed: 7 }],
  [
    'seed of a node that gives a number',
    node('PrimitiveInt', { value: 1 }, 'seed'),
    {},
    { value: 7 },
  ],
  [
    'several',
    node('KSampler', { seed: 1, steps: 2, cfg: 3, denoise: 1 }, 'Seed, Steps, Guidance'),
    { steps: 30, guidance: 4.5 },
    { seed: 7, steps: 30, cfg: 4.5, denoise: 1 },
  ],
  [
    'what the order leaves open',
    node('KSampler', { seed: 1, steps: 2 }, 'steps, guidance'),
    {},
    { seed: 7, steps: 2 },
  ],
  [
    'strength',
    node('KSampler', { steps: 2, denoise: 1 }, 'Strength'),
    { strength: 0.3 },
    { steps: 2, denoise: 0.3 },
  ],
  [
    'size',
    node('EmptyLatentImage', { width: 1, height: 1, batch_size: 1 }, 'width, height'),
    {},
    { width: 96, height: 64, batch_size: 1 },
  ],
  [
    'model',
    node('CheckpointLoaderSimple', { ckpt_name: 'a' }, 'Model'),
    { model: 'b' },
    { ckpt_name: 'b' },
  ],
  [
    'image',
    node('LoadImage', { image: 'a.png', upload: 'image' }, 'Image'),
    { image: 'b.png' },
    { image: 'b.png', upload: 'image' },
  ],
  [
    'mask',
    node('LoadImageMask', { image: 'a.png', channel: 'red' }, 'Mask'),
    { mask: 'white.png', clearMask: 'clear.png' },
    { image: 'white.png', channel: 'red' },
  ],
  [
    'a mask by its alpha',
    node('LoadImageMask', { image: 'a.png', channel: 'alpha' }, 'Mask'),
    { mask: 'white.png', clearMask: 'clear.png' },
    { image: 'clear.png', channel: 'alpha' },
  ],
  [
    'placeholders',
    node('Notes', {
      a: 'a %PROMPT%, %negative prompt%!',
      b: '%seed%',
      c: '%width%x%height%',
      d: '50% of %it% %prompt',
    }),
    {},
    { a: 'a a tea pot, hands!', b: 7, c: '96x64', d: '50% of %it% %prompt' },
  ],
  [
    'placeholders of what the order leaves open',
    node('Notes', { a: '%steps%', b: '%guidance%', c: 'at %strength%' }),
    {},
    { a: 20, b: 7, c: 'at 0.6' },
  ],
  [
    'a prompt with placeholders',
    node('Notes', { a: '%prompt%, %negative_prompt%' }),
    { prompt: '%seed% %prompt%' },
    { a: '%seed% %prompt%, hands' },
  ],
  [
    'file names, which ComfyUI fills',
    node('SaveImage', { filename_prefix: '%width%/%prompt%' }),
    {},
    { filename_prefix: '%width%/%prompt%' },
  ],
  [
    'seeds that nothing names',
    node('KSampler', { seed: 1, noise_seed: 2, steps: 3 }),
    {},
    { seed: 7, noise_seed: 7, steps: 3 },
  ],
  [
    'a title of something else',
    node('PreviewImage', { images: ['8', 0] }, 'image'),
    { image: 'b.png' },
    { images: ['8', 0] },
  ],
])('an order is put into the workflow: %s', ([, one, values, inputs]) => {
  expect(filled(one, values)).toEqual(inputs);
});

test('a named seed leaves the others as they are', () => {
  const other = node('KSampler', { seed: 3 }, 'seed');
  expect(filled(node('FaceDetailer', { seed: 1 }), {}, { '3': other })).toEqual({ seed: 1 });
});

test('LoadImage whose mask is used gets the mask that is transparent', () => {
  const one = node('LoadImage', { image: 'a.png' }, 'mask');
  const user = { '5': node('SetLatentNoiseMask', { samples: ['8', 0], mask: ['1', 1] }) };
  const values = { mask: 'white.png', clearMask: 'clear.png' };
  expect(filled(one, values, user)).toEqual({ image: 'clear.png' });
  expect(filled(one, values)).toEqual({ image: 'white.png' });
});

test('it says what the workflow takes', () => {
  const { takes } = read({
    '1': PROMPT,
    '2': node('LoadImage', { image: 'a.png' }, 'image'),
    '3': node('Notes', { text: 'in %model% and %nothing%' }),
    '9': node('SaveImage', { images: ['8', 0], filename_prefix: '%height%' }),
  });
  expect([...takes].sort()).toEqual(['image', 'model', 'prompt']);
});

test('the workflow itself stays as it is', () => {
  const workflow = read({ '1': PROMPT, __proto__x: PROMPT, '9': SAVE });
  const before = structuredClone(workflow.graph);
  const graph = fillOwnWorkflow(workflow, VALUES);
  expect(workflow.graph).toEqual(before);
  expect(Object.keys(graph).sort()).toEqual(['1', '9', '__proto__x']);
});

test('names such as __proto__ are names of nodes like any other', () => {
  const text = `{"__proto__":${JSON.stringify(PROMPT)},"9":${JSON.stringify(SAVE)}}`;
  const graph = fillOwnWorkflow(readOwnWorkflow(text), VALUES);
  expect(Object.keys(graph).sort()).toEqual(['9', '__proto__']);
  expect(JSON.stringify(graph)).toContain('"text":"a tea pot"');
});

test('a placeholder that the order cannot fill is named', () => {
  const one = node('LoadImage', { image: '%image%' });
  expect(() => filled(one)).toThrow(
    'Your ComfyUI workflow has the placeholder %image%, and the order has no image. Give one, or take the placeholder out.',
  );
  expect(filled(one, { image: 'hyperagent/b.png' })).toEqual({ image: 'hyperagent/b.png' });
});

test.for<[what: string, text: string, why: RegExp]>([
  ['no JSON', 'PNG', /it is not JSON\. Choose a file that ComfyUI exported\.$/],
  ['deep', `{"a":${'['.repeat(2000)}`, /it is not JSON/],
  ['a list', '[]', /it holds no nodes/],
  ['a text', '"prompt"', /it holds no nodes/],
  ['nothing', '{}', /no node is titled "prompt"/],
  [
    'the format of the window',
    '{"nodes":[],"links":[],"version":0.4}',
    /choose Export \(API\) in the menu\.$/,
  ],
  ['no node', '{"a":{"inputs":{}}}', /"a" in it is no node\. .*Export \(API\)/],
  [
    'no prompt',
    JSON.stringify({ '1': node('CLIPTextEncode', { text: 'x' }, 'Positive'), '9': SAVE }),
    /no node is titled "prompt"\. Give that title/,
  ],
  [
    'a linked prompt',
    JSON.stringify({ '1': node('CLIPTextEncode', { text: ['2', 0] }, 'prompt'), '9': SAVE }),
    /the node titled "prompt" has no text of its own/,
  ],
  ['no output', JSON.stringify({ '1': PROMPT }), /it saves no picture\. Add a node "Save Image"/],
  [
    'an output into the web socket',
    JSON.stringify({ '1': PROMPT, '9': node('SaveImageWebsocket', { images: ['8', 0] }) }),
    /it saves no picture/,
  ],
  [
    'too large',
    JSON.stringify({ '1': PROMPT, '9': SAVE, '3': node('Notes', { text: 'ü'.repeat(600_000) }) }),
    /it is larger than 1 MB\.$/,
  ],
  [
    'too many',
    JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, id) => [id, PROMPT]))),
    /it has more than 500 nodes\.$/,
  ],
])('what cannot be used is refused with the reason: %s', ([, text, why]) => {
  const [code, message] = refusalOf(text);
  expect(code).toBe('BAD_REQUEST');
  expect(message).toMatch(/^The ComfyUI workflow cannot be used: /);
  expect(message).toMatch(why);
});

test('a workflow of 500 nodes is read', () => {
  const nodes = Array.from({ length: 498 }, (_, id) => [id + 10, node('Notes', {})]);
  const workflow = read({ '1': PROMPT, '9': SAVE, ...Object.fromEntries(nodes) });
  expect(Object.keys(workflow.graph)).toHaveLength(500);
});
