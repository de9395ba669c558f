import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { ImageServerInfo } from '#contract/images.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { delay, raceAbort } from '../../base/abort.ts';
import { failed, said, unavailable } from '../image-errors.ts';
import type { ImageHttp } from '../image-http.ts';
import { type ImageJob, watchJob } from '../image-job.ts';
import type { ImageOrder, ImageProgress, ImageProvider, MadeImage } from '../types.ts';
import {
  fromBase64,
  modelNames,
  oddAnswer,
  orUnavailable,
  plainName,
  unknownModel,
} from './read-answers.ts';

const API = '/sdcpp/v1';
const CAPABILITIES = `${API}/capabilities`;
/** Of an answer without pictures. */
const LIST_BYTES = 4 * 1024 * 1024;
const EDIT_STRENGTH = 0.6;
const INPAINT_STRENGTH = 0.75;
/** Of a connection to a process that has ended. */
const GONE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
const SMALLER =
  'Make the picture smaller, or close other programs that use the graphics card. Its log says more.';

const Capabilities = z.object({
  /** The file that it was started with. */
  model: z.object({ name: z.string(), stem: z.string().nullish() }),
  supported_modes: z.array(z.string()),
  features: z
    .object({ init_image: z.boolean().nullish(), mask_image: z.boolean().nullish() })
    .nullish(),
});
type Capabilities = z.infer<typeof Capabilities>;

/** The id becomes a part of a path; the address that the answer names is not used. */
const Started = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/) });

const Picture = z.object({ index: z.int().min(0).max(63).nullish(), b64_json: z.string() });
const Job = z.object({
  status: z.enum(['queued', 'generating', 'completed', 'failed', 'cancelled']),
  queue_position: z.int().nonnegative().nullish(),
  result: z.object({ images: z.array(Picture).max(64) }).nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
});
type Job = z.infer<typeof Job>;
type Pictures = readonly z.infer<typeof Picture>[];

const Refusal = z.object({ error: z.string(), message: z.string().nullish() });

/** The server of stable-diffusion.cpp, by its own API. It has the one model that it was started with. */
export function sdServer(http: ImageHttp): ImageProvider {
  return {
    kind: 'sd-server',
    inspect: (signal) => orUnavailable(inspect(http, signal)),
    make: async (order, watch) => {
      if (order.operation === 'upscale') {
        // Its second pass ("hires") draws a picture again; it cannot only enlarge one.
        throw failed(
          `${http.label} cannot make a picture larger. Use ComfyUI, AUTOMATIC1111 or Forge for that, or order a larger picture.`,
        );
      }
      const { model } = await readCapabilities(http, watch.signal);
      requireModel(http, order, model);
      const pictures = await watchJob(http, watch, jobOf(http, bodyOf(order)));
      return pictures.map((picture, at): MadeImage => {
        const bytes = fromBase64(picture.b64_json);
        if (bytes === null) throw oddAnswer(http, 'the order');
        const seed = order.seed + (picture.index ?? at);
        return { bytes, seed, model: plainName(model.name) || null };
      });
    },
  };
}

async function inspect(http: ImageHttp, signal: AbortSignal): Promise<ImageServerInfo> {
  const { model, supported_modes, features } = await readCapabilities(http, signal);
  if (!supported_modes.includes('img_gen')) {
    throw unavailable(
      `${http.label} has loaded ${plainName(model.name) || 'a model'}, which makes no pictures. Start it with another model: sd-server -m MODEL.`,
    );
  }
  return {
    models: modelNames([model.name]),
    can: {
      edit: features?.init_image !== false,
      inpaint: features?.init_image !== false && features?.mask_image !== false,
      upscale: false,
      negativePrompt: true,
      seed: true,
      steps: true,
    },
  };
}

async function readCapabilities(http: ImageHttp, signal: AbortSignal): Promise<Capabilities> {
  const { status, value } = await http.json({ path: CAPABILITIES, signal, maxBytes: LIST_BYTES });
  const found = safeParse(Capabilities, value);
  if (status === 200 && found.success) return found.data;
  // LM Studio uses the same port, and answers 200 to what it does not know.
  throw unavailable(
    `Something else than ${http.label} answers at its address, such as LM Studio. Start sd-server on another port (--listen-port), and correct its address in the settings.`,
  );
}

function requireModel(
  http: ImageHttp,
  { model: ordered }: ImageOrder,
  { name, stem }: Capabilities['model'],
): void {
  const names = modelNames([name, stem ?? '']);
  if (ordered === null || names.length === 0 || names.includes(ordered)) return;
  const todo = 'Start it again with the other model, or leave the model empty.';
  throw unknownModel(http, { model: ordered, names: names.slice(0, 1), todo });
}

function bodyOf(order: ImageOrder): unknown {
  const { operation, prompt, negativePrompt, width, height, count, seed, image, mask } = order;
  const strength = order.strength ?? (operation === 'edit' ? EDIT_STRENGTH : INPAINT_STRENGTH);
  return {
    ...{ prompt, negative_prompt: negativePrompt, width, height, batch_count: count, seed },
    sample_params: {
      ...(order.steps === null ? {} : { sample_steps: order.steps }),
      ...(order.guidance === null ? {} : { guidance: { txt_cfg: order.guidance } }),
    },
    ...(image === null ? {} : { init_image: Buffer.from(image).toString('base64'), strength }),
    ...(mask === null ? {} : { mask_image: Buffer.from(mask).toString('base64') }),
    output_format: 'png',
  };
}

/** The work on an order. The server cancels only what is pending; it hears of the end of an order in any case. */
function jobOf(http: ImageHttp, body: unknown): Parameters<typeof watchJob<Pictures>>[2] {
  // Not the signal of the order: a job whose id never arrived could not be cancelled.
  const starting = new AbortController();
  let started: Promise<string> | null = null;
  return {
    work: async (job) => {
      started = start(http, body, starting.signal);
      return await follow(http, await started, job);
    },
    cancel: async (signal) => {
      if (started === null) return;
      try {
        const id = await raceAbort(started, signal);
        // 409 while it draws: it finishes that by itself, and nobody fetches it.
        await http.send({ method: 'POST', path: `${API}/jobs/${id}/cancel`, signal });
      } finally {
        starting.abort();
      }
    },
  };
}

async function start(http: ImageHttp, json: unknown, signal: AbortSignal): Promise<string> {
  const path = `${API}/img_gen`;
  const call = { method: 'POST', path, json, signal, maxBytes: LIST_BYTES } as const;
  const { status, value } = await http.json(call);
  if (status === 429) {
    throw failed(`${http.label} has too many orders already. Wait until it has finished some.`);
  }
  const refusal = safeParse(Refusal, value);
  if (status >= 400 && refusal.success) {
    const { error, message } = refusal.data;
    throw http.refused('the order', status, message == null ? error : `${error}: ${message}`);
  }
  const found = safeParse(Started, value);
  if (!found.success) throw oddAnswer(http, 'the order');
  return found.data.id;
}

/** Asks after a job until it is over. */
async function follow(http: ImageHttp, id: string, job: ImageJob): Promise<Pictures> {
  for (;;) {
    const found = await readJob(http, id, job.signal);
    switch (found.status) {
      case 'queued':
      case 'generating':
        job.progress(progressOf(found));
        break;
      case 'completed':
        return found.result?.images ?? [];
      case 'failed':
        throw failed(
          `${http.label} could not make the picture: ${said(found.error?.message ?? 'it does not say why')}. Most often the memory was too small. ${SMALLER}`,
        );
      case 'cancelled':
        throw failed(`Another program cancelled the order at ${http.label}. Order it again.`);
    }
    await delay(http.limits.pollMs, job.signal);
  }
}

async function readJob(http: ImageHttp, id: string, signal: AbortSignal): Promise<Job> {
  // Without a limit besides the one for stalled orders: a computer that draws with its processor answers late.
  const call = { path: `${API}/jobs/${id}`, signal, timeoutMs: null };
  const { status, value } = await http.json(call).catch((error: unknown) => {
    if (!hasBrokenOff(error)) throw error;
    const what = `${http.label} stopped in the middle of the order, perhaps for lack of memory.`;
    throw failed(`${what} Start it again. ${SMALLER}`, error);
  });
  if (status === 404 || status === 410) {
    throw failed(
      `${http.label} does not know the order any more: it was started again in the middle. Order the picture again.`,
    );
  }
  const found = safeParse(Job, value);
  if (status !== 200 || !found.success) throw oddAnswer(http, 'the question after the order');
  return found.data;
}

/** Whether the server is gone: it ends where memory is short. */
function hasBrokenOff(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : null;
  return cause instanceof Error && 'code' in cause && GONE.has(String(cause.code));
}

function progressOf({ status, queue_position }: Job): ImageProgress {
  // The position counts from 1, and one more is being drawn.
  const queue = status === 'queued' ? (queue_position ?? null) : 0;
  return { queue, step: null, steps: null, preview: null };
}
