import { createHash } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { failed, unavailable } from '../image-errors.ts';
import type { ImageHttp } from '../image-http.ts';
import {
  choicesIn,
  hasNode,
  namesIn,
  type SavedImage,
  SystemStats,
  Uploaded,
} from './comfyui-answers.ts';

/** Where names of model files are listed: in a folder, or on old servers as choices of a node. */
const LISTS = {
  checkpoints: { node: 'CheckpointLoaderSimple', input: 'ckpt_name' },
  upscale_models: { node: 'UpscaleModelLoader', input: 'model_name' },
} as const;
type ModelFolder = keyof typeof LISTS;

/** Of lists and other small answers. */
const MOST_JSON_BYTES = 4 * 1024 * 1024;
/** Of the user's files in ComfyUI's folder `input`. */
const UPLOAD_FOLDER = 'hyperagent';

/** What ComfyUI has, and its files: everything but the jobs. */
export class ComfyuiServer {
  readonly #http: ImageHttp;

  constructor(http: ImageHttp) {
    this.#http = http;
  }

  /** Throws `IMAGE_UNAVAILABLE` where something else answers. */
  async requireComfyui(signal: AbortSignal): Promise<void> {
    const path = '/system_stats';
    const answer = await this.#http.json({ path, signal, maxBytes: MOST_JSON_BYTES }).catch(
      // Whatever answers there, it is not ComfyUI.
      (error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'IMAGE_FAILED') throw error;
        throw unavailable(error.message, error);
      },
    );
    if (answer.status === 200 && safeParse(SystemStats, answer.value).success) return;
    const { label } = this.#http;
    throw unavailable(
      `Something else than ${label} answers at the address of ${label}. Check the address in the settings.`,
    );
  }

  /** The model files of a folder. */
  async models(folder: ModelFolder, signal: AbortSignal): Promise<string[]> {
    const { node, input } = LISTS[folder];
    const listed = await this.#list(`/models/${folder}`, signal);
    if (listed !== null) return namesIn(listed.value) ?? this.#unknownList(folder);
    const info = await this.#list(`/object_info/${node}`, signal);
    return (info && choicesIn(info.value, node, input)) ?? [];
  }

  /** Whether it has such a node. */
  async hasNode(node: string, signal: AbortSignal): Promise<boolean> {
    const info = await this.#list(`/object_info/${node}`, signal);
    return info !== null && hasNode(info.value, node);
  }

  /** A list; null where the server has no such address. */
  async #list(path: string, signal: AbortSignal): Promise<{ readonly value: unknown } | null> {
    const { status, body } = await this.#http.send({ path, signal, maxBytes: MOST_JSON_BYTES });
    if (status === 404 || status === 405) return null;
    if (status !== 200) throw this.#http.refused(path, status, '');
    try {
      return { value: parseOutsideJson(body.toString('utf8')) };
    } catch (error) {
      return this.#unknownList(path, error);
    }
  }

  #unknownList(what: string, cause?: unknown): never {
    const { label } = this.#http;
    throw failed(`${label} listed ${what} in an unknown form. Update ${label}.`, cause);
  }

  /** How the server names the picture. The same picture has the same name, and is stored once. */
  async upload(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.png`;
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name);
    form.set('type', 'input');
    form.set('subfolder', UPLOAD_FOLDER);
    const path = '/upload/image';
    const { status, value } = await this.#http.json({
      ...{ method: 'POST', path, form, signal, timeoutMs: null, maxBytes: MOST_JSON_BYTES },
    });
    const uploaded = safeParse(Uploaded, value);
    if (status !== 200 || !uploaded.success) {
      throw this.#http.refused('the picture', status, 'it was not stored');
    }
    const { name: stored, subfolder } = uploaded.data;
    return subfolder === '' ? stored : `${subfolder}/${stored}`;
  }

  /** A picture that a job made. */
  async view({ filename, subfolder, type }: SavedImage, signal: AbortSignal): Promise<Uint8Array> {
    const { label } = this.#http;
    const query = Object.entries({ filename, subfolder, type })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    const { status, contentType, body } = await this.#http.send({
      ...{ path: `/view?${query}`, signal, timeoutMs: null },
    });
    if (status === 404) {
      throw failed(`${label} no longer has the picture that it made. Order it again.`);
    }
    if (status !== 200) throw this.#http.refused('to show the picture', status, '');
    if (contentType === 'text/html') {
      throw failed(
        `${label} sent a page in place of a picture. Check its address in the settings.`,
      );
    }
    return body;
  }
}
