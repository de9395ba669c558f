import { type Call, isRecord, type MultipartBody } from './fake-image-server.ts';
import { pictureFacts } from './png.ts';

/** What sd-server is started with, as far as it shapes a generation. */
export interface SdGenerationOptions {
  /** Paths below its LoRA folder. */
  readonly loras?: readonly string[];
  /** Names of upscaler models for the second pass. */
  readonly upscalers?: readonly string[];
  /** `--seed`: of requests without one; 42 unless given. */
  readonly seed?: number;
}

/** The parameters of one generation, as the server fills them in. */
export interface Generation {
  readonly prompt: string;
  readonly negative: string;
  readonly width: number;
  readonly height: number;
  readonly steps: number;
  readonly count: number;
  readonly seed: number;
  readonly cfg: number;
  readonly strength: number;
  readonly sampler: string;
  /** Pictures and masks that it starts from. */
  readonly pictures: readonly Buffer[];
  /** The size after the second pass. */
  readonly hires: { readonly width: number; readonly height: number } | null;
}

/** Answered with 400 and this text. */
export class Refusal extends Error {}

type Fields = Readonly<Record<string, unknown>>;

const LATENT = ['', ' (nearest)', ' (nearest-exact)', ' (antialiased)', ' (bicubic)'];
export const LATENT_UPSCALERS = [...LATENT, ' (bicubic antialiased)'].map((one) => `Latent${one}`);
const EXTRA_ARGS = /<sd_cpp_extra_args>(.*?)<\/sd_cpp_extra_args>/;

/** Fields whose wrong type ends in an exception; the native fields are skipped instead. */
export const OPENAI_TYPES: Readonly<Record<string, 'string' | 'number'>> = {
  ...{ prompt: 'string', n: 'number', size: 'string' },
  ...{ output_format: 'string', output_compression: 'number' },
};
export const SDAPI_TYPES: typeof OPENAI_TYPES = {
  ...{ prompt: 'string', negative_prompt: 'string', width: 'number', height: 'number' },
  ...{ steps: 'number', cfg_scale: 'number', seed: 'number', batch_size: 'number' },
  ...{ clip_skip: 'number', sampler_name: 'string', scheduler: 'string' },
  ...{ denoising_strength: 'number' },
};

/** The message of the exception; null if all types are right. */
export function wrongType(
  body: Fields,
  types: typeof OPENAI_TYPES,
  isNative: boolean,
): string | null {
  for (const [name, type] of Object.entries(types)) {
    const value = body[name];
    const isChecked = !isNative || name.startsWith('output_');
    if (value === undefined || !isChecked || typeof value === type) continue;
    const is = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    return `[json.exception.type_error.302] type must be ${type}, but is ${is}`;
  }
  return null;
}

export function checkFormat(format: unknown, valid = ['png', 'jpeg', 'webp']): string {
  const name = stringOf(format, 'png').toLowerCase();
  if (valid.includes(name)) return name;
  throw new Refusal(`invalid output_format, must be one of [${valid.join(', ')}]`);
}

/** Reads the native schema: what has the wrong type is not seen. */
export function readNative(
  body: Fields,
  options: SdGenerationOptions,
  refusal: string,
): Generation {
  const { loras: known = [], upscalers = [] } = options;
  const sample = recordOf(body.sample_params);
  const width = integerOf(body.width, 512);
  const height = integerOf(body.height, 512);
  const strength = numberOf(body.strength, 0.75);
  const cfg = numberOf(recordOf(sample.guidance).txt_cfg, 7);
  const loras = Array.isArray(body.lora) ? (body.lora as unknown[]) : [];
  const hires = recordOf(body.hires);
  const scaler = stringOf(hires.upscaler, 'Latent');
  const scalers = ['Lanczos', 'Nearest', ...LATENT_UPSCALERS, ...upscalers];
  const hasHires = hires.enabled === true && scaler !== 'None';
  const isFine =
    (body.lora === undefined || Array.isArray(body.lora)) &&
    loras.every((lora) => known.includes(stringOf(recordOf(lora).path, ''))) &&
    (!hasHires || scalers.includes(scaler)) &&
    Math.abs(strength - 0.5) <= 0.5 &&
    cfg >= 0;
  if (!isFine) throw new Refusal(refusal);
  const scaled = (side: number, target: unknown): number =>
    integerOf(target, 0) || Math.round(side * numberOf(hires.scale, 2));
  const seed = integerOf(body.seed, options.seed ?? 42);
  return {
    prompt: stringOf(body.prompt, ''),
    negative: stringOf(body.negative_prompt, ''),
    width: width > 0 ? width : 512,
    height: height > 0 ? height : 512,
    steps: Math.min(Math.max(integerOf(sample.sample_steps, 20), 1), 100),
    count: Math.min(Math.max(integerOf(body.batch_count, 1), 1), 8),
    seed: seed < 0 ? Math.floor(Math.random() * 2 ** 31) : seed,
    ...{ cfg, strength, sampler: stringOf(sample.sample_method, 'default') },
    pictures: readPictures(body, refusal),
    hires: hasHires
      ? { width: scaled(width, hires.target_width), height: scaled(height, hires.target_height) }
      : null,
  };
}

export function readOpenAi(body: Fields, options: SdGenerationOptions): Generation {
  const prompt = stringOf(body.prompt, '');
  if (prompt === '') throw new Refusal('prompt required');
  checkFormat(body.output_format);
  const size = sizeOf(stringOf(body.size, '')) ?? {};
  const native = { ...size, batch_count: integerOf(body.n, 1), ...withExtraArgs(prompt) };
  return readNative(native, options, 'invalid params');
}

export function readEdit(call: Call, options: SdGenerationOptions): Generation {
  if (!(call.headers['content-type'] ?? '').startsWith('multipart/form-data'))
    throw new Refusal('Content-Type must be multipart/form-data');
  const { fields, files } = call.body as MultipartBody;
  if (!fields.prompt) throw new Refusal('prompt required');
  const filesOf = (name: string): readonly Buffer[] =>
    files.flatMap(({ field, bytes }) => (field === name ? [bytes] : []));
  const listed = filesOf('image[]');
  const images = listed.length > 0 ? listed : filesOf('image').slice(0, 1);
  if (images.length === 0) throw new Refusal('at least one image[] required');
  checkFormat(fields.output_format, ['png', 'jpeg']);
  // What cannot be decoded is skipped.
  const decoded = images.filter((bytes) => (pictureFacts(bytes)?.channels ?? 0) >= 3);
  const first = pictureFacts(decoded[0] ?? Buffer.alloc(0));
  const size =
    sizeOf(fields.size ?? '') ?? (first ? { width: first.width, height: first.height } : {});
  const batch_count = Number.parseInt(fields.n ?? '1', 10) || 1;
  const native = { ...size, batch_count, ...withExtraArgs(fields.prompt) };
  const generation = readNative(native, options, 'invalid params');
  return { ...generation, pictures: [...decoded, ...filesOf('mask')] };
}

export function readSdApi(body: Fields, kind: string, options: SdGenerationOptions): Generation {
  const isFromPicture = kind === 'img2img';
  const [init = null] = Array.isArray(body.init_images) ? (body.init_images as unknown[]) : [];
  const facts = isFromPicture ? pictureFacts(bytesOf(init)) : null;
  const width = integerOf(body.width, facts?.width ?? 512);
  const height = integerOf(body.height, facts?.height ?? 512);
  if (width <= 0 || height <= 0) throw new Refusal('width and height must be positive');
  const prompt = stringOf(body.prompt, '');
  if (prompt === '') throw new Refusal('prompt required');
  const denoise = numberOf(body.denoising_strength, -1);
  const hires = {
    ...{ enabled: !isFromPicture && body.enable_hr === true, upscaler: body.hr_upscaler },
    ...{ scale: body.hr_scale, target_width: body.hr_resize_x, target_height: body.hr_resize_y },
  };
  const native = {
    ...{ width, height, hires, negative_prompt: body.negative_prompt },
    ...{ seed: integerOf(body.seed, -1), batch_count: integerOf(body.batch_size, 1) },
    ...(body.lora === undefined ? {} : { lora: body.lora }),
    sample_params: {
      ...{ sample_steps: body.steps, sample_method: body.sampler_name },
      guidance: { txt_cfg: body.cfg_scale },
    },
    ...(isFromPicture && denoise >= 0 ? { strength: Math.min(denoise, 1) } : {}),
    ...withExtraArgs(prompt),
  };
  const generation = readNative(native, options, 'invalid params');
  const pictures = isFromPicture ? [bytesOf(init), bytesOf(body.mask)] : [];
  return { ...generation, pictures: pictures.filter((bytes) => pictureFacts(bytes) !== null) };
}

/** The `info` of the answer of txt2img: JSON in a string. */
export function infoOf(generation: Generation, kind: string, model: string): string {
  const { prompt, negative, seed, cfg, width, height, steps, sampler, strength } = generation;
  const each = Array.from({ length: generation.count }, (_, index) => index);
  return JSON.stringify({
    ...{ prompt, seed, cfg_scale: cfg, width, height, steps, sampler_name: sampler },
    ...(negative === '' ? {} : { negative_prompt: negative }),
    ...(kind === 'img2img' ? { denoising_strength: strength } : {}),
    ...{ sd_model_name: model, version: 'stable-diffusion.cpp' },
    infotexts: each.map((index) => infotextOf(generation, index)),
    all_prompts: each.map(() => prompt),
    all_negative_prompts: each.map(() => negative),
    all_seeds: each.map((index) => seed + index),
  });
}

/** What is stored in the picture. */
export function infotextOf(generation: Generation, index: number): string {
  const { prompt, negative, seed, cfg, width, height, steps, sampler } = generation;
  const parameters = `Steps: ${steps}, CFG scale: ${cfg}, Seed: ${seed + index}, Size: ${width}x${height}`;
  return `${prompt}\nNegative prompt: ${negative}\n${parameters}, Sampler: ${sampler}, Version: stable-diffusion.cpp`;
}

/** The prompt without the native parameters in it, and those. */
function withExtraArgs(prompt: string): Fields {
  const found = EXTRA_ARGS.exec(prompt)?.[1];
  if (found === undefined) return { prompt };
  try {
    return { prompt: prompt.replace(EXTRA_ARGS, ''), ...recordOf(JSON.parse(found)) };
  } catch {
    throw new Refusal('invalid sd_cpp_extra_args');
  }
}

function readPictures(body: Fields, refusal: string): readonly Buffer[] {
  const read = (value: unknown, channels: number): readonly Buffer[] => {
    if (value === undefined || value === null) return [];
    const bytes = bytesOf(value);
    if ((pictureFacts(bytes)?.channels ?? 0) < channels) throw new Refusal(refusal);
    return [bytes];
  };
  const refs = body.ref_images ?? [];
  if (!Array.isArray(refs)) throw new Refusal(refusal);
  return [
    ...read(body.init_image, 3),
    ...read(body.mask_image, 1),
    ...read(body.control_image, 3),
    ...(refs as unknown[]).flatMap((one) => read(one ?? '', 3)),
  ];
}

/** Base64, or a data URI: all up to the first comma is skipped. */
function bytesOf(value: unknown): Buffer {
  const text = stringOf(value, '');
  return Buffer.from(text.slice(text.indexOf(',') + 1), 'base64');
}

function sizeOf(text: string): { readonly width: number; readonly height: number } | null {
  const [, width, height] = /^(\d+)x(\d+)/.exec(text) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : null;
}

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function stringOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function integerOf(value: unknown, otherwise: number): number {
  return Number.isInteger(value) ? (value as number) : otherwise;
}
