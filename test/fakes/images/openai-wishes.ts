import { type Call, isRecord, jsonOf, type MultipartBody } from './fake-image-server.ts';
import { pictureFacts } from './png.ts';

const OLD_SIZES = ['1024x1024', '1024x1536', '1536x1024', 'auto'];
const FIELDS = [
  'model',
  'prompt',
  'n',
  'size',
  'quality',
  'background',
  'output_format',
  'output_compression',
  'moderation',
  'stream',
  'partial_images',
  'user',
];
const EDIT_FIELDS = [...FIELDS, 'input_fidelity', 'image', 'mask'];
/** Where a choice is not among these, the request is refused. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  background: ['transparent', 'opaque', 'auto'],
  output_format: ['png', 'jpeg', 'webp'],
  moderation: ['low', 'auto'],
  input_fidelity: ['low', 'high'],
};
const NUMBERS: Readonly<Record<string, readonly [number, number]>> = {
  ...{ n: [1, 10], partial_images: [0, 3], output_compression: [0, 100] },
};

/** Answered as an error of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, body: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.body = { message, type: 'invalid_request_error', param: null, code: null, ...body };
  }
}

/** What is asked for, with the defaults. */
export interface Wish {
  readonly model: string;
  readonly prompt: string;
  readonly count: number;
  readonly width: number;
  readonly height: number;
  readonly quality: string;
  readonly background: string;
  readonly format: string;
  readonly isStream: boolean;
  readonly partials: number;
  readonly pictures: readonly Buffer[];
}

/** Of `/v1/images/generations`. */
export function readGeneration(call: Call, models: readonly string[]): Wish {
  const body = jsonOf(call);
  if (!isRecord(body)) throw new ApiError(400, 'We could not parse the JSON body of your request.');
  return readWish(body, { known: FIELDS, pictures: [], models });
}

/** Of `/v1/images/edits`. */
export function readEdit(call: Call, models: readonly string[]): Wish {
  if (!(call.headers['content-type'] ?? '').startsWith('multipart/form-data'))
    throw new ApiError(400, "Unsupported content type: expected 'multipart/form-data'.", {
      code: 'unsupported_content_type',
    });
  const { fields, files } = call.body as MultipartBody;
  const images = files.filter(({ field }) => field === 'image' || field === 'image[]');
  const mask = files.find(({ field }) => field === 'mask');
  if (images.length === 0) throw missing('image');
  if (images.length > 16)
    throw new ApiError(
      400,
      `Invalid 'image': array too long. Expected an array with maximum length 16, but got an array with length ${images.length} instead.`,
      { param: 'image', code: 'array_above_max_length' },
    );
  images.forEach(({ bytes, type }, index) => {
    if (!pictureFacts(bytes) || !/^image\/(png|jpeg|webp)$/.test(type))
      throw new ApiError(
        400,
        `Invalid image file or mode for image ${index + 1}, please check your image file.`,
        { type: 'image_generation_user_error', code: 'invalid_image_file' },
      );
  });
  if (mask) {
    const first = pictureFacts(images[0]?.bytes ?? Buffer.alloc(0));
    const facts = pictureFacts(mask.bytes);
    const fits = facts?.width === first?.width && facts?.height === first?.height;
    const refuse = (message: string): ApiError =>
      new ApiError(400, message, { param: 'mask', code: 'invalid_image_mask' });
    if (!fits) throw refuse('Invalid mask image format - mask size does not match image size.');
    if ((facts?.channels ?? 0) % 2 !== 0)
      throw refuse('Invalid mask image format - mask image missing alpha channel.');
  }
  const numbers = Object.keys(NUMBERS).flatMap((name) =>
    fields[name] === undefined ? [] : [[name, Number(fields[name])]],
  );
  const body = {
    ...fields,
    ...Object.fromEntries(numbers),
    ...(fields.stream === undefined ? {} : { stream: fields.stream === 'true' }),
  };
  const pictures = [...images, ...(mask ? [mask] : [])].map(({ bytes }) => bytes);
  return readWish(body, { known: EDIT_FIELDS, pictures, models });
}

function readWish(
  body: Readonly<Record<string, unknown>>,
  {
    known,
    pictures,
    models,
  }: {
    readonly known: readonly string[];
    readonly pictures: readonly Buffer[];
    readonly models: readonly string[];
  },
): Wish {
  const {
    prompt,
    model,
    size = 'auto',
    quality = 'auto',
    background = 'auto',
    output_format = 'png',
    stream,
    n,
    partial_images,
  } = body;
  if (prompt === undefined || prompt === '') throw missing('prompt');
  if (typeof prompt !== 'string')
    throw new ApiError(400, "Invalid type for 'prompt': expected a string.", {
      param: 'prompt',
      code: 'invalid_type',
    });
  if (prompt.length > 32_000)
    throw new ApiError(
      400,
      `Invalid 'prompt': string too long. Expected a string with maximum length 32000, but got a string with length ${prompt.length} instead.`,
      { param: 'prompt', code: 'string_above_max_length' },
    );
  // Without a model, an old one is meant, which this fake does not have.
  if (!models.includes(String(model))) throw invalidValue('model', model, models);
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ApiError(400, `Unknown parameter: '${unknown}'.`, {
      param: unknown,
      code: 'unknown_parameter',
    });
  for (const [name, [min, max]] of Object.entries(NUMBERS)) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (!Number.isInteger(value))
      throw new ApiError(400, `Invalid type for '${name}': expected an integer.`, {
        param: name,
        code: 'invalid_type',
      });
    if ((value as number) > max)
      throw new ApiError(
        400,
        `Invalid '${name}': integer above maximum value. Expected a value <= ${max}, but got ${String(value)} instead.`,
        { param: name, code: 'integer_above_max_value' },
      );
    if ((value as number) < min)
      throw new ApiError(
        400,
        `Invalid '${name}': integer below minimum value. Expected a value >= ${min}, but got ${String(value)} instead.`,
        { param: name, code: 'integer_below_min_value' },
      );
  }
  const isNew = String(model).startsWith('gpt-image-2.5');
  const qualities = ['low', 'medium', 'high', 'auto', ...(isNew ? ['xhigh', 'max'] : [])];
  for (const [name, choices] of Object.entries({ ...CHOICES, quality: qualities })) {
    const value = body[name];
    if (value !== undefined && value !== null && !choices.includes(String(value)))
      throw invalidValue(name, value, choices);
  }
  if (background === 'transparent' && output_format === 'jpeg')
    throw new ApiError(400, 'Transparent background is not supported for JPEG output format.', {
      param: 'background',
      code: 'invalid_value',
    });
  if (partial_images && stream !== true)
    throw new ApiError(
      400,
      "The 'partial_images' parameter is only supported when 'stream' is true.",
      { param: 'partial_images', code: 'invalid_value' },
    );
  return {
    ...{ model: String(model), prompt, ...sizeOf(String(size), String(model)), pictures },
    ...{
      quality: String(quality),
      background: String(background),
      format: String(output_format),
    },
    ...{
      count: Number(n ?? 1),
      isStream: stream === true,
      partials: Number(partial_images ?? 0),
    },
  };
}

function sizeOf(size: string, model: string): { readonly width: number; readonly height: number } {
  if (size === 'auto') return { width: 1024, height: 1024 };
  const [, w, h] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  const [width, height] = [Number(w), Number(h)];
  const pixels = width * height;
  const isFree = model.startsWith('gpt-image-2');
  const fits =
    width % 16 === 0 &&
    height % 16 === 0 &&
    Math.max(width, height) <= 3_840 &&
    Math.max(width / height, height / width) <= 3 &&
    pixels >= 655_360 &&
    pixels <= 8_294_400;
  if (isFree ? fits : OLD_SIZES.includes(size)) return { width, height };
  throw invalidValue('size', size, OLD_SIZES);
}

function missing(param: string): ApiError {
  return new ApiError(400, `Missing required parameter: '${param}'.`, {
    param,
    code: 'missing_required_parameter',
  });
}

function invalidValue(param: string, value: unknown, choices: readonly string[]): ApiError {
  const list = choices.map((choice) => `'${choice}'`).join(', ');
  return new ApiError(400, `Invalid value: '${String(value)}'. Supported values are: ${list}.`, {
    param,
    code: 'invalid_value',
  });
}
