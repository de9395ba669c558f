import { sizeOfPng } from '../../pictures/label-picture.ts';
import type { ImageOrder } from '../types.ts';

export interface ComfyuiNode {
  readonly class_type: string;
  /** Plain values, and links to outputs of other nodes: `[id, slot]`. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What ComfyUI is to do, in its API format: nodes by their ids. */
export type ComfyuiGraph = Readonly<Record<string, ComfyuiNode>>;

export interface Workflow {
  readonly graph: ComfyuiGraph;
  /** The nodes that give the pictures, one each, in the order of the pictures; null for whichever there are. */
  readonly outputs: readonly string[] | null;
  /** What progress is counted by; null counts the steps of whichever node runs. */
  readonly sampling: Sampling | null;
}

export interface Sampling {
  readonly nodes: readonly string[];
  /** Of each of these nodes. */
  readonly steps: number;
}

/** How the server names files that were uploaded to it. */
export interface UploadedImages {
  readonly image: string;
  readonly mask: string | null;
}

type Link = readonly [node: string, slot: number];

/** How much of a picture an edit changes if the order does not say. */
export const EDIT_STRENGTH = 0.6;

interface SamplingStyle {
  readonly steps: number;
  readonly cfg: number;
  readonly sampler: string;
  readonly scheduler: string;
}

const USUAL_STYLE: SamplingStyle = { steps: 20, cfg: 7, sampler: 'euler', scheduler: 'normal' };
/** Models that were trained for other values; the first whose name fits. */
const STYLES: readonly (readonly [name: RegExp, style: SamplingStyle])[] = [
  // Flux has guidance built in: a cfg over 1 takes twice the time and burns colours. Schnell needs 4 steps; 8 do no harm.
  [/schnell/i, { steps: 8, cfg: 1, sampler: 'euler', scheduler: 'simple' }],
  [/flux/i, { steps: 20, cfg: 1, sampler: 'euler', scheduler: 'simple' }],
  // Distilled to 4 to 8 steps at a cfg of 1 to 2: 20 steps at 7 give hard, overexposed pictures.
  [/lcm/i, { steps: 8, cfg: 1.5, sampler: 'lcm', scheduler: 'sgm_uniform' }],
  [/turbo|lightning/i, { steps: 8, cfg: 1.5, sampler: 'euler', scheduler: 'sgm_uniform' }],
];

/** Pictures from words. */
export function createWorkflow(order: ImageOrder, checkpoint: string): Workflow {
  const graph = new GraphBuilder();
  const { width, height } = order;
  const latent = graph.add('EmptyLatentImage', { width, height, batch_size: 1 });
  return drawPictures(graph, order, { checkpoint, latent: () => [latent, 0], denoise: 1 });
}

/** All of the picture changes, as much as `strength` says. */
export function editWorkflow(
  order: ImageOrder,
  checkpoint: string,
  { image }: UploadedImages,
): Workflow {
  const graph = new GraphBuilder();
  const pixels = scaled(graph, order, { image: loaded(graph, image), crop: 'center' });
  return drawPictures(graph, order, {
    checkpoint,
    latent: (vae) => [graph.add('VAEEncode', { pixels, vae }), 0],
    denoise: order.strength ?? EDIT_STRENGTH,
  });
}

/**
 * What is white in the mask changes. The rest stays exactly as it is, and so does the size of the picture, if the server
 * can put pictures together.
 */
export function inpaintWorkflow(
  order: ImageOrder,
  checkpoint: string,
  files: UploadedImages & { readonly canComposite: boolean },
): Workflow {
  const graph = new GraphBuilder();
  const original = loaded(graph, files.image);
  const mask: Link = [graph.add('LoadImageMask', { image: files.mask, channel: 'red' }), 0];
  const pixels = scaled(graph, order, { image: original, crop: 'disabled' });
  const { strength } = order;
  const isPartial = strength !== null && strength < 1;
  return drawPictures(graph, order, {
    checkpoint,
    // VAEEncodeForInpaint removes what was there, so it fits only where everything is drawn again.
    latent: (vae) => {
      if (!isPartial) {
        return [graph.add('VAEEncodeForInpaint', { pixels, vae, mask, grow_mask_by: 6 }), 0];
      }
      const samples: Link = [graph.add('VAEEncode', { pixels, vae }), 0];
      return [graph.add('SetLatentNoiseMask', { samples, mask }), 0];
    },
    denoise: isPartial ? strength : 1,
    // The way through the VAE changes every pixel, and the mask was grown.
    finish: (source) => {
      if (!files.canComposite) return source;
      const resize_source = pixels !== original;
      const parts = { destination: original, source, mask, x: 0, y: 0, resize_source };
      return [graph.add('ImageCompositeMasked', parts), 0];
    },
  });
}

/** The picture `scale` times larger, by a model for that if there is one. Nothing is drawn: there is no seed. */
export function upscaleWorkflow(
  order: ImageOrder,
  upscaler: string | null,
  { image }: UploadedImages,
): Workflow {
  const graph = new GraphBuilder();
  const { width, height } = sizeOf(order);
  let picture = loaded(graph, image);
  if (upscaler !== null) {
    const model: Link = [graph.add('UpscaleModelLoader', { model_name: upscaler }), 0];
    picture = [graph.add('ImageUpscaleWithModel', { upscale_model: model, image: picture }), 0];
  }
  // A model enlarges by a factor of its own, which only the server knows: hence to a size, not by a factor.
  const large = graph.add('ImageScale', {
    ...{ image: picture, upscale_method: 'lanczos', crop: 'disabled' },
    width: Math.round(width * order.scale),
    height: Math.round(height * order.scale),
  });
  return { graph: graph.nodes, outputs: [shown(graph, [large, 0])], sampling: null };
}

class GraphBuilder {
  readonly nodes: Record<string, ComfyuiNode> = {};
  #count = 0;

  /** The id of the new node. */
  add(class_type: string, inputs: ComfyuiNode['inputs']): string {
    this.#count += 1;
    const id = String(this.#count);
    this.nodes[id] = { class_type, inputs };
    return id;
  }
}

/**
 * One sampler for each picture, in one job. A batch would be faster, but all its pictures come from one seed, and none
 * but the first could be made again alone.
 */
function drawPictures(
  graph: GraphBuilder,
  order: ImageOrder,
  parts: {
    readonly checkpoint: string;
    readonly latent: (vae: Link) => Link;
    readonly denoise: number;
    readonly finish?: (picture: Link) => Link;
  },
): Workflow {
  const { checkpoint, denoise, finish = (picture) => picture } = parts;
  const [, style] = STYLES.find(([name]) => name.test(checkpoint)) ?? [null, USUAL_STYLE];
  const steps = order.steps ?? style.steps;
  const loader = graph.add('CheckpointLoaderSimple', { ckpt_name: checkpoint });
  const clip: Link = [loader, 1];
  const vae: Link = [loader, 2];
  const words = (text: string): Link => [graph.add('CLIPTextEncode', { text, clip }), 0];
  const [positive, negative] = [words(order.prompt), words(order.negativePrompt)];
  const latent = parts.latent(vae);
  const made = Array.from({ length: order.count }, (_, index) => {
    const sampler = graph.add('KSampler', {
      ...{ model: [loader, 0], positive, negative, latent_image: latent },
      ...{ seed: order.seed + index, steps, cfg: order.guidance ?? style.cfg, denoise },
      ...{ sampler_name: style.sampler, scheduler: style.scheduler },
    });
    const picture: Link = [graph.add('VAEDecode', { samples: [sampler, 0], vae }), 0];
    return { sampler, output: shown(graph, finish(picture)) };
  });
  return {
    graph: graph.nodes,
    outputs: made.map(({ output }) => output),
    sampling: { nodes: made.map(({ sampler }) => sampler), steps },
  };
}

function loaded(graph: GraphBuilder, image: string): Link {
  return [graph.add('LoadImage', { image }), 0];
}

/** The picture in the size that was ordered, which the VAE needs to be a multiple of 8. */
function scaled(
  graph: GraphBuilder,
  order: ImageOrder,
  { image, crop }: { readonly image: Link; readonly crop: 'center' | 'disabled' },
): Link {
  const { width, height } = order;
  const size = sizeOf(order);
  if (size.width === width && size.height === height) return image;
  return [graph.add('ImageScale', { image, upscale_method: 'lanczos', width, height, crop }), 0];
}

/** PreviewImage and not SaveImage: the app keeps the picture, and ComfyUI clears its copy at its next start. */
function shown(graph: GraphBuilder, images: Link): string {
  return graph.add('PreviewImage', { images });
}

function sizeOf({ image, operation }: ImageOrder): { width: number; height: number } {
  if (image === null) throw new Error(`An order to ${operation} has no image`);
  return sizeOfPng(image);
}
