import {
  type Call,
  type FakeImageServer,
  ImageServerCore,
  isRecord,
  type Job,
  jsonOf,
  sendJson,
} from './fake-image-server.ts';
import { withPngText } from './png.ts';
import {
  checkFormat,
  type Generation,
  infoOf,
  infotextOf,
  LATENT_UPSCALERS,
  OPENAI_TYPES,
  Refusal,
  readEdit,
  readNative,
  readOpenAi,
  readSdApi,
  SDAPI_TYPES,
  type SdGenerationOptions,
  wrongType,
} from './sd-generation.ts';

export interface SdServerOptions extends SdGenerationOptions {
  /** The file that it has loaded. */
  readonly model?: string;
  /** Jobs that wait or run before it answers 429. */
  readonly maxPendingJobs?: number;
  /** How long a finished job is kept. */
  readonly jobTtlMs?: number;
  /** False: the model draws no pictures, but films. */
  readonly drawsImages?: boolean;
}

const SAMPLERS =
  'euler euler_a heun dpm2 dpm++2s_a dpm++2m dpm++2mv2 ipndm ipndm_v lcm ddim_trailing tcd res_multistep res_2s er_sde euler_cfg_pp euler_a_cfg_pp euler_ge dpm++2m_sde dpm++2m_sde_bt lms'.split(
    ' ',
  );
const SCHEDULERS =
  'discrete normal karras exponential ays gits sgm_uniform simple smoothstep kl_optimal lcm bong_tangent ltx2 logit_normal flux2 flux beta'.split(
    ' ',
  );
/** All that the log would say more of a failure is lost. */
const NO_RESULTS = 'generate_image returned no results';
const FLAGS =
  'init_image mask_image control_image ip_adapter_image ref_images lora vae_tiling hires cache cancel_queued';

interface AsyncJob {
  readonly id: string;
  readonly created: number;
  readonly format: string;
  readonly job: Job;
  started: number | null;
  completed: number | null;
  images: readonly string[];
  error: { readonly code: string; readonly message: string } | null;
}

/** stable-diffusion.cpp's `sd-server`, as of 2026-08: see README.md. */
export async function startFakeSdServer(options: SdServerOptions = {}): Promise<FakeImageServer> {
  return new SdServer(options).core.start();
}

class SdServer {
  readonly core = new ImageServerCore((call) => this.#answer(call));
  readonly #options: SdServerOptions;
  readonly #jobs = new Map<string, AsyncJob>();

  constructor(options: SdServerOptions) {
    this.#options = options;
    this.core.onDeath = () => this.#jobs.clear();
  }

  async #answer(call: Call): Promise<void> {
    const { method, path, response, headers } = call;
    response.setHeader('access-control-allow-origin', headers.origin ?? '*');
    response.setHeader('access-control-allow-credentials', 'true');
    response.setHeader('access-control-allow-methods', '*');
    response.setHeader('access-control-allow-headers', '*');
    const job = /^\/sdcpp\/v1\/jobs\/([A-Za-z0-9_-]+)(\/cancel)?$/.exec(path);
    try {
      if (method === 'OPTIONS') response.writeHead(204).end();
      else if (method === 'GET' && job && !job[2]) this.#sendJob(call, job[1] ?? '');
      else if (method === 'POST' && job?.[2]) this.#cancel(call, job[1] ?? '');
      else if (method === 'GET') this.#get(call);
      else if (method === 'POST') await this.#post(call);
      else response.writeHead(404).end();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      sendJson(call, 400, { error: error.message });
    }
  }

  #get(call: Call): void {
    const file = this.#options.model ?? 'sd_xl_base_1.0.safetensors';
    const stem = file.replace(/\.[^.]*$/, '');
    const models = this.#options.upscalers ?? [];
    const scalers = ['None', 'Lanczos', 'Nearest', ...models].map((name) => ({
      name,
      model_name: models.includes(name) ? 'ESRGAN_4x' : null,
      model_path: models.includes(name) ? `/upscalers/${name}.pth` : null,
      model_url: null,
      scale: 4,
    }));
    const digits = '8'.repeat(64);
    const names = { title: stem, model_name: stem, filename: file };
    const answers: Readonly<Record<string, unknown>> = {
      '/sdcpp/v1/capabilities': this.#capabilities(file, stem),
      '/v1/models': { data: [{ id: 'sd-cpp-local', object: 'model', owned_by: 'local' }] },
      '/sdapi/v1/sd-models': [
        { ...names, hash: digits.slice(0, 10), sha256: digits, config: null },
      ],
      '/sdapi/v1/options': { samples_format: 'png', sd_model_checkpoint: stem },
      '/sdapi/v1/loras': this.#loras(),
      '/sdapi/v1/upscalers': scalers,
      '/sdapi/v1/latent-upscale-modes': LATENT_UPSCALERS.map((name) => ({ name })),
      '/sdapi/v1/samplers': ['default', ...SAMPLERS].map((name) => ({
        ...{ name, aliases: [name], options: {} },
      })),
      '/sdapi/v1/schedulers': ['default', ...SCHEDULERS].map((name) => ({ name, label: name })),
    };
    const answer = answers[call.path];
    if (answer !== undefined) sendJson(call, 200, answer);
    else if (call.path === '/') call.response.end('Stable Diffusion Server is running');
    else call.response.writeHead(404).end();
  }

  async #post(call: Call): Promise<void> {
    const isSdApi = /^\/sdapi\/v1\/(txt2img|img2img)$/.exec(call.path)?.[1];
    const isKnown =
      isSdApi !== undefined ||
      ['/sdcpp/v1/img_gen', '/v1/images/generations', '/v1/images/edits'].includes(call.path);
    if (!isKnown) {
      call.response.writeHead(404).end();
      return;
    }
    if (call.raw.length === 0) throw new Refusal('empty body');
    if (this.#options.drawsImages === false)
      throw new Refusal('loaded model does not support img_gen');
    if (call.path === '/v1/images/edits') {
      await this.#draw(call, readEdit(call, this.#options), 'openai');
      return;
    }
    const body = jsonOf(call);
    if (body === undefined && call.path === '/sdcpp/v1/img_gen') {
      const message = '[json.exception.parse_error.101] parse error at line 1, column 1';
      sendJson(call, 400, { error: 'invalid json', message });
    } else if (!isRecord(body)) {
      const message = '[json.exception.type_error.306] cannot use value() with array';
      sendJson(call, 500, { error: 'server_error', message });
    } else {
      const isNative = call.path === '/sdcpp/v1/img_gen';
      const message = wrongType(body, isSdApi ? SDAPI_TYPES : OPENAI_TYPES, isNative);
      if (message) sendJson(call, 500, { error: 'server_error', message });
      else if (isNative) this.#addJob(call, body);
      else if (isSdApi) await this.#draw(call, readSdApi(body, isSdApi, this.#options), isSdApi);
      else await this.#draw(call, readOpenAi(body, this.#options), 'openai');
    }
  }

  #addJob(call: Call, body: Readonly<Record<string, unknown>>): void {
    const generation = readNative(body, this.#options, 'invalid generation parameters');
    const format = checkFormat(body.output_format);
    const pending = [...this.#jobs.values()].filter(({ completed }) => completed === null);
    if (pending.length >= (this.#options.maxPendingJobs ?? 64)) {
      sendJson(call, 429, { error: 'job queue is full' });
      return;
    }
    const created = seconds();
    const number = this.#jobs.size.toString(16).padStart(8, '0');
    const id = `job_${created.toString(16)}_${number}`;
    const job = this.core.addJob({
      steps: generation.steps * generation.count,
      started: () => {
        entry.started = seconds();
      },
    });
    const entry: AsyncJob = {
      ...{ id, created, format, job, started: null, completed: null, images: [], error: null },
    };
    this.#jobs.set(id, entry);
    void job.ended.then((end) => {
      entry.completed = seconds();
      if (end === 'removed')
        entry.error = { code: 'cancelled', message: 'job cancelled by client' };
      else if (this.core.fault === 'out_of_memory')
        entry.error = { code: 'generation_failed', message: NO_RESULTS };
      else entry.images = this.#pictures(generation);
    });
    if (this.core.fault === 'html') this.core.spoil(call, { json: null, opening: '' });
    else {
      const poll_url = `/sdcpp/v1/jobs/${id}`;
      sendJson(call, 202, { id, kind: 'img_gen', status: 'queued', created, poll_url });
    }
  }

  #find(call: Call, id: string): AsyncJob | null {
    const entry = this.#jobs.get(id);
    const ttl = (this.#options.jobTtlMs ?? 600_000) / 1_000;
    if (entry && (entry.completed === null || seconds() - entry.completed < ttl)) return entry;
    sendJson(call, entry ? 410 : 404, { error: entry ? 'job expired' : 'job not found' });
    return null;
  }

  #sendJob(call: Call, id: string): void {
    const entry = this.#find(call, id);
    if (!entry) return;
    const wrong = {
      json: { id: 7, status: 'completed', result: { images: 'none' } },
      opening: `{"id":"${id}","status":"completed","result":{"images":[{"index":0,"b64_json":"`,
    };
    const isSpoiled = entry.completed !== null && this.core.spoil(call, wrong);
    if (!isSpoiled) sendJson(call, 200, this.#jobJson(entry));
  }

  #cancel(call: Call, id: string): void {
    this.core.cancels.push(performance.now());
    const entry = this.#find(call, id);
    if (!entry) return;
    if (entry.job.state === 'running') {
      const error = 'job is currently generating and cannot be interrupted yet';
      sendJson(call, 409, { error });
      return;
    }
    if (this.core.removeJob(entry.job)) {
      entry.completed = seconds();
      entry.error = { code: 'cancelled', message: 'job cancelled by client' };
    }
    sendJson(call, 200, this.#jobJson(entry));
  }

  #jobJson(entry: AsyncJob): unknown {
    const { id, created, started, completed, images, error, format, job } = entry;
    const waiting = [...this.#jobs.values()].filter(
      (one) => one.job.state === 'waiting' && one.completed === null,
    );
    const open = job.state === 'waiting' ? 'queued' : 'generating';
    const over = error ? (error.code === 'cancelled' ? 'cancelled' : 'failed') : 'completed';
    const results = images.map((b64_json, index) => ({ index, b64_json }));
    return {
      ...{ id, kind: 'img_gen', status: completed === null ? open : over },
      ...{ created, started, completed, queue_position: waiting.indexOf(entry) + 1 },
      result: images.length > 0 ? { output_format: format, images: results } : null,
      error,
    };
  }

  /** Of the synchronous routes: the client waits for the picture. */
  async #draw(call: Call, generation: Generation, kind: string): Promise<void> {
    const { steps, count } = generation;
    await this.core.addJob({ steps: steps * count }).ended;
    const b64_json = 'b64_json';
    const opening = kind === 'openai' ? `{"data":[{"${b64_json}":"` : '{"images":["';
    const json = { created: 'now', data: {}, images: 'none', info: 7 };
    if (this.core.spoil(call, { json, opening })) return;
    if (this.core.fault === 'out_of_memory') {
      sendJson(call, 500, { error: NO_RESULTS });
      return;
    }
    const images = this.#pictures(generation);
    if (kind === 'openai') {
      const data = images.map((image) => ({ b64_json: image }));
      sendJson(call, 200, { created: seconds(), data, output_format: 'png' });
    } else
      sendJson(call, 200, {
        images,
        info: infoOf(generation, kind, this.#options.model ?? 'sd_xl_base_1.0.safetensors'),
        parameters: jsonOf(call),
      });
  }

  #pictures(generation: Generation): readonly string[] {
    const { count, seed, hires, pictures } = generation;
    const { width, height } = hires ?? generation;
    const aligned = (side: number): number => Math.ceil(side / 8) * 8;
    const { prompt, negative, steps, cfg, strength } = generation;
    return Array.from({ length: count }, (_, index) => {
      const parts = [prompt, negative, seed + index, steps, cfg, strength, ...pictures];
      const png = this.core.picture(aligned(width), aligned(height), ...parts);
      const isPicture = this.core.fault !== 'not_a_picture';
      const text = infotextOf(generation, index);
      return (isPicture ? withPngText(png, 'parameters', text) : png).toString('base64');
    });
  }

  #loras(): readonly { readonly name: string; readonly path: string }[] {
    const nameOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
    return (this.#options.loras ?? []).map((path) => ({ name: nameOf(path), path }));
  }

  #capabilities(name: string, stem: string): unknown {
    const draws = this.#options.drawsImages !== false;
    const mode = draws ? 'img_gen' : 'vid_gen';
    const features = {
      ...Object.fromEntries(FLAGS.split(' ').map((flag) => [flag, true])),
      cancel_generating: false,
    };
    const guidance = { txt_cfg: 7, img_cfg: null, distilled_guidance: 3.5 };
    const sample_params = {
      ...{ scheduler: 'default', sample_method: 'default', sample_steps: 20, eta: null },
      ...{ shifted_timestep: 0, flow_shift: null, guidance },
    };
    const defaults = {
      ...{ prompt: '', negative_prompt: '', clip_skip: -1, width: 512, height: 512 },
      ...{ strength: 0.75, seed: this.#options.seed ?? 42, batch_count: 1, sample_params },
      ...{ output_format: 'png', output_compression: 100 },
    };
    const formats = ['png', 'jpeg', 'webp'];
    const scalers = ['None', 'Lanczos', 'Nearest', ...LATENT_UPSCALERS];
    return {
      model: { name, stem, path: `/models/${name}` },
      ...{ current_mode: mode, supported_modes: [mode] },
      ...{ defaults, defaults_by_mode: { [mode]: defaults } },
      limits: {
        ...{ min_width: 64, max_width: 4096, min_height: 64, max_height: 4096 },
        ...{ max_batch_count: 8, max_queue_size: this.#options.maxPendingJobs ?? 64 },
      },
      ...{ samplers: SAMPLERS, schedulers: SCHEDULERS },
      ...{ output_formats: formats, output_formats_by_mode: { [mode]: formats } },
      ...{ features, features_by_mode: { [mode]: features }, loras: this.#loras() },
      upscalers: [...scalers, ...(this.#options.upscalers ?? [])].map((one) => ({ name: one })),
    };
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}
