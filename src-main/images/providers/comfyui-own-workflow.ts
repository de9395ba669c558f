import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { failed } from '../image-errors.ts';
import type { ComfyuiGraph, ComfyuiNode } from './comfyui-workflows.ts';

/** What an order puts into a workflow. Null leaves what the workflow has. */
export interface OwnWorkflowValues {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly steps: number | null;
  readonly guidance: number | null;
  readonly strength: number | null;
  readonly model: string | null;
  /** Names of uploaded files. */
  readonly image: string | null;
  readonly mask: string | null;
  /** The mask that is transparent where the picture may change: what LoadImage takes for a mask. */
  readonly clearMask: string | null;
}

export type OwnInput = keyof OwnWorkflowValues;

/** A workflow of the user's, and where the values of an order belong in it. */
export interface OwnWorkflow {
  readonly graph: ComfyuiGraph;
  /** By node and input, see `placeOf`. */
  readonly places: ReadonlyMap<string, OwnInput>;
  /** What it takes, by titles or placeholders. */
  readonly takes: ReadonlySet<OwnInput>;
}

interface InputRule {
  /** How a node is titled. */
  readonly title: string;
  /** The node's inputs that may hold it: the first that does, or each of them for texts. */
  readonly fields: readonly string[];
  readonly type: 'string' | 'number';
  /** In place of a placeholder, where the order has no value. */
  readonly otherwise?: number;
}

const LARGEST_BYTES = 1024 * 1024;
const MOST_NODES = 500;

const TEXTS = [
  ...['text', 'text_g', 'text_l', 'clip_g', 'clip_l', 't5xxl'],
  ...['prompt', 'value', 'string'],
];
/** `clearMask` has no title: it takes the place of a mask where a node wants it. */
const RULES: Readonly<Record<Exclude<OwnInput, 'clearMask'>, InputRule>> = {
  prompt: { title: 'prompt', fields: TEXTS, type: 'string' },
  negativePrompt: { title: 'negative prompt', fields: TEXTS, type: 'string' },
  seed: { title: 'seed', fields: ['seed', 'noise_seed', 'value'], type: 'number' },
  width: { title: 'width', fields: ['width', 'value'], type: 'number' },
  height: { title: 'height', fields: ['height', 'value'], type: 'number' },
  steps: { title: 'steps', fields: ['steps', 'value'], type: 'number', otherwise: 20 },
  guidance: {
    ...{ title: 'guidance', fields: ['cfg', 'guidance', 'value'], type: 'number', otherwise: 7 },
  },
  strength: {
    ...{ title: 'strength', fields: ['denoise', 'strength', 'value'], type: 'number' },
    otherwise: 0.6,
  },
  model: {
    ...{ title: 'model', fields: ['ckpt_name', 'unet_name', 'model_name', 'value'] },
    type: 'string',
  },
  image: { title: 'image', fields: ['image'], type: 'string' },
  mask: { title: 'mask', fields: ['image', 'mask'], type: 'string' },
};
const NAMES = Object.keys(RULES) as (keyof typeof RULES)[];
const PLACEHOLDER = /%([a-z][a-z _-]{0,19})%/gi;
const ONLY_PLACEHOLDER = /^%([a-z][a-z _-]{0,19})%$/i;
/** ComfyUI fills placeholders of its own in it. */
const FILE_NAME = 'filename_prefix';

const OwnNode = z.object({
  class_type: z.string().min(1).max(200),
  inputs: z.record(z.string(), z.unknown()),
  _meta: z.object({ title: z.string() }).nullish().catch(null),
});

/**
 * A workflow in ComfyUI's API format, whose nodes or placeholders name what an order sets: a node titled "prompt" or
 * "seed, steps", or `%prompt%` in a text. Where nothing names the seed, every seed is set. Throws `BAD_REQUEST`.
 */
export function readOwnWorkflow(text: string): OwnWorkflow {
  const nodes = readNodes(text);
  const places = new Map<string, OwnInput>();
  const takes = new Set<OwnInput>();
  let isPromptLinked = false;
  for (const [id, { inputs, _meta }] of nodes) {
    for (const name of namesIn(_meta?.title ?? '')) {
      const fields = fieldsFor(name, inputs);
      for (const field of fields) places.set(placeOf(id, field), name);
      if (fields.length > 0) takes.add(name);
      else if (name === 'prompt') isPromptLinked = true;
    }
    for (const [field, value] of Object.entries(inputs)) {
      if (typeof value !== 'string' || field === FILE_NAME) continue;
      for (const [, word = ''] of value.matchAll(PLACEHOLDER)) {
        for (const name of namesIn(word)) takes.add(name);
      }
    }
  }
  if (!takes.has('prompt')) {
    throw unusable(
      isPromptLinked
        ? 'the node titled "prompt" has no text of its own. Give that title to the node in which the text is written'
        : 'no node is titled "prompt". Give that title to the node with the text of the prompt, and export it again',
    );
  }
  if (!nodes.some(([, node]) => isOutput(node))) {
    throw unusable('it saves no picture. Add a node "Save Image", and export it again');
  }
  if (!takes.has('seed') && setEverySeed(nodes, places)) takes.add('seed');
  markClearMasks(nodes, places);
  const graph = Object.fromEntries(
    nodes.map(([id, { class_type, inputs }]) => [id, { class_type, inputs }]),
  );
  return { graph, places, takes };
}

/** The workflow with the values of an order. Throws `IMAGE_FAILED` for a placeholder without a value. */
export function fillOwnWorkflow(
  { graph, places }: OwnWorkflow,
  values: OwnWorkflowValues,
): ComfyuiGraph {
  const fill = (id: string, field: string, value: unknown): unknown => {
    const name = places.get(placeOf(id, field));
    const given = name === undefined ? null : values[name];
    if (given !== null) return given;
    return typeof value === 'string' && field !== FILE_NAME ? fillText(value, values) : value;
  };
  return Object.fromEntries(
    Object.entries(graph).map(([id, { class_type, inputs }]) => {
      const filled = Object.entries(inputs).map(([field, value]): [string, unknown] => [
        field,
        fill(id, field, value),
      ]);
      return [id, { class_type, inputs: Object.fromEntries(filled) }];
    }),
  );
}

function readNodes(text: string): [id: string, node: z.infer<typeof OwnNode>][] {
  if (Buffer.byteLength(text) > LARGEST_BYTES) throw unusable('it is larger than 1 MB');
  let value: unknown;
  try {
    value = parseOutsideJson(text);
  } catch (cause) {
    throw unusable('it is not JSON. Choose a file that ComfyUI exported', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unusable('it holds no nodes. Choose a file that ComfyUI exported');
  }
  if ('nodes' in value && Array.isArray(value.nodes)) {
    throw unusable(
      'it is saved in the format of the ComfyUI window. Open it in ComfyUI and choose Export (API) in the menu',
    );
  }
  const entries = Object.entries(value);
  if (entries.length > MOST_NODES) throw unusable(`it has more than ${MOST_NODES} nodes`);
  return entries.map(([id, node]) => {
    const parsed = safeParse(OwnNode, node);
    if (parsed.success) return [id, parsed.data];
    throw unusable(
      `"${id.slice(0, 50)}" in it is no node. Open it in ComfyUI and choose Export (API) in the menu`,
    );
  });
}

function unusable(why: string, cause?: unknown): AppError {
  const message = `The ComfyUI workflow cannot be used: ${why}.`;
  return new AppError('BAD_REQUEST', message, cause === undefined ? {} : { cause });
}

/** What a title such as "Seed, steps" or a placeholder names. */
function namesIn(title: string): (keyof typeof RULES)[] {
  const words = title.split(',').map((word) =>
    word
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' '),
  );
  return NAMES.filter((name) => words.includes(RULES[name].title));
}

/** The inputs of a node that hold such a value themselves, and get it by no link. */
function fieldsFor(name: keyof typeof RULES, inputs: ComfyuiNode['inputs']): string[] {
  const { fields, type } = RULES[name];
  const found = fields.filter((field) => typeof inputs[field] === type);
  return fields === TEXTS ? found : found.slice(0, 1);
}

/** By its name, as ComfyUI does not say it in an export: whatever saves or previews. */
function isOutput({ class_type, inputs }: ComfyuiNode): boolean {
  // Sends its pictures over the web socket alone: they are in no history.
  if (class_type === 'SaveImageWebsocket') return false;
  return FILE_NAME in inputs || /save|preview/i.test(class_type);
}

function setEverySeed(
  nodes: readonly [id: string, node: ComfyuiNode][],
  places: Map<string, OwnInput>,
): boolean {
  const found = nodes.flatMap(([id, { inputs }]) =>
    ['seed', 'noise_seed']
      .filter((field) => typeof inputs[field] === 'number')
      .map((field) => placeOf(id, field)),
  );
  for (const place of found) places.set(place, 'seed');
  return found.length > 0;
}

/** Nodes that take what is transparent for the mask get a mask of that kind. */
function markClearMasks(
  nodes: readonly [id: string, node: ComfyuiNode][],
  places: Map<string, OwnInput>,
): void {
  const masks = new Set(
    nodes.flatMap(([, { inputs }]) =>
      Object.values(inputs).flatMap((link) =>
        Array.isArray(link) && link[1] === 1 ? [String(link[0])] : [],
      ),
    ),
  );
  for (const [id, { class_type, inputs }] of nodes) {
    const place = placeOf(id, 'image');
    const isClear =
      (class_type === 'LoadImage' && masks.has(id)) ||
      (class_type === 'LoadImageMask' && inputs.channel === 'alpha');
    if (isClear && places.get(place) === 'mask') places.set(place, 'clearMask');
  }
}

/** In one pass: a prompt that has `%seed%` in it keeps that. */
function fillText(text: string, values: OwnWorkflowValues): string | number {
  const [only] = namesIn(ONLY_PLACEHOLDER.exec(text)?.[1] ?? '');
  // Alone it may be a number, as its node wants it.
  if (only !== undefined) return valueFor(only, values);
  return text.replace(PLACEHOLDER, (match, word: string) => {
    const [name] = namesIn(word);
    return name === undefined ? match : String(valueFor(name, values));
  });
}

function valueFor(name: keyof typeof RULES, values: OwnWorkflowValues): string | number {
  const { title, otherwise } = RULES[name];
  const value = values[name] ?? otherwise;
  if (value !== undefined) return value;
  throw failed(
    `Your ComfyUI workflow has the placeholder %${title}%, and the order has no ${title}. Give one, or take the placeholder out.`,
  );
}

function placeOf(id: string, field: string): string {
  return `${id}\n${field}`;
}
