import {
  type Call,
  type FakeImageServer,
  ImageServerCore,
  type Job,
  jsonOf,
  sendJson,
} from './fake-image-server.ts';
import { pictureFacts, withPngText } from './png.ts';
import {
  type Drawing,
  type Flavor,
  infotextOf,
  readDrawing,
  readFields,
  SAMPLERS,
  SCHEDULERS,
  type ValidationError,
} from './webui-fields.ts';

export interface WebuiOptions {
  readonly flavor?: Flavor;
  /** Names of checkpoint files; the first is loaded. */
  readonly models?: readonly string[];
  /** Names of upscaler models beside the three built in. */
  readonly upscalers?: readonly string[];
  /** `--api-auth`, as `user:password`. */
  readonly auth?: string;
}

/** The one state of the process: of whatever job runs, of anyone. */
interface State {
  skipped: boolean;
  interrupted: boolean;
  stopping_generation: boolean;
  job: string;
  job_count: number;
  job_timestamp: string;
  job_no: number;
  sampling_step: number;
  sampling_steps: number;
}

/** Answered as an exception of this class. */
class PythonError extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 500) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

const OUT_OF_MEMORY =
  'CUDA out of memory. Tried to allocate 2.25 GiB. GPU 0 has a total capacity of 7.79 GiB of which 1.02 GiB is free.';
const PREVIEW_EVERY = 10;

/** AUTOMATIC1111's webui 1.10, or Forge, started with `--api`: see README.md. */
export async function startFakeWebui(options: WebuiOptions = {}): Promise<FakeImageServer> {
  return new Webui(options).core.start();
}

class Webui {
  readonly core = new ImageServerCore((call) => this.#answer(call));
  readonly #options: WebuiOptions;
  readonly #flavor: Flavor;
  readonly #titles: readonly string[];
  #loaded: string;
  #startedAt = 0;
  #state: State = idleState();

  constructor(options: WebuiOptions) {
    this.#options = options;
    this.#flavor = options.flavor ?? 'a1111';
    const models = options.models ?? ['sd_xl_base_1.0.safetensors', 'dreamshaper_8.safetensors'];
    this.#titles = models.map((name, index) => `${name} [${hashAt(index)}]`);
    this.#loaded = this.#titles[0] ?? '';
    this.core.onDeath = () => {
      this.#state = idleState();
    };
  }

  async #answer(call: Call): Promise<void> {
    if (this.#flavor === 'a1111') call.response.setHeader('x-process-time', '0.001');
    const route = `${call.method} ${call.path.replace('/sdapi/v1/', '')}`;
    try {
      this.#authorize(call);
      if (!call.path.startsWith('/sdapi/v1/')) sendJson(call, 404, { detail: 'Not Found' });
      else if (route === 'POST txt2img' || route === 'POST img2img')
        await this.#draw(call, route === 'POST img2img');
      else if (route === 'POST extra-single-image') await this.#upscale(call);
      else if (route === 'POST interrupt') this.#interrupt(call);
      else if (route === 'POST options') this.#setOptions(call);
      else if (route === 'GET progress') this.#sendProgress(call);
      else this.#sendLists(call, route);
    } catch (error) {
      if (!(error instanceof PythonError)) throw error;
      this.#sendError(call, error);
    }
  }

  #authorize({ headers, path }: Call): void {
    const { auth } = this.#options;
    if (auth === undefined || !path.startsWith('/sdapi/')) return;
    const given = headers.authorization;
    if (!given?.startsWith('Basic '))
      throw new PythonError('HTTPException', 'Not authenticated', 401);
    if (Buffer.from(given.slice(6), 'base64').toString() !== auth)
      throw new PythonError('HTTPException', 'Incorrect username or password', 401);
  }

  #sendError(call: Call, { type, message, status }: PythonError): void {
    const isHttp = type === 'HTTPException';
    const base = { error: type, detail: isHttp ? message : '', body: '' };
    if (this.#flavor === 'a1111')
      sendJson(call, status, { ...base, errors: isHttp ? '' : message });
    else if (!isHttp) sendJson(call, status, { ...base, message });
    else {
      const headers = status === 401 ? { 'www-authenticate': 'Basic' } : undefined;
      sendJson(call, status, { detail: message }, headers);
    }
  }

  /** The fields of the body; null if the answer is already sent. */
  #read(
    call: Call,
    kind: 'txt2img' | 'img2img' | 'extras',
  ): Readonly<Record<string, unknown>> | null {
    const type = call.headers['content-type'] ?? 'application/json';
    const body = type.includes('json') ? jsonOf(call) : call.raw.toString();
    const errors: ValidationError[] = [];
    const fields = readFields(body, { kind, flavor: this.#flavor, errors });
    if (errors.length === 0) return fields;
    sendJson(call, 422, { detail: errors });
    return null;
  }

  async #draw(call: Call, isFromPicture: boolean): Promise<void> {
    const fields = this.#read(call, isFromPicture ? 'img2img' : 'txt2img');
    if (!fields) return;
    if (isFromPicture && fields.init_images === null)
      throw new PythonError('HTTPException', 'Init image not found', 404);
    const inputs = isFromPicture ? [...(fields.init_images as unknown[]), fields.mask] : [];
    const pictures = inputs.filter((one) => one !== null && one !== '').map(decodePicture);
    const override = (fields.override_settings ?? {}) as Readonly<Record<string, unknown>>;
    // A checkpoint that is not there is dropped without a word.
    const model = this.#find(override.sd_model_checkpoint) ?? this.#loaded;
    const drawing = readDrawing(fields, { model, pictures, isFromPicture });
    const job = this.core.addJob({
      steps: drawing.jobCount * drawing.steps,
      started: () => this.#begin(isFromPicture ? 'scripts_img2img' : 'scripts_txt2img', drawing),
      stepped: (done) => {
        this.#state.job_no = Math.floor((done - 1) / drawing.steps);
        this.#state.sampling_step = ((done - 1) % drawing.steps) + 1;
        this.#failAt(job);
      },
    });
    const end = await job.ended;
    this.#end();
    if (end === 'died') return;
    const wrong = { images: 'none', parameters: [], info: 7 };
    if (this.core.spoil(call, { json: wrong, opening: '{"images":["' })) return;
    if (this.core.fault === 'out_of_memory')
      throw new PythonError('OutOfMemoryError', OUT_OF_MEMORY);
    const isWhole = end === 'done';
    sendJson(call, 200, {
      images: fields.send_images === false ? [] : this.#images(drawing, job, isWhole),
      parameters: parametersOf(fields),
      info: infoOf(drawing, this.#state.job_timestamp, this.#flavor),
    });
  }

  /** Of an interrupted job: the pictures up to the current batch, the last of them unfinished. */
  #images(drawing: Drawing, job: Job, isWhole: boolean): readonly string[] {
    const { batchSize, iterations, jobCount, steps, seed, hasGrid } = drawing;
    const perBatch = (jobCount / iterations) * steps;
    const batches = isWhole ? iterations : Math.floor(job.stepsDone / perBatch) + 1;
    const count = Math.min(batches, iterations) * batchSize;
    const images = Array.from({ length: count }, (_, index) => {
      const isUnfinished = !isWhole && index >= count - batchSize;
      const parts = [...drawing.parts, seed + index, isUnfinished ? job.stepsDone : 'whole'];
      const png = this.core.picture(drawing.width, drawing.height, ...parts);
      if (this.core.fault === 'not_a_picture') return png.toString('base64');
      return withPngText(png, 'parameters', infotextOf(drawing, index, this.#flavor)).toString(
        'base64',
      );
    });
    const grid = hasGrid
      ? [this.core.picture(drawing.width, drawing.height, 'grid').toString('base64')]
      : [];
    return [...grid, ...images];
  }

  async #upscale(call: Call): Promise<void> {
    const fields = this.#read(call, 'extras');
    if (!fields) return;
    const picture = decodePicture(fields.image);
    const { width = 1, height = 1 } = pictureFacts(picture) ?? {};
    const name = String(fields.upscaler_1);
    const isKnown = this.#upscalers().some((one) => one.name === name);
    const job = this.core.addJob({
      steps: 4,
      started: () => this.#begin('extras', { jobCount: 1, steps: 0 }),
      stepped: () => this.#failAt(job),
    });
    const end = await job.ended;
    this.#end();
    if (end === 'died') return;
    if (this.core.spoil(call, { json: { html_info: 1, image: 2 }, opening: '{"image":"' })) return;
    if (this.core.fault === 'out_of_memory')
      throw new PythonError('OutOfMemoryError', OUT_OF_MEMORY);
    if (end === 'interrupted') throw new PythonError('IndexError', 'list index out of range');
    if (!isKnown) throw new PythonError('AssertionError', `could not find upscaler named ${name}`);
    const factor = Number(fields.upscaling_resize);
    const isToSize = fields.resize_mode === 1;
    const size = isToSize
      ? [Number(fields.upscaling_resize_w), Number(fields.upscaling_resize_h)]
      : [Math.floor(width * factor), Math.floor(height * factor)];
    const made = this.core.picture(size[0] ?? 1, size[1] ?? 1, name, picture);
    const image = (name === 'None' ? picture : made).toString('base64');
    sendJson(call, 200, { html_info: '<div>Postprocess upscale</div>', image });
  }

  #interrupt(call: Call): void {
    this.core.cancels.push(performance.now());
    this.#state.interrupted = true;
    for (const job of this.core.runningJobs) this.core.interruptJob(job);
    sendJson(call, 200, {});
  }

  #setOptions(call: Call): void {
    const { sd_model_checkpoint: name } = jsonOf(call) as { sd_model_checkpoint?: unknown };
    const found = this.#find(name);
    if (name !== undefined && name !== null && found === null)
      throw new PythonError('RuntimeError', `model '${String(name)}' not found`);
    this.#loaded = found ?? this.#loaded;
    sendJson(call, 200, null);
  }

  #sendProgress(call: Call): void {
    const { job_count, job_no, sampling_step, sampling_steps } = this.#state;
    const base = { state: { ...this.#state }, textinfo: null };
    if (job_count === 0) {
      sendJson(call, 200, { progress: 0, eta_relative: 0, ...base, current_image: null });
      return;
    }
    let progress = 0.01;
    if (job_count > 0) progress += job_no / job_count;
    if (sampling_steps > 0) progress += sampling_step / sampling_steps / job_count;
    const passed = (performance.now() - this.#startedAt) / 1_000;
    const hasPreview = sampling_step >= PREVIEW_EVERY && call.query.skip_current_image !== 'true';
    const preview = this.core.picture(64, 64, 'preview', job_no, sampling_step);
    sendJson(call, 200, {
      ...{ progress: Math.min(progress, 1), eta_relative: passed / progress - passed, ...base },
      current_image: hasPreview ? preview.toString('base64') : null,
    });
  }

  #sendLists(call: Call, route: string): void {
    const models = this.#titles.map((title, index) => {
      const filename = title.replace(/ \[.*$/, '');
      const model_name = filename.replace(/\.[^.]*$/, '');
      const hashes = { hash: hashAt(index), sha256: hashAt(index).padEnd(64, '0') };
      return { title, model_name, ...hashes, filename: `/models/${filename}`, config: null };
    });
    const lists: Readonly<Record<string, unknown>> = {
      'GET sd-models': models,
      'GET samplers': SAMPLERS.map((name) => ({ name, aliases: [], options: {} })),
      'GET schedulers': SCHEDULERS.map((label) => ({
        ...{ name: label.toLowerCase(), label, aliases: null, default_rho: -1 },
        need_inner_model: false,
      })),
      'GET upscalers': this.#upscalers(),
      'GET options': { sd_model_checkpoint: this.#loaded, samples_format: 'png' },
      'GET cmd-flags': { api: true, api_auth: this.#options.auth ?? null, port: null },
      'GET memory': { ram: { free: 8e9, used: 8e9, total: 16e9 }, cuda: { error: 'unavailable' } },
      'POST refresh-checkpoints': null,
      'POST unload-checkpoint': {},
      'POST reload-checkpoint': {},
      'POST skip': null,
    };
    const isKnown = route in lists;
    sendJson(call, isKnown ? 200 : 404, isKnown ? lists[route] : { detail: 'Not Found' });
  }

  #upscalers(): readonly { readonly name: string; readonly scale: number }[] {
    const names = ['None', 'Lanczos', 'Nearest', ...(this.#options.upscalers ?? ['R-ESRGAN 4x+'])];
    return names.map((name, index) => ({
      ...{ name, model_name: index > 2 ? name : null, model_path: index > 2 ? `/${name}` : null },
      ...{ model_url: null, scale: 4 },
    }));
  }

  /** The title of a model by its title, its file name or its name. */
  #find(name: unknown): string | null {
    const namesOf = (title: string): readonly string[] => {
      const file = title.replace(/ \[.*$/, '');
      return [title, file, file.replace(/\.[^.]*$/, '')];
    };
    return this.#titles.find((title) => namesOf(title).includes(String(name))) ?? null;
  }

  #begin(job: string, { jobCount, steps }: Pick<Drawing, 'jobCount' | 'steps'>): void {
    const job_timestamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
    const counts = { job_count: jobCount, sampling_steps: steps };
    this.#startedAt = performance.now();
    this.#state = { ...idleState(), job, job_timestamp, ...counts };
  }

  /** `interrupted` stays as it is until the next job begins. */
  #end(): void {
    this.#state.job = '';
    this.#state.job_count = 0;
  }

  #failAt(job: Job): void {
    if (this.core.fault === 'out_of_memory') this.core.interruptJob(job);
  }
}

function idleState(): State {
  return {
    ...{ skipped: false, interrupted: false, stopping_generation: false },
    ...{
      job: '',
      job_count: 0,
      job_timestamp: '0',
      job_no: 0,
      sampling_step: 0,
      sampling_steps: 0,
    },
  };
}

function hashAt(index: number): string {
  return (0x31e3_5c80_fc + index).toString(16).padStart(10, '0');
}

function decodePicture(value: unknown): Buffer {
  const text = String(value);
  const isData = text.startsWith('data:image/');
  const bytes = Buffer.from(isData ? (text.split(',')[1] ?? '') : text, 'base64');
  if (pictureFacts(bytes)) return bytes;
  throw new PythonError('HTTPException', 'Invalid encoded image', 500);
}

function parametersOf(fields: Readonly<Record<string, unknown>>): unknown {
  const isKept = fields.include_init_images === true || !('init_images' in fields);
  return isKept ? fields : { ...fields, init_images: null, mask: null };
}

function infoOf(drawing: Drawing, job_timestamp: string, flavor: Flavor): string {
  const { prompt, negative, seed, subseed, width, height, model, batchSize, iterations } = drawing;
  const each = Array.from({ length: batchSize * iterations }, (_, index) => index);
  const infotexts = each.map((index) => infotextOf(drawing, index, flavor));
  return JSON.stringify({
    ...{ prompt, all_prompts: each.map(() => prompt), negative_prompt: negative },
    all_negative_prompts: each.map(() => negative),
    ...{ seed, all_seeds: each.map((index) => seed + index), subseed },
    ...{ all_subseeds: each.map((index) => subseed + index), subseed_strength: 0, width, height },
    ...{ sampler_name: drawing.sampler, cfg_scale: drawing.cfg, steps: drawing.askedSteps },
    ...{ batch_size: batchSize, restore_faces: false, face_restoration_model: null },
    sd_model_name: model.replace(/\.[^.]* \[.*$/, ''),
    sd_model_hash: /\[(.*)\]$/.exec(model)?.[1] ?? null,
    ...{ sd_vae_name: null, sd_vae_hash: null, seed_resize_from_w: -1, seed_resize_from_h: -1 },
    ...{ denoising_strength: drawing.denoising, extra_generation_params: {} },
    index_of_first_image: drawing.hasGrid ? 1 : 0,
    infotexts: drawing.hasGrid ? [infotexts[0], ...infotexts] : infotexts,
    ...{ styles: [], job_timestamp, clip_skip: 1, is_using_inpainting_conditioning: false },
    version: drawing.version,
  });
}
