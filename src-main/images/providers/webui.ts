import type { ImageServerInfo } from '#contract/images.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { failed } from '../image-errors.ts';
import type { ImageHttp } from '../image-http.ts';
import { watchJob } from '../image-job.ts';
import type { ImageOrder, ImageProvider, ImageWatch, MadeImage } from '../types.ts';
import { modelNames, oddAnswer, orUnavailable, plainName, unknownModel } from './read-answers.ts';
import {
  ask,
  Enlarged,
  Models,
  Options,
  readDrawn,
  readPicture,
  Upscalers,
} from './webui-answers.ts';
import { lookAtServer, type WebuiCall, WebuiRequest } from './webui-request.ts';

const EDIT_STRENGTH = 0.6;
const INPAINT_STRENGTH = 0.75;
/** Pixels over which the edge of a mask fades. */
const MASK_BLUR = 4;
/** Repaints from what was there. */
const FILL_ORIGINAL = 1;

/** A request for pictures, and how its answer is read. */
interface ImageRequest extends WebuiCall {
  readonly read: (value: unknown, request: WebuiRequest) => Promise<readonly MadeImage[]>;
}

/** AUTOMATIC1111's webui, and Forge, which has the same API. */
export function webui(http: ImageHttp): ImageProvider {
  return {
    kind: 'webui',
    inspect: (signal) => orUnavailable(inspect(http, signal)),
    make: async (order, watch) => await make(http, order, watch),
  };
}

async function inspect(http: ImageHttp, signal: AbortSignal): Promise<ImageServerInfo> {
  // Before the lists: sd-server answers those too, but has no progress.
  await lookAtServer(http, signal);
  const [models, options, upscalers] = await Promise.all([
    ask(http, Models, { path: 'sd-models', signal }),
    ask(http, Options, { path: 'options', signal }),
    ask(http, Upscalers, { path: 'upscalers', signal }),
  ]);
  const titles = models.map(({ title }) => title);
  const loaded = titles.filter((title) => title === options.sd_model_checkpoint);
  return {
    models: modelNames([...loaded, ...titles]),
    can: {
      edit: true,
      inpaint: true,
      upscale: bestUpscaler(upscalers) !== null,
      negativePrompt: true,
      seed: true,
      steps: true,
    },
  };
}

async function make(
  http: ImageHttp,
  order: ImageOrder,
  watch: ImageWatch,
): Promise<readonly MadeImage[]> {
  const { signal } = watch;
  const { path, json, read } =
    order.operation === 'upscale'
      ? await upscaleOf(http, order, signal)
      : await drawingOf(http, order, signal);
  const { state } = await lookAtServer(http, signal);
  const request = new WebuiRequest(http, state);
  return await watchJob(http, watch, {
    work: async (job) => {
      const value = await request.send({ path, json }, job);
      const images = await read(value, request);
      // After an interrupt the answer is a half-done picture, and looks like any other.
      job.signal.throwIfAborted();
      return images;
    },
    cancel: (limit) => request.cancel(limit),
  });
}

async function drawingOf(
  http: ImageHttp,
  order: ImageOrder,
  signal: AbortSignal,
): Promise<ImageRequest> {
  const { operation, prompt, negativePrompt, width, height, seed, steps, guidance } = order;
  const { image, mask, model } = order;
  const title = model === null ? null : await titleOf(http, model, signal);
  const json = {
    ...{ prompt, negative_prompt: negativePrompt, width, height, seed },
    // One after the other: all at once need that many times the memory.
    ...{ n_iter: order.count, batch_size: 1 },
    ...(steps === null ? {} : { steps }),
    ...(guidance === null ? {} : { cfg_scale: guidance }),
    ...(title === null ? {} : { override_settings: { sd_model_checkpoint: title } }),
    ...{ send_images: true, save_images: false },
  };
  const strength = order.strength ?? (operation === 'edit' ? EDIT_STRENGTH : INPAINT_STRENGTH);
  const change = {
    ...(image === null ? {} : { init_images: [base64(image)], denoising_strength: strength }),
    ...(mask === null
      ? {}
      : {
          ...{ mask: base64(mask), mask_blur: MASK_BLUR, inpainting_fill: FILL_ORIGINAL },
          inpaint_full_res: false,
        }),
  };
  return {
    path: image === null ? 'txt2img' : 'img2img',
    json: { ...json, ...change },
    read: async (value, request) => {
      const { images, jobTimestamp } = readDrawn(http, order, value);
      if (jobTimestamp !== null && (await request.wasStopped(jobTimestamp, signal))) {
        throw failed(
          `The picture was stopped at ${http.label}, in its own window or by another program. Order it again.`,
        );
      }
      return images;
    },
  };
}

async function upscaleOf(
  http: ImageHttp,
  { image, scale }: ImageOrder,
  signal: AbortSignal,
): Promise<ImageRequest> {
  const upscaler = bestUpscaler(await ask(http, Upscalers, { path: 'upscalers', signal }));
  if (upscaler === null || image === null) {
    throw failed(
      `${http.label} has no upscaler that this app can use. Add an ESRGAN model to its models/ESRGAN folder.`,
    );
  }
  const json = { image: base64(image), resize_mode: 0, upscaling_resize: scale };
  return {
    path: 'extra-single-image',
    json: { ...json, upscaler_1: upscaler },
    read: async (value) => {
      const found = safeParse(Enlarged, value);
      if (!found.success) throw oddAnswer(http, 'the order');
      const bytes = readPicture(http, found.data.image);
      return [{ bytes, seed: null, model: plainName(upscaler) }];
    },
  };
}

function bestUpscaler(upscalers: readonly { readonly name: string }[]): string | null {
  const names = upscalers.map(({ name }) => name);
  return (
    names.find((name) => /esrgan/i.test(name)) ?? names.find((name) => name === 'Lanczos') ?? null
  );
}

/** The title of a model by its title or name. The server ignores an unknown one, and draws with another. */
async function titleOf(http: ImageHttp, model: string, signal: AbortSignal): Promise<string> {
  const models = await ask(http, Models, { path: 'sd-models', signal });
  const found = models.find(({ title, model_name }) =>
    [title, title.replace(/ \[[^\]]*\]$/, ''), model_name ?? title].map(plainName).includes(model),
  );
  if (found !== undefined) return found.title;
  const names = modelNames(models.map(({ title }) => title));
  const todo = 'Choose one of these, or leave the model empty for the one that is loaded.';
  throw unknownModel(http, { model, names, todo });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
