import { z } from 'zod';
import type { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { failed, unavailable } from '../image-errors.ts';
import type { ImageHttp } from '../image-http.ts';
import type { ImageOrder, MadeImage } from '../types.ts';
import { fromBase64, oddAnswer, plainName } from './read-answers.ts';

export const API = '/sdapi/v1';
/** Of an answer without pictures: lists of models have some hundred bytes for each. */
const LIST_BYTES = 4 * 1024 * 1024;

const count = z.int();

/** The state of the process: of whatever job runs, of anyone. */
export const State = z.object({
  interrupted: z.boolean(),
  skipped: z.boolean(),
  job: z.string().nullish(),
  job_count: count,
  job_no: count,
  /** When the job began, to the second; of the last one where none runs. */
  job_timestamp: z.string().max(100),
  sampling_step: count,
  sampling_steps: count,
});
export type State = z.infer<typeof State>;
export const ProgressAnswer = z.object({ state: State, current_image: z.string().nullish() });

export const Models = z.array(
  z.object({ title: z.string(), model_name: z.string().nullish(), filename: z.string().nullish() }),
);
export const Upscalers = z.array(z.object({ name: z.string() }));
export const Options = z.object({ sd_model_checkpoint: z.string().nullish() });

export const Enlarged = z.object({ image: z.string() });
const Drawn = z.object({ images: z.array(z.string()).max(100), info: z.string() });
/** JSON in a string. */
const DrawnInfo = z.object({
  all_seeds: z.array(z.int().nonnegative()).max(1_000).nullish(),
  sd_model_name: z.string().nullish(),
  index_of_first_image: z.int().nonnegative().nullish(),
  job_timestamp: z.string().nullish(),
});

const words = z.string().nullish().catch(null);
const Refusal = z.object({
  error: words,
  errors: words,
  message: words,
  detail: z
    .union([
      z.string(),
      z.array(
        z.object({ loc: z.array(z.union([z.string(), z.number()])).max(20), msg: z.string() }),
      ),
    ])
    .nullish()
    .catch(null),
});

/** Asks for a list or a state. Throws as `http.json` does, and for an answer of another shape. */
export async function ask<Schema extends z.ZodType>(
  http: ImageHttp,
  schema: Schema,
  { path, signal, maxBytes = LIST_BYTES }: { path: string; signal: AbortSignal; maxBytes?: number },
): Promise<z.output<Schema>> {
  const { status, value } = await http.json({ path: `${API}/${path}`, signal, maxBytes });
  if (status !== 200) throw refusalOf(http, path, { status, value });
  const found = safeParse(schema, value);
  if (!found.success) throw oddAnswer(http, path);
  return found.data;
}

/** The error for an answer with another status than 200. */
export function refusalOf(
  http: ImageHttp,
  call: string,
  { status, value }: { readonly status: number; readonly value: unknown },
): AppError {
  const { label } = http;
  if (status === 401) {
    return unavailable(
      `${label} wants a user name and a password, which this app cannot send. Start it without --api-auth.`,
    );
  }
  const found = safeParse(Refusal, value);
  const { error, errors, message, detail } = found.success ? found.data : {};
  if (status === 404 && detail === 'Not Found') {
    return unavailable(`${label} answers, but its API is off. Start it with --api.`);
  }
  const details = Array.isArray(detail)
    ? detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    : detail;
  // Each version says it in another field.
  const text = [errors, message, details, error].find((one) => one) ?? '';
  // Graphics cards of Apple report it by text alone.
  if (error === 'OutOfMemoryError' || /out of memory/i.test(text)) {
    return failed(
      `${label} has too little memory for this picture. Make it smaller, or close other programs that use the graphics card.`,
      new Error(text),
    );
  }
  return http.refused(call, status, text);
}

/** What was drawn, with the time when its job began. */
export function readDrawn(
  http: ImageHttp,
  order: ImageOrder,
  value: unknown,
): { readonly images: readonly MadeImage[]; readonly jobTimestamp: string | null } {
  const drawn = safeParse(Drawn, value);
  const info = drawn.success ? safeParse(DrawnInfo, jsonOf(drawn.data.info)) : null;
  if (!drawn.success || info === null || !info.success) throw oddAnswer(http, 'the order');
  const { all_seeds, sd_model_name, index_of_first_image, job_timestamp } = info.data;
  // Before the first one there may be a grid, and behind the last one what extensions add.
  const first = index_of_first_image ?? 0;
  const images = drawn.data.images.slice(first, first + order.count).map((image, at) => ({
    bytes: readPicture(http, image),
    seed: all_seeds?.[at] ?? order.seed + at,
    model: plainName(sd_model_name ?? '') || null,
  }));
  return { images, jobTimestamp: job_timestamp ?? null };
}

/** Throws `IMAGE_FAILED` for what is no base64. */
export function readPicture(http: ImageHttp, image: string): Buffer {
  const bytes = fromBase64(image);
  if (bytes === null) throw oddAnswer(http, 'the order');
  return bytes;
}

function jsonOf(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
