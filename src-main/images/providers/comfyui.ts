import type { ImageServerInfo } from '#contract/images.ts';
import { failed } from '../image-errors.ts';
import type { ImageHttp } from '../image-http.ts';
import { type ImageJob, watchJob } from '../image-job.ts';
import type { ImageOrder, ImageProvider, ImageWatch, MadeImage } from '../types.ts';
import { type JobImages, type SavedImage, shortList } from './comfyui-answers.ts';
import { ComfyuiJob } from './comfyui-job.ts';
import { fillOwnWorkflow, type OwnWorkflow } from './comfyui-own-workflow.ts';
import { ComfyuiServer } from './comfyui-server.ts';
import {
  createWorkflow,
  editWorkflow,
  inpaintWorkflow,
  type UploadedImages,
  upscaleWorkflow,
  type Workflow,
} from './comfyui-workflows.ts';

export interface ComfyuiOptions {
  /** Used in place of the app's own for `create`, and for `edit` and `inpaint` where it takes what those need. */
  readonly ownWorkflow?: OwnWorkflow;
}

/** Pictures by ComfyUI, by its HTTP API and its web socket. */
export function comfyui(http: ImageHttp, { ownWorkflow }: ComfyuiOptions = {}): ImageProvider {
  return new Comfyui(http, ownWorkflow ?? null);
}

/** What is to be done for an order. */
interface Plan {
  readonly model: string | null;
  /** The workflow whose first picture has this seed. */
  readonly workflow: (seed: number) => Workflow;
  readonly hasSeed: boolean;
}

class Comfyui implements ImageProvider {
  readonly kind = 'comfyui';
  readonly #http: ImageHttp;
  readonly #server: ComfyuiServer;
  readonly #own: OwnWorkflow | null;

  constructor(http: ImageHttp, own: OwnWorkflow | null) {
    this.#http = http;
    this.#server = new ComfyuiServer(http);
    this.#own = own;
  }

  async inspect(signal: AbortSignal): Promise<ImageServerInfo> {
    await this.#server.requireComfyui(signal);
    const models = await this.#server.models('checkpoints', signal);
    const hasModel = models.length > 0;
    const takes = this.#own?.takes;
    return {
      models,
      can: {
        edit: hasModel || takes?.has('image') === true,
        inpaint: hasModel || this.#ownFor('inpaint') !== null,
        upscale: true,
        negativePrompt: takes?.has('negativePrompt') ?? true,
        seed: takes?.has('seed') ?? true,
        steps: takes?.has('steps') ?? true,
      },
    };
  }

  async make(order: ImageOrder, watch: ImageWatch): Promise<readonly MadeImage[]> {
    let current: ComfyuiJob | null = null;
    const start = (workflow: Workflow): ComfyuiJob => {
      current = new ComfyuiJob(this.#http, workflow);
      return current;
    };
    return await watchJob(this.#http, watch, {
      work: (job) => this.#work(order, { job, start }),
      cancel: async (signal) => current?.cancel(signal),
    });
  }

  async #work(
    order: ImageOrder,
    { job, start }: { job: ImageJob; start: (workflow: Workflow) => ComfyuiJob },
  ): Promise<readonly MadeImage[]> {
    const { model, workflow, hasSeed } = await this.#plan(order, job.signal);
    const made: MadeImage[] = [];
    while (made.length < order.count) {
      const seed = order.seed + made.length;
      const next = workflow(seed);
      const images = await start(next).run(job);
      const chosen = chosenImages(images, next.outputs);
      if (chosen.length === 0) throw this.#withoutPicture(next.outputs === null);
      for (const { image, after } of chosen.slice(0, order.count - made.length)) {
        const bytes = await this.#server.view(image, job.signal);
        made.push({ bytes, seed: hasSeed && after !== null ? seed + after : null, model });
      }
      // Without a new seed it would be the same picture again.
      if (next.outputs !== null || !hasSeed) break;
    }
    return made;
  }

  async #plan(order: ImageOrder, signal: AbortSignal): Promise<Plan> {
    const own = this.#ownFor(order.operation);
    if (own !== null) return await this.#planOwn(order, own, signal);
    if (order.operation === 'upscale') {
      const upscalers = await this.#server.models('upscale_models', signal);
      // The order may name a checkpoint: what is set for all pictures.
      const named = upscalers.find((name) => name === order.model);
      const model = named ?? upscalers[0] ?? null;
      const uploaded = await this.#upload(order, signal);
      return {
        model,
        workflow: () => upscaleWorkflow({ ...order, count: 1 }, model, uploaded),
        hasSeed: false,
      };
    }
    const model = await this.#checkpoint(order, signal);
    if (order.operation === 'create') {
      return { model, workflow: () => createWorkflow(order, model), hasSeed: true };
    }
    const uploaded = await this.#upload(order, signal);
    if (order.operation === 'edit') {
      return { model, workflow: () => editWorkflow(order, model, uploaded), hasSeed: true };
    }
    // One of the extra nodes that come with ComfyUI: there unless their file failed to load.
    const canComposite = await this.#server.hasNode('ImageCompositeMasked', signal);
    const files = { ...uploaded, canComposite };
    return { model, workflow: () => inpaintWorkflow(order, model, files), hasSeed: true };
  }

  /** The user's workflow where it can do this. */
  #ownFor(operation: ImageOrder['operation']): OwnWorkflow | null {
    const takes = this.#own?.takes;
    if (takes === undefined || operation === 'upscale') return null;
    if (operation === 'create') return this.#own;
    const takesMask = operation === 'edit' || takes.has('mask');
    return takes.has('image') && takesMask ? this.#own : null;
  }

  async #planOwn(order: ImageOrder, own: OwnWorkflow, signal: AbortSignal): Promise<Plan> {
    const { prompt, negativePrompt, width, height, steps, guidance, strength } = order;
    const takesModel = own.takes.has('model');
    const files = order.image === null ? null : await this.#upload(order, signal);
    const clearMask = order.clearMask && (await this.#server.upload(order.clearMask, signal));
    const values = {
      ...{ prompt, negativePrompt, width, height, steps, guidance, strength },
      ...{ model: order.model, image: files?.image ?? null, mask: files?.mask ?? null, clearMask },
    };
    return {
      model: takesModel ? order.model : null,
      workflow: (seed) => {
        const graph = fillOwnWorkflow(own, { ...values, seed });
        return { graph, outputs: null, sampling: null };
      },
      hasSeed: own.takes.has('seed'),
    };
  }

  /** The checkpoint of an order. Throws `IMAGE_FAILED` where there is none. */
  async #checkpoint({ model }: ImageOrder, signal: AbortSignal): Promise<string> {
    const names = await this.#server.models('checkpoints', signal);
    const { label } = this.#http;
    const [first] = names;
    if (first === undefined) {
      throw failed(
        `${label} has no model. Put a checkpoint into ${label}'s folder models/checkpoints.`,
      );
    }
    if (model === null) return first;
    if (names.includes(model)) return model;
    throw failed(`${label} has no model "${model}". It has: ${shortList(names)}.`);
  }

  #withoutPicture(isOwn: boolean): Error {
    const hint = isOwn
      ? 'Check that your workflow ends in a node "Save Image".'
      : 'Its own window and log say more.';
    return failed(`${this.#http.label} finished without a picture. ${hint}`);
  }

  async #upload({ image, mask }: ImageOrder, signal: AbortSignal): Promise<UploadedImages> {
    if (image === null) throw new Error('The order has no image');
    return {
      image: await this.#server.upload(image, signal),
      mask: mask && (await this.#server.upload(mask, signal)),
    };
  }
}

/** The pictures of a job, each with how far its seed is after that of the job; null for those that have none of their own. */
function chosenImages(
  images: JobImages,
  outputs: Workflow['outputs'],
): { readonly image: SavedImage; readonly after: number | null }[] {
  if (outputs !== null) {
    return outputs.flatMap((id, after) => {
      const [image] = images.get(id) ?? [];
      return image === undefined ? [] : [{ image, after }];
    });
  }
  // What a workflow of the user's saves, or else what it previews. They come from one seed, which gives the first again.
  const all = [...images.values()].flat();
  const saved = all.filter(({ type }) => type === 'output');
  return (saved.length > 0 ? saved : all).map((image, index) => ({
    image,
    after: index === 0 ? 0 : null,
  }));
}
