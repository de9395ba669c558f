import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ModelRef, ModelServer } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { raceAbort } from '../../base/abort.ts';
import type { Thinking } from '../thinking-switch.ts';
import type { ChatModel } from '../types.ts';
import { EmbeddedModel } from './embedded-model.ts';
import { findEmbeddedRuntime, NOT_INSTALLED, requireEmbeddedRuntime } from './find-runtime.ts';
import { type StartHostProcess, startNodeHost } from './host-process.ts';
import { LlamaHost } from './llama-host.ts';

export const EMBEDDED_PROVIDER = 'embedded';
/** An idle model occupies memory that other programs need. */
const IDLE_MS = 5 * 60_000;

export interface OpenEmbeddedOptions {
  readonly ref: ModelRef;
  /** Files that the user chose; a name that is itself a path need not be among them. */
  readonly files: readonly string[];
  /** Names of such files, by path; a file without one is called as it is. */
  readonly names?: Readonly<Record<string, string>>;
  readonly contextWindow: number;
  readonly thinking: Thinking;
  readonly signal: AbortSignal;
}

interface ActiveHost {
  readonly key: string;
  readonly host: LlamaHost;
  readonly opened: Promise<Opened>;
  isOpen: boolean;
  users: number;
  idle: NodeJS.Timeout | null;
}

interface Opened {
  readonly contextWindow: number;
  readonly trainedContext: number;
  readonly tools: boolean;
  readonly thinking: boolean;
}

/** Models from GGUF files without a server: one at a time, each in a separate process. */
export class EmbeddedRuntime implements AsyncDisposable {
  readonly #root: string;
  readonly #start: StartHostProcess;
  #active: ActiveHost | null = null;

  /** `root` is the app's folder, which holds its resources and, once installed, the runtime. */
  constructor(root: string, start: StartHostProcess = startNodeHost) {
    this.#root = root;
    this.#start = start;
  }

  /**
   * Throws `MODEL_NOT_FOUND` if there is no such name or file, `MODEL_LOAD_FAILED` if the file is not a
   * model or does not fit into memory, `MODEL_SERVER_UNREACHABLE` if the runtime is not installed. An abort
   * rejects at once, and ends the load unless another run waits for it.
   */
  async open({
    ref,
    files,
    names = {},
    contextWindow,
    thinking: asked,
    signal,
  }: OpenEmbeddedOptions): Promise<ChatModel> {
    const runtimeDir = requireEmbeddedRuntime(this.#root);
    const file = fileOf(ref.name, files, names);
    await requireGguf(file);
    const active = this.#acquire({ runtimeDir, file, contextWindow });
    try {
      signal.throwIfAborted();
      const {
        contextWindow: real,
        trainedContext,
        tools,
        thinking,
      } = await raceAbort(active.opened, signal);
      const facts = { trainedContext, tools, thinking, vision: false, cloud: false };
      const release = (): void => this.#release(active);
      return new EmbeddedModel({
        ...{ ref, facts, contextWindow: real, thinking: asked, host: active.host, release },
      });
    } catch (error) {
      this.#release(active);
      throw error;
    }
  }

  /** The chosen files as an entry in the list of servers. */
  async list(
    files: readonly string[],
    names: Readonly<Record<string, string>> = {},
  ): Promise<ModelServer> {
    const isInstalled = findEmbeddedRuntime(this.#root) !== null;
    const models = await Promise.all(
      files.map(async (file) => ({
        ...{ provider: EMBEDDED_PROVIDER, name: nameOfModelFile(file, names) },
        ...{ contextWindow: null, tools: null },
        ...{ vision: false, thinking: null, cloud: false },
        size: (await stat(file).catch(() => null))?.size ?? null,
      })),
    );
    return {
      ...{ provider: EMBEDDED_PROVIDER, label: 'On this computer, without a server' },
      ...{ kind: 'embedded', baseUrl: '', reachable: isInstalled, models },
      problem: isInstalled ? null : NOT_INSTALLED,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#drop();
  }

  #acquire(wanted: { runtimeDir: string; file: string; contextWindow: number }): ActiveHost {
    const { runtimeDir, file, contextWindow } = wanted;
    const key = JSON.stringify([file, contextWindow]);
    if (this.#active?.key !== key || !this.#active.host.isAlive) {
      this.#drop();
      const host = new LlamaHost({
        program: join(this.#root, 'resources', 'embedded', 'llama-host.mjs'),
        runtimeDir,
        start: this.#start,
        onDeath: (how) => (created.isOpen ? diedWhileAnswering(file, how) : loadFailed(file, how)),
      });
      const opened = load(host, { file, contextWindow }).then((facts) => {
        created.isOpen = true;
        return facts;
      });
      // Callers that wait for `opened` get the error. Without any, it must not count as unhandled.
      opened.catch(() => undefined);
      const created: ActiveHost = { key, host, opened, isOpen: false, users: 0, idle: null };
      this.#active = created;
    }
    const active = this.#active;
    active.users += 1;
    if (active.idle !== null) clearTimeout(active.idle);
    return active;
  }

  #release(active: ActiveHost): void {
    active.users -= 1;
    if (active.users > 0) return;
    if (!active.isOpen) {
      // Nobody waits for this load any more.
      active.host.kill();
      if (this.#active === active) this.#active = null;
      return;
    }
    active.idle = setTimeout(() => active.host.kill(), IDLE_MS);
    active.idle.unref();
  }

  #drop(): void {
    if (this.#active === null) return;
    if (this.#active.idle !== null) clearTimeout(this.#active.idle);
    this.#active.host.kill();
    this.#active = null;
  }
}

/** The name of the model in a file. */
export function nameOfModelFile(
  file: string,
  names: Readonly<Record<string, string>> = {},
): string {
  return names[file] ?? basename(file).replace(/\.gguf$/i, '');
}

function fileOf(
  name: string,
  files: readonly string[],
  names: Readonly<Record<string, string>>,
): string {
  if (/\.gguf$/i.test(name)) return name;
  const file = files.find((one) => nameOfModelFile(one, names) === name);
  if (file !== undefined) return file;
  throw new AppError(
    'MODEL_NOT_FOUND',
    `None of the chosen files is called ${name}.gguf. Choose a file in the settings, or use its path: embedded:/path/to/model.gguf.`,
    { details: { model: name } },
  );
}

/** Checks the first bytes, which quickly detects an empty download or a file of another type. */
async function requireGguf(file: string): Promise<void> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) {
    throw new AppError(
      'MODEL_NOT_FOUND',
      `The model file ${file} does not exist, or cannot be read. Check its path and permissions.`,
    );
  }
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.toString('latin1') === 'GGUF') return;
    throw new AppError(
      'MODEL_LOAD_FAILED',
      `${file} is not a GGUF file. Choose a file that ends in .gguf.`,
    );
  } finally {
    await handle.close();
  }
}

async function load(
  host: LlamaHost,
  { file, contextWindow }: { readonly file: string; readonly contextWindow: number },
): Promise<Opened> {
  const never = new AbortController().signal;
  const outcome = await host.request({ kind: 'open', file, contextWindow }, { signal: never });
  if (outcome.kind === 'opened') return outcome;
  host.kill();
  throw loadFailed(file, outcome.kind === 'failed' ? outcome.message : outcome.kind);
}

function loadFailed(file: string, why: string): AppError {
  return new AppError(
    'MODEL_LOAD_FAILED',
    `${basename(file)} could not be loaded (${why}). The file may be damaged, or the machine may lack the memory: set a smaller context window, or choose a smaller model.`,
  );
}

function diedWhileAnswering(file: string, how: string): AppError {
  return new AppError(
    'MODEL_STREAM_BROKEN',
    `The process for ${basename(file)} ended while it was answering (${how}). The answer so far is kept. Send the request again: that starts the process again.`,
  );
}
