import { z } from 'zod';
import type { AppError } from '#contract/errors.ts';
import type { ImageServerInfo } from '#contract/images.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { LineDecoder } from '../../models/transport/line-decoder.ts';
import { type ServerSentEvent, SseDecoder } from '../../models/transport/sse-decoder.ts';
import { TransportFailure } from '../../models/transport/transport-failure.ts';
import { failed, unavailable } from '../image-errors.ts';
import type { ImageCall, ImageHttp } from '../image-http.ts';
import { type ImageJob, watchJob } from '../image-job.ts';
import type { ImageOrder, ImageProvider } from '../types.ts';
import { nearestShape, nearestSize, type PixelSize } from './nearest-size.ts';
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

const DEFAULT_MODEL = 'gpt-image-2.5-flare';
/** Unfinished pictures that are asked for. */
const PREVIEWS = 2;
/** Of an error. */
const ERROR_BYTES = 64 * 1024;
/** Reasons of a refusal that are named. */
const NAMED_REASONS = 5;

/** Of models before `gpt-image-2`. */
const OLD_SIZES: readonly PixelSize[] = [
  { width: 1_024, height: 1_024 },
  { width: 1_536, height: 1_024 },
  { width: 1_024, height: 1_536 },
];
/** Of `gpt-image-2` and later. */
const GRID = 16;
const LONGEST_EDGE = 3_840;
const FLATTEST = 3;
const PIXELS = { least: 655_360, most: 8_294_400 } as const;

const Words = z.string().nullish().catch(null);
const ErrorFacts = z.object({
  message: Words,
  type: Words,
  code: Words,
  param: Words,
  moderation_details: z
    .object({ moderation_stage: Words, categories: z.array(z.string()).nullish().catch(null) })
    .nullish()
    .catch(null),
});
type ErrorFacts = z.infer<typeof ErrorFacts>;

const StreamEvent = z.object({ type: Words, b64_json: Words, error: z.unknown().optional() });
const ModelList = z.object({ data: z.array(z.object({ id: z.string() }).nullable().catch(null)) });

/** The image models of OpenAI. */
export function openAiImages(http: ImageHttp): ImageProvider {
  return {
    kind: 'openai',
    inspect: (signal) => orUnavailable(inspect(http, signal)),
    make: async (order, watch) => {
      const { signal } = watch;
      if (order.operation === 'upscale') {
        throw failed(
          `${http.label} cannot make a picture larger. Order a larger one, or choose another server in the settings, under Pictures.`,
        );
      }
      const model = order.model ?? DEFAULT_MODEL;
      return await watchJob(http, watch, {
        work: (job) =>
          drawEach(order, { job, signal }, async () => {
            const bytes = await draw(http, { order, model, job });
            // It draws with the model that it is sent, or refuses.
            return { bytes, seed: null, model };
          }),
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
      inpaint: true,
      upscale: false,
      negativePrompt: false,
      seed: false,
      steps: false,
    },
  };
}

async function listModels(http: ImageHttp, signal: AbortSignal): Promise<readonly string[]> {
  const answer = await http.send({ path: '/models', signal, maxBytes: LIST_BYTES });
  const { status, contentType, body } = answer;
  const value = outsideJson(body.toString('utf8'));
  if (status !== 200) throw refusal(http, status, errorIn(value));
  const found = safeParse(ModelList, value);
  if (!found.success) throw oddSuccess(http, contentType);
  const names = found.data.data.flatMap((model) => model?.id ?? []);
  return newestFirst(
    names.filter((name) => name.includes('gpt-image')),
    DEFAULT_MODEL,
  );
}

/** One picture. Its unfinished states are reported while it is drawn. */
async function draw(
  http: ImageHttp,
  parts: { readonly order: ImageOrder; readonly model: string; readonly job: ImageJob },
): Promise<Uint8Array> {
  const { order, model, job } = parts;
  const { signal } = job;
  const request = requestOf(order, model);
  const call: ImageCall = { method: 'POST', ...request, signal, timeoutMs: null };
  return await http.stream(call, async ({ status, contentType, chunks }) => {
    if (status !== 200 || contentType !== 'text/event-stream') {
      // Read in any case, so that the connection ends.
      const error = errorIn(outsideJson(await beginningOf(chunks)));
      if (status === 200) throw oddSuccess(http, contentType);
      if (!isAboutModel(status, error)) throw refusal(http, status, error);
      throw noSuchModel(http, model, await listModels(http, signal));
    }
    for await (const { name, data } of eventsIn(http, chunks)) {
      const value = outsideJson(data);
      const found = safeParse(StreamEvent, value);
      if (!found.success) throw oddSuccess(http, contentType);
      const { type, b64_json, error } = found.data;
      const bytes = fromBase64(b64_json ?? '');
      const kind = type ?? name;
      if (kind === 'error' || error != null) throw refusal(http, null, errorIn(value));
      if (kind.endsWith('.completed')) {
        if (bytes === null) throw oddSuccess(http, contentType);
        return bytes;
      }
      if (kind.endsWith('.partial_image') && bytes !== null) {
        job.progress({ queue: null, step: null, steps: null, preview: bytes });
      }
    }
    throw failed(`${http.label} stopped in the middle of the picture. Order it again.`);
  });
}

function requestOf(order: ImageOrder, model: string): Pick<ImageCall, 'path' | 'json' | 'form'> {
  const { image, clearMask } = order;
  const { width, height } = allowedSize(order, model);
  const fields = {
    ...{ model, prompt: fullPrompt(order), size: `${width}x${height}`, output_format: 'png' },
    ...{ stream: true, partial_images: PREVIEWS },
  };
  if (image === null) return { path: '/images/generations', json: fields };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set('image[]', pngOf(image), 'image.png');
  if (clearMask !== null) form.set('mask', pngOf(clearMask), 'mask.png');
  return { path: '/images/edits', form };
}

function pngOf(bytes: Uint8Array): Blob {
  return new Blob([new Uint8Array(bytes)], { type: 'image/png' });
}

/** The size that this model can draw and that is nearest to the wanted one. */
export function allowedSize({ width, height }: PixelSize, model: string): PixelSize {
  const [, version = '0'] = /^gpt-image-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  if (Number(version) < 2) return nearestShape({ width, height }, OLD_SIZES);
  const pixels = width * height;
  // First in its shape: what has the right number of pixels may look quite different.
  const factor = Math.sqrt(Math.min(Math.max(pixels, PIXELS.least), PIXELS.most) / pixels);
  return nearestSize({ width: width * factor, height: height * factor }, freeSizes());
}

function* freeSizes(): Generator<PixelSize> {
  for (let width = GRID; width <= LONGEST_EDGE; width += GRID) {
    for (let height = GRID; height <= LONGEST_EDGE; height += GRID) {
      const pixels = width * height;
      const fits = pixels >= PIXELS.least && pixels <= PIXELS.most;
      if (fits && Math.max(width / height, height / width) <= FLATTEST) yield { width, height };
    }
  }
}

async function* eventsIn(
  http: ImageHttp,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<ServerSentEvent> {
  // One event holds a whole picture on one line.
  const lines = new LineDecoder(http.limits.answerBytes);
  const events = new SseDecoder();
  try {
    for await (const chunk of chunks) {
      for (const line of lines.push(chunk)) {
        const event = events.push(line);
        if (event !== null) yield event;
      }
    }
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    throw failed(`${http.label} sent invalid data: ${error.message}. Order it again.`, error);
  }
}

async function beginningOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    size += chunk.length;
    if (size > ERROR_BYTES) break;
  }
  return Buffer.concat(read).toString('utf8', 0, ERROR_BYTES);
}

function errorIn(value: unknown): ErrorFacts {
  const inner = safeParse(z.object({ error: ErrorFacts }), value);
  if (inner.success) return inner.data.error;
  const flat = safeParse(ErrorFacts, value);
  return flat.success ? flat.data : {};
}

function isAboutModel(status: number, { code, param }: ErrorFacts): boolean {
  // 403: it is there, and this account may not use it.
  if (status === 403) return false;
  return (
    status === 404 || code === 'model_not_found' || (code === 'invalid_value' && param === 'model')
  );
}

/** The error for a refusal; `status` is null inside a stream. */
function refusal(http: ImageHttp, status: number | null, error: ErrorFacts): AppError {
  const { label } = http;
  const message = visible(error.message);
  const codes = `${error.type ?? ''} ${error.code ?? ''}`;
  if (/moderation_blocked|content_policy/.test(codes) || /safety system/i.test(message)) {
    return unsafe(http, error);
  }
  if (/missing scopes|insufficient permissions/i.test(message)) {
    return unavailable(
      `The key of ${label} does not allow this: ${sentence(message)} Enter a key that may list models and make pictures in the settings, under Models.`,
    );
  }
  if (/organi[sz]ation must be verified/i.test(message)) {
    return failed(
      `${label} gives this model to verified organizations only. Verify yours at platform.openai.com under Settings, Organization, or choose another model in the settings, under Pictures.`,
    );
  }
  if (/insufficient_quota|billing/.test(codes)) {
    return failed(
      `The account at ${label} has no credit left, or has reached its limit. Add credit at platform.openai.com under Settings, Billing.`,
    );
  }
  if (status === 401 || /invalid_api_key/.test(codes)) return wrongKey(http);
  if (status === 429 || /rate_limit/.test(codes)) {
    return tooManyOrders(http, secondsIn(message));
  }
  if ((status ?? 0) >= 500 || /server_error/.test(codes)) return ownProblem(http, status);
  if (status === 403) {
    return failed(
      `${label} does not allow this: ${sentence(message)} Choose another model or server in the settings, under Pictures.`,
    );
  }
  if (status !== null) return http.refused('the request', status, message);
  const why = sentence(message) || 'it does not say why.';
  return failed(`${label} stopped in the middle of the picture: ${why} Order it again.`);
}

function unsafe({ label }: ImageHttp, { message, moderation_details }: ErrorFacts): AppError {
  const [, listed = ''] = /safety_violations=\[([^\]]{0,300})\]/.exec(message ?? '') ?? [];
  const reasons = (moderation_details?.categories ?? listed.split(','))
    .slice(0, NAMED_REASONS)
    .map((reason) => plainName(reason).slice(0, 40))
    .filter((reason) => reason !== '');
  const why = `for safety reasons${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`;
  return failed(
    moderation_details?.moderation_stage === 'output'
      ? `${label} withheld the finished picture ${why}. Change the description.`
      : `${label} refused the description ${why}. Change it.`,
  );
}
