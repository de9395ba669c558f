import { expect, test } from 'vitest';
import { readOwnWorkflow } from '#main/images/providers/comfyui-own-workflow.ts';
import { startFakeComfyui } from '../../fakes/images/fake-comfyui.ts';
import { noisePng } from '../../fakes/images/png.ts';
import {
  failureOf,
  graphsOf,
  MASK,
  make,
  nodesOf,
  OWN,
  providerOf,
  sizeOf,
} from './comfyui-harness.ts';

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
