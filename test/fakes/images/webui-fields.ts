import { isRecord } from './fake-image-server.ts';

export type Flavor = 'a1111' | 'forge';

type Kind = 'txt2img' | 'img2img' | 'extras';
type FieldType = 'int' | 'float' | 'str' | 'bool' | 'list' | 'dict';

/** One entry of the `detail` of a 422. */
export interface ValidationError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
}

/** A txt2img or img2img as it is carried out. */
export interface Drawing {
  readonly prompt: string;
  readonly negative: string;
  readonly seed: number;
  readonly subseed: number;
  readonly width: number;
  readonly height: number;
  readonly cfg: number;
  readonly sampler: string;
  readonly scheduler: string;
  readonly denoising: number | null;
  readonly model: string;
  readonly askedSteps: number;
  /** Of one pass: less than asked for where it starts from a picture. */
  readonly steps: number;
  /** Passes: one or, with a second for more size, two for each iteration. */
  readonly jobCount: number;
  readonly iterations: number;
  readonly batchSize: number;
  readonly hasGrid: boolean;
  readonly version: string;
  /** What shapes the picture beside the seed. */
  readonly parts: readonly unknown[];
}

export const SAMPLERS = [
  'DPM++ 2M',
  'DPM++ SDE',
  'DPM++ 2M SDE',
  'Euler a',
  'Euler',
  'LMS',
  'Heun',
  'DDIM',
  'UniPC',
  'LCM',
];
export const SCHEDULERS = [
  'Automatic',
  'Uniform',
  'Karras',
  'Exponential',
  'SGM Uniform',
  'Normal',
  'Simple',
  'Beta',
];

const COMMON: Readonly<Record<string, readonly [FieldType, unknown]>> = {
  prompt: ['str', ''],
  negative_prompt: ['str', ''],
  styles: ['list', null],
  seed: ['int', -1],
  subseed: ['int', -1],
  subseed_strength: ['float', 0],
  sampler_name: ['str', null],
  sampler_index: ['str', 'Euler'],
  scheduler: ['str', null],
  batch_size: ['int', 1],
  n_iter: ['int', 1],
  steps: ['int', 50],
  cfg_scale: ['float', 7],
  width: ['int', 512],
  height: ['int', 512],
  restore_faces: ['bool', null],
  tiling: ['bool', null],
  override_settings: ['dict', null],
  override_settings_restore_afterwards: ['bool', true],
  script_name: ['str', null],
  script_args: ['list', []],
  send_images: ['bool', true],
  save_images: ['bool', false],
  alwayson_scripts: ['dict', {}],
  force_task_id: ['str', null],
  infotext: ['str', null],
  denoising_strength: ['float', 0.75],
};

const FIELDS: Readonly<Record<Kind, typeof COMMON>> = {
  txt2img: {
    ...COMMON,
    enable_hr: ['bool', false],
    hr_scale: ['float', 2],
    hr_upscaler: ['str', null],
    hr_second_pass_steps: ['int', 0],
    hr_resize_x: ['int', 0],
    hr_resize_y: ['int', 0],
    hr_prompt: ['str', ''],
    hr_negative_prompt: ['str', ''],
  },
  img2img: {
    ...COMMON,
    init_images: ['list', null],
    resize_mode: ['int', 0],
    mask: ['str', null],
    mask_blur: ['int', null],
    inpainting_fill: ['int', 0],
    inpaint_full_res: ['bool', true],
    inpaint_full_res_padding: ['int', 0],
    inpainting_mask_invert: ['int', 0],
    include_init_images: ['bool', false],
  },
  extras: {
    image: ['str', ''],
    resize_mode: ['int', 0],
    show_extras_results: ['bool', true],
    gfpgan_visibility: ['float', 0],
    codeformer_visibility: ['float', 0],
    codeformer_weight: ['float', 0],
    upscaling_resize: ['float', 2],
    upscaling_resize_w: ['int', 512],
    upscaling_resize_h: ['int', 512],
    upscaling_crop: ['bool', true],
    upscaler_1: ['str', 'None'],
    upscaler_2: ['str', 'None'],
    extras_upscaler_2_visibility: ['float', 0],
    upscale_first: ['bool', false],
  },
};

/** Message and type of a wrong value: of pydantic 1 (AUTOMATIC1111) and of pydantic 2 (Forge). */
const WRONG: Readonly<Record<FieldType, Readonly<Record<Flavor, readonly [string, string]>>>> = {
  int: {
    a1111: ['value is not a valid integer', 'type_error.integer'],
    forge: ['Input should be a valid integer, unable to parse string as an integer', 'int_parsing'],
  },
  float: {
    a1111: ['value is not a valid float', 'type_error.float'],
    forge: ['Input should be a valid number, unable to parse string as a number', 'float_parsing'],
  },
  str: {
    a1111: ['str type expected', 'type_error.str'],
    forge: ['Input should be a valid string', 'string_type'],
  },
  bool: {
    a1111: ['value could not be parsed to a boolean', 'value_error.bool'],
    forge: ['Input should be a valid boolean, unable to interpret input', 'bool_parsing'],
  },
  list: {
    a1111: ['value is not a valid list', 'type_error.list'],
    forge: ['Input should be a valid list', 'list_type'],
  },
  dict: {
    a1111: ['value is not a valid dict', 'type_error.dict'],
    forge: ['Input should be a valid dictionary', 'dict_type'],
  },
};

/** Every field of such a request, with its default where it is not given; what is wrong goes to `errors`. */
export function readFields(
  body: unknown,
  {
    kind,
    flavor,
    errors,
  }: { readonly kind: Kind; readonly flavor: Flavor; readonly errors: ValidationError[] },
): Readonly<Record<string, unknown>> {
  if (body === undefined) {
    const isOld = flavor === 'a1111';
    errors.push({
      loc: ['body', 0],
      msg: isOld ? 'Expecting value: line 1 column 1 (char 0)' : 'JSON decode error',
      type: isOld ? 'value_error.jsondecode' : 'json_invalid',
    });
    return {};
  }
  if (!isRecord(body)) {
    const [msg, type] = WRONG.dict[flavor];
    errors.push({ loc: ['body'], msg, type });
    return {};
  }
  const fields: Record<string, unknown> = {};
  for (const [name, [type, otherwise]] of Object.entries(FIELDS[kind])) {
    const value = body[name];
    const isGiven = value !== undefined && !(value === null && kind !== 'extras');
    if (!isGiven) fields[name] = value === null ? null : otherwise;
    else if (fits(value, type, flavor))
      fields[name] = type === 'int' || type === 'float' ? Number(value) : value;
    else {
      const [msg, kindOfError] = WRONG[type][flavor];
      const input = flavor === 'forge' ? { input: value } : {};
      errors.push({ loc: ['body', name], msg, type: kindOfError, ...input });
    }
  }
  return fields;
}

export function readDrawing(
  fields: Readonly<Record<string, unknown>>,
  given: {
    readonly model: string;
    readonly pictures: readonly Buffer[];
    readonly isFromPicture: boolean;
  },
): Drawing {
  const number = (name: string): number => Number(fields[name] ?? 0);
  const text = (name: string): string => String(fields[name] ?? '');
  const { model, pictures, isFromPicture } = given;
  const seed = number('seed') === -1 ? Math.floor(Math.random() * 4_294_967_294) : number('seed');
  const [sampler, scheduler] = findSampler(
    text('sampler_name') || text('sampler_index'),
    text('scheduler'),
  );
  const iterations = Math.max(1, number('n_iter'));
  const batchSize = Math.max(1, number('batch_size'));
  const isTwice = fields.enable_hr === true;
  const denoising = isFromPicture || isTwice ? number('denoising_strength') : null;
  const askedSteps = Math.max(1, number('steps'));
  const scaled = (side: string, target: string): number => {
    const asked = isTwice ? number(target) || number(side) * number('hr_scale') : number(side);
    return Math.max(8, Math.floor(asked / 8) * 8);
  };
  const repaint = [
    'inpainting_fill',
    'inpaint_full_res',
    'inpaint_full_res_padding',
    'mask_blur',
    'inpainting_mask_invert',
    'resize_mode',
  ];
  const drawn = {
    prompt: text('prompt'),
    negative: text('negative_prompt'),
    cfg: number('cfg_scale'),
  };
  return {
    ...{ ...drawn, seed, sampler, scheduler, denoising, model, askedSteps, iterations, batchSize },
    subseed:
      number('subseed') === -1 ? Math.floor(Math.random() * 4_294_967_294) : number('subseed'),
    width: scaled('width', 'hr_resize_x'),
    height: scaled('height', 'hr_resize_y'),
    steps: isFromPicture
      ? Math.floor(Math.min(denoising ?? 0, 0.999) * askedSteps) + 1
      : askedSteps,
    jobCount: iterations * (isTwice ? 2 : 1),
    hasGrid: fields.save_images === true && iterations * batchSize > 1,
    version: 'v1.10.1',
    parts: [
      drawn,
      sampler,
      scheduler,
      askedSteps,
      denoising,
      model,
      ...pictures,
      repaint.map((name) => fields[name] ?? null),
    ],
  };
}

/** What is stored in the picture, and stands in `infotexts`. */
export function infotextOf(drawing: Drawing, index: number, flavor: Flavor): string {
  const { prompt, negative, seed, width, height, cfg, sampler, scheduler, denoising } = drawing;
  const [, name = '', hash = ''] = /^(.*)\.[^.]* \[(.*)\]$/.exec(drawing.model) ?? [];
  const version = flavor === 'forge' ? `f2.0.1${drawing.version}-previous` : drawing.version;
  const facts = [
    `Steps: ${drawing.askedSteps}, Sampler: ${sampler}, Schedule type: ${scheduler}, CFG scale: ${cfg}`,
    `Seed: ${seed + index}, Size: ${width}x${height}, Model hash: ${hash}, Model: ${name}`,
    ...(denoising === null ? [] : [`Denoising strength: ${denoising}`]),
    `Version: ${version}`,
  ];
  return `${prompt}${negative === '' ? '' : `\nNegative prompt: ${negative}`}\n${facts.join(', ')}`;
}

/** An unknown sampler is the first one; a schedule may stand behind its name. */
function findSampler(name: string, scheduler: string): readonly [string, string] {
  const behind = SCHEDULERS.find((label) => name.endsWith(` ${label}`));
  const bare = behind ? name.slice(0, -behind.length - 1) : name;
  const known = SCHEDULERS.find((label) => label.toLowerCase() === scheduler.toLowerCase());
  return [SAMPLERS.find((one) => one === bare) ?? 'DPM++ 2M', behind ?? known ?? 'Automatic'];
}

function fits(value: unknown, type: FieldType, flavor: Flavor): boolean {
  switch (type) {
    case 'int':
    case 'float': {
      const isNumber =
        typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
      const isWhole = type === 'float' || flavor === 'a1111' || Number.isInteger(Number(value));
      return isNumber && Number.isFinite(Number(value)) && isWhole;
    }
    case 'str':
      return typeof value === 'string' || (flavor === 'a1111' && typeof value === 'number');
    case 'bool':
      return [true, false, 0, 1, 'true', 'false'].includes(value as boolean);
    case 'list':
      return Array.isArray(value);
    case 'dict':
      return isRecord(value);
  }
}
