import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ModelRef, ModelServer } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { ChatModel } from '../types.ts';
import { EmbeddedModel } from './embedded-model.ts';
import { findEmbeddedRuntime, NOT_INSTALLED, requireEmbeddedRuntime } from './find-runtime.ts';
import { type StartHostProcess, startNodeHost } from './host-process.ts';
import { LlamaHost } from './llama-host.ts';

export const EMBEDDED_PROVIDER = 'embedded';
/** A model that nobody asks takes memory that others need. */
const IDLE_MS = 5 * 60_000;

export interface OpenEmbeddedOptions {
  readonly ref: ModelRef;
  /** Files that the person chose; a name that is a path itself need not be among them. */
  readonly files: readonly string[];
  readonly contextWindow: number;
  readonly signal: AbortSignal;
}

interface Held {
  readonly key: string;
  readonly host: LlamaHost;
  readonly opened: Promise<Opened>;
  users: number;
  idle: NodeJS.Timeout | null;
}

interface Opened {
  readonly contextWindow: number;
  readonly trainedContext: number;
  readonly tools: boolean;
  readonly thinking: boolean;
}

/** Models of GGUF files without any server: one at a time, each in a process of its own. */
export class EmbeddedRuntime implements AsyncDisposable {
  readonly #root: string;
  readonly #start: StartHostProcess;
  #held: Held | null = null;

  /** `root` is the app's folder: its resources lie there, and the runtime once it is installed. */
  constructor(root: string, start: StartHostProcess = startNodeHost) {
    this.#root = root;
    this.#start = start;
  }

  /**
   * Throws `MODEL_NOT_FOUND` for a name or file that is not there, `MODEL_LOAD_FAILED` for one that is no
   * model or does not fit the memory, `MODEL_SERVER_UNREACHABLE` where the runtime is not installed.
   */
  async open({ ref, files, contextWindow, signal }: OpenEmbeddedOptions): Promise<ChatModel> {
    const runtimeDir = requireEmbeddedRuntime(this.#root);
    const file = fileOf(ref.name, files);
    await requireGguf(file);
    const held = this.#take({ runtimeDir, file, contextWindow });
    try {
      signal.throwIfAborted();
      const { contextWindow: real, trainedContext, tools, thinking } = await held.opened;
      const facts = { trainedContext, tools, thinking, vision: false, cloud: false };
      const release = (): void => this.#release(held);
      return new EmbeddedModel({ ref, facts, contextWindow: real, host: held.host, release });
    } catch (error) {
      this.#release(held);
      throw error;
    }
  }

  /** How the chosen files are listed. */
  async list(files: readonly string[]): Promise<ModelServer> {
    const isInstalled = findEmbeddedRuntime(this.#root) !== null;
    const models = await Promise.all(
      files.map(async (file) => ({
        ...{ provider: EMBEDDED_PROVIDER, name: nameOf(file), contextWindow: null, tools: null },
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

  #take(wanted: { runtimeDir: string; file: string; contextWindow: number }): Held {
    const { runtimeDir, file, contextWindow } = wanted;
    const key = JSON.stringify([file, contextWindow]);
    if (this.#held?.key !== key || !this.#held.host.isAlive) {
      this.#drop();
      let isOpen = false;
      const host = new LlamaHost({
        program: join(this.#root, 'resources', 'embedded', 'llama-host.mjs'),
        runtimeDir,
        start: this.#start,
        onDeath: (how) => (isOpen ? diedAtWork(file, how) : didNotLoad(file, how)),
      });
      const opened = load(host, { file, contextWindow }).then((facts) => {
        isOpen = true;
        return facts;
      });
      // Whoever waits for it hears of it; nobody else does.
      opened.catch(() => undefined);
      this.#held = { key, host, opened, users: 0, idle: null };
    }
    const held = this.#held;
    held.users += 1;
    if (held.idle !== null) clearTimeout(held.idle);
    return held;
  }

  #release(held: Held): void {
    held.users -= 1;
    if (held.users > 0) return;
    held.idle = setTimeout(() => held.host.kill(), IDLE_MS);
    held.idle.unref();
  }

  #drop(): void {
    if (this.#held === null) return;
    if (this.#held.idle !== null) clearTimeout(this.#held.idle);
    this.#held.host.kill();
    this.#held = null;
  }
}

function nameOf(file: string): string {
  return basename(file).replace(/\.gguf$/i, '');
}

function fileOf(name: string, files: readonly string[]): string {
  if (/\.gguf$/i.test(name)) return name;
  const file = files.find((one) => nameOf(one) === name);
  if (file !== undefined) return file;
  throw new AppError(
    'MODEL_NOT_FOUND',
    `No file was chosen that is called ${name}.gguf. Choose one in the settings, or name it: embedded:/path/to/model.gguf.`,
    { details: { model: name } },
  );
}

/** Looks at the first bytes: a download that broke off, or a file of another kind, shows at once. */
async function requireGguf(file: string): Promise<void> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) {
    throw new AppError(
      'MODEL_NOT_FOUND',
      `The model file ${file} is not there, or cannot be read.`,
    );
  }
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.toString('latin1') === 'GGUF') return;
    throw new AppError(
      'MODEL_LOAD_FAILED',
      `${file} is no GGUF file. Choose a file that ends in .gguf.`,
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
  throw didNotLoad(file, outcome.kind === 'failed' ? outcome.message : outcome.kind);
}

function didNotLoad(file: string, why: string): AppError {
  return new AppError(
    'MODEL_LOAD_FAILED',
    `${basename(file)} could not be loaded (${why}). The file may be broken, or the machine may lack the memory: set a smaller context window, or choose a smaller model.`,
  );
}

function diedAtWork(file: string, how: string): AppError {
  return new AppError(
    'MODEL_STREAM_BROKEN',
    `The process of ${basename(file)} ended while it was at work (${how}). What had arrived is kept; the next request starts it again.`,
  );
}
