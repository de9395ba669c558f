import { z } from 'zod';
import type { AppError } from '#contract/errors.ts';
import type { ImageServerInfo } from '#contract/images.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { failed, said, unavailable } from '../image-errors.ts';
import type { ImageHttp } from '../image-http.ts';
import { watchJob } from '../image-job.ts';
import type { ImageOrder, ImageProvider, MadeImage } from '../types.ts';
import { nearestShape, type PixelSize } from './nearest-size.ts';
import { fromBase64, orUnavailable, plainName } from './read-answers.ts';
import {
  drawEach,
  fullPrompt,
  LIST_BYTES,
  newestFirst,
  noSuchModel,
  oddSuccess,
  outsideJson,
  ownProblem,
  secondsIn,
  sentence,
  tooManyOrders,
  visible,
  wrongKey,
} from './service-answers.ts';

const DEFAULT_MODEL = 'gemini-nano-banana-2.1';
/** Seeds are 32-bit integers there. */
const SEEDS = 2 ** 31;

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'].map(shape);
/** Of some models besides. */
const LONG_RATIOS = ['1:4', '4:1', '1:8', '8:1'].map(shape);
/** Edge of a square picture, in pixels. */
const IMAGE_SIZES = [
  { imageSize: '1K', edge: 1_024 },
  { imageSize: '2K', edge: 2_048 },
] as const;
/** How many pixels of those that were wanted are enough. */
const ENOUGH = 0.75;

const Words = z.string().nullish().catch(null);
const Part = z.object({
  text: Words,
  /** A draft. */
  thought: z.boolean().nullish().catch(null),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).nullish(),
});
const Answer = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(Part).nullish() }).nullish(),
        finishReason: Words,
      }),
    )
    .nullish(),
  promptFeedback: z.object({ blockReason: Words }).nullish(),
  modelVersion: Words,
});
const ErrorFacts = z.object({
  message: Words,
  status: Words,
  details: z
    .array(z.object({ reason: Words, retryDelay: Words }).nullable().catch(null))
    .nullish()
    .catch(null),
});
type ErrorFacts = z.infer<typeof ErrorFacts>;
const ModelList = z.object({
  models: z.array(
    z
      .object({ name: z.string(), supportedGenerationMethods: z.array(z.string()) })
      .nullable()
      .catch(null),
  ),
});

/** The image models of Gemini. */
export function geminiImages(http: ImageHttp): ImageProvider {
  return {
    kind: 'gemini',
    inspect: (signal) => orUnavailable(inspect(http, signal)),
    make: async (order, watch) => {
      const { signal } = watch;
      if (order.operation === 'inpaint' || order.operation === 'upscale') {
        throw failed(
          order.operation === 'inpaint'
            ? `${http.label} takes no mask. Describe the change without one, or choose another server in the settings, under Pictures.`
            : `${http.label} cannot make a picture larger. Order a larger one, or choose another server in the settings, under Pictures.`,
        );
      }
      return await watchJob(http, watch, {
        work: (job) =>
          drawEach(order, { job, signal }, (index) =>
            draw(http, order, { index, signal: job.signal }),
          ),
        // The connection is closed by the job's signal; there is no other way to tell the service.
        cancel: async () => undefined,
      });
    },
  };
}

async function inspect(http: ImageHttp, signal: AbortSignal): Promise<ImageServerInfo> {
  return {
    models: [...(await listModels(http, signal))],
    can: {
      edit: true,
      inpaint: false,
      upscale: false,
      negativePrompt: false,
      // It takes one, and does not promise the same picture.
      seed: false,
      steps: false,
    },
  };
}

async function listModels(http: ImageHttp, signal: AbortSignal): Promise<readonly string[]> {
  const path = '/models?pageSize=1000';
  const { status, contentType, body } = await http.send({ path, signal, maxBytes: LIST_BYTES });
  const value = outsideJson(body.toString('utf8'));
  if (status !== 200) throw refusal(http, status, errorIn(value));
  const found = safeParse(ModelList, value);
  if (!found.success) throw oddSuccess(http, contentType);
  const names = found.data.models
    .filter((model) => model?.supportedGenerationMethods.includes('generateContent'))
    .map((model) => nameOf(model?.name ?? ''));
  return newestFirst(
    names.filter((name) => /image|nano-banana/.test(name)),
    DEFAULT_MODEL,
  );
}

async function draw(
  http: ImageHttp,
  order: ImageOrder,
  { index, signal }: { readonly index: number; readonly signal: AbortSignal },
): Promise<MadeImage> {
  const model = nameOf(order.model ?? DEFAULT_MODEL);
  const seed = (order.seed + index) % SEEDS;
  const { status, contentType, body } = await http.send({
    method: 'POST',
    path: `/models/${encodeURIComponent(model)}:generateContent`,
    json: requestOf(order, model, seed),
    ...{ signal, timeoutMs: null },
  });
  const value = outsideJson(body.toString('utf8'));
  if (status === 404) throw noSuchModel(http, model, await listModels(http, signal));
  if (status !== 200) throw refusal(http, status, errorIn(value));
  const found = safeParse(Answer, value);
  if (!found.success) throw oddSuccess(http, contentType);
  const { candidates, promptFeedback, modelVersion } = found.data;
  const [first] = candidates ?? [];
  const parts = (first?.content?.parts ?? []).filter(({ thought }) => thought !== true);
  const picture = parts.find(({ inlineData }) => inlineData?.mimeType.startsWith('image/'));
  if (picture?.inlineData == null) {
    const words = parts.map(({ text }) => text ?? '').join(' ');
    throw noPicture(http, promptFeedback?.blockReason ?? first?.finishReason ?? '', words);
  }
  const bytes = fromBase64(picture.inlineData.data);
  if (bytes === null) throw oddSuccess(http, contentType);
  return { bytes, seed, model: plainName(modelVersion ?? '') || model };
}

function requestOf(order: ImageOrder, model: string, seed: number): unknown {
  const { image } = order;
  const data = image === null ? null : Buffer.from(image).toString('base64');
  const picture = data === null ? [] : [{ inlineData: { mimeType: 'image/png', data } }];
  return {
    contents: [{ role: 'user', parts: [{ text: fullPrompt(order) }, ...picture] }],
    generationConfig: {
      ...{ responseModalities: ['TEXT', 'IMAGE'], imageConfig: imageConfig(order, model) },
      ...{ seed, candidateCount: 1 },
    },
  };
}

/** What the model is given of the wanted size: it has a list of shapes, and three numbers of pixels. */
export function imageConfig(
  { width, height }: PixelSize,
  model: string,
): { readonly aspectRatio: string; readonly imageSize?: string } {
  const isLong = /nano-banana|3\.1-flash-image/.test(model);
  const shapes = isLong ? [...RATIOS, ...LONG_RATIOS] : RATIOS;
  const { aspectRatio } = nearestShape({ width, height }, shapes);
  // These have one size, and refuse the field.
  if (/^gemini-2\./.test(model)) return { aspectRatio };
  const enough = width * height * ENOUGH;
  const found = IMAGE_SIZES.find(({ edge }) => edge * edge >= enough);
  return { aspectRatio, imageSize: found?.imageSize ?? '4K' };
}

function shape(aspectRatio: string): PixelSize & { readonly aspectRatio: string } {
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number);
  return { aspectRatio, width, height };
}

function nameOf(name: string): string {
  return name.replace(/^models\//, '');
}

/** The error for a success without a picture: most refusals are one. */
function noPicture({ label }: ImageHttp, reason: string, words: string): AppError {
  if (/SAFETY|PROHIBITED|BLOCKLIST|SPII/.test(reason)) {
    return failed(`${label} refused the description for safety reasons. Change it.`);
  }
  if (/RECITATION/.test(reason)) {
    return failed(
      `${label} withheld the picture, because it is too similar to a known work. Describe something of your own.`,
    );
  }
  const text = said(visible(words));
  if (text !== '') {
    return failed(
      `${label} answered in words instead of a picture: "${text}" Say in the description what the picture shows.`,
    );
  }
  const why = /^[A-Z_]{1,60}$/.test(reason) && reason !== 'STOP' ? ` (${reason})` : '';
  return failed(
    `${label} made no picture of this description${why}. Say more plainly what the picture shows.`,
  );
}

function errorIn(value: unknown): ErrorFacts {
  const found = safeParse(z.object({ error: ErrorFacts }), value);
  return found.success ? found.data.error : {};
}

function refusal(http: ImageHttp, status: number, error: ErrorFacts): AppError {
  const { label } = http;
  const message = visible(error.message);
  const details = error.details ?? [];
  if (status === 401 || details.some((detail) => detail?.reason === 'API_KEY_INVALID')) {
    return wrongKey(http);
  }
  if (status === 403) {
    return unavailable(
      `${label} does not accept the key: ${sentence(message)} Enter another in the settings, under Models.`,
    );
  }
  if (status === 429) {
    // The free tier has no pictures at all: waiting does not help.
    if (/\blimit: 0\b/.test(message)) {
      return failed(
        `The key of ${label} allows no pictures with this model without payment. Set up billing for it at aistudio.google.com, or choose another model in the settings, under Pictures.`,
      );
    }
    const delay = details.find((detail) => detail?.retryDelay != null)?.retryDelay;
    return tooManyOrders(http, secondsIn(delay == null ? message : `in ${delay}`));
  }
  if (status >= 500) return ownProblem(http, status);
  return http.refused('the request', status, message);
}
