import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeModel, ServerOptions } from './options.ts';

interface Loaded {
  readonly model: FakeModel;
  readonly numCtx: number;
  readonly expiresAt: Date;
}

/** The models of the server: what is installed, what is loaded with which window, what is pulled. */
export class Library {
  readonly #options: ServerOptions;
  #installed: FakeModel[];
  #loaded: Loaded | null = null;
  #loading: Promise<void> | null = null;
  /** Bytes of each layer that earlier pulls have got. */
  readonly #pulled = new Map<string, number>();
  /** How often a model was loaded; a change of window counts. */
  loads = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#installed = [...options.models];
  }

  get installed(): readonly FakeModel[] {
    return this.#installed;
  }

  /** By any of its names: with or without the default tag. */
  find(name: string): FakeModel | undefined {
    const full = withTag(name.replace(/:local$/, ''));
    return this.#installed.find((model) => withTag(model.name) === full);
  }

  /**
   * Loads the model with this window unless it is loaded so already, which takes its `loadMs`.
   * Returns what it took.
   */
  async load(model: FakeModel, asked: number | null): Promise<{ numCtx: number; loadMs: number }> {
    const fromFile = /^num_ctx\s+(\d+)/m.exec(model.parameters ?? '')?.[1];
    const wanted =
      asked ?? (fromFile === undefined ? this.#options.defaultContext : Number(fromFile));
    const { largestContext } = this.#options;
    const numCtx = Math.min(wanted, model.trainedContext ?? wanted, largestContext ?? wanted);
    if (this.#loading !== null) await this.#loading;
    if (this.#loaded?.model === model && this.#loaded.numCtx === numCtx)
      return { numCtx, loadMs: 0 };
    this.loads += 1;
    this.#loaded = null;
    this.#loading = sleep(model.loadMs);
    await this.#loading;
    this.#loading = null;
    this.#loaded = { model, numCtx, expiresAt: new Date(Date.now() + 300_000) };
    return { numCtx, loadMs: model.loadMs };
  }

  unload(): void {
    this.#loaded = null;
  }

  /** Empty while a model is being loaded. */
  running(): unknown[] {
    if (this.#loaded === null) return [];
    const { model, numCtx, expiresAt } = this.#loaded;
    return [
      {
        name: withTag(model.name),
        model: withTag(model.name),
        size: model.size,
        digest: digestOf(model.name),
        details: details(model),
        expires_at: expiresAt.toISOString(),
        size_vram: model.size,
        context_length: numCtx,
      },
    ];
  }

  tags(): unknown[] {
    return this.#installed.map((model) => ({
      name: withTag(model.name),
      model: withTag(model.name),
      modified_at: '2026-10-01T10:00:00.123456789+02:00',
      size: model.size,
      digest: digestOf(model.name),
      details: {
        ...details(model),
        ...(this.#options.oldTags || model.trainedContext === null
          ? {}
          : { context_length: model.trainedContext }),
      },
      ...(this.#options.oldTags ? {} : { capabilities: model.capabilities }),
      ...remote(model),
    }));
  }

  show(model: FakeModel): unknown {
    return {
      modelfile: `FROM ${model.name}\n`,
      ...(model.parameters === undefined ? {} : { parameters: model.parameters }),
      template: '{{ .Prompt }}',
      details: details(model),
      model_info: {
        'general.architecture': 'fake',
        'general.parameter_count': 8_000_000_000,
        ...(model.trainedContext === null ? {} : { 'fake.context_length': model.trainedContext }),
        'tokenizer.ggml.tokens': null,
      },
      capabilities: model.capabilities,
      modified_at: '2026-10-01T10:00:00.123456789+02:00',
      ...remote(model),
    };
  }

  remove(name: string): boolean {
    const model = this.find(name);
    if (model === undefined) return false;
    this.#installed = this.#installed.filter((other) => other !== model);
    if (this.#loaded?.model === model) this.#loaded = null;
    return true;
  }

  copy(source: string, destination: string): boolean {
    const model = this.find(source);
    if (model === undefined) return false;
    this.#installed = [{ ...model, name: destination }, ...this.#installed];
    return true;
  }

  /** The lines of a pull; an aborted one goes on where it was the next time. */
  async *pull(name: string, gone: AbortSignal): AsyncGenerator<Record<string, unknown>> {
    yield { status: 'pulling manifest' };
    const layers = this.#options.library[name];
    if (layers === undefined) {
      yield { error: 'pull model manifest: file does not exist' };
      return;
    }
    for (const [index, total] of layers.entries()) {
      const digest = digestOf(`${name}/${index}`);
      const line = { status: `pulling ${digest.slice(0, 12)}`, digest: `sha256:${digest}`, total };
      let completed = this.#pulled.get(digest) ?? 0;
      if (completed === total) yield { ...line, completed };
      while (completed < total) {
        yield completed === 0 ? line : { ...line, completed };
        await sleep(this.#options.pullTickMs);
        if (gone.aborted) return;
        completed = Math.min(total, completed + Math.ceil(total / 4));
        this.#pulled.set(digest, completed);
        if (completed === total) yield { ...line, completed };
      }
    }
    yield { status: 'verifying sha256 digest' };
    yield { status: 'writing manifest' };
    if (this.find(name) === undefined) {
      this.#installed = [newModel(name, layers), ...this.#installed];
    }
    yield { status: 'success' };
  }
}

export function withTag(name: string): string {
  return name.includes(':') ? name : `${name}:latest`;
}

function newModel(name: string, layers: readonly number[]): FakeModel {
  return {
    name: withTag(name),
    capabilities: ['completion', 'tools'],
    trainedContext: 32_768,
    size: layers.reduce((sum, size) => sum + size, 0),
    native: false,
    loadMs: 0,
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function remote(model: FakeModel): Record<string, string> {
  if (model.remoteModel === undefined) return {};
  return {
    remote_model: model.remoteModel,
    remote_host: model.remoteHost ?? 'https://ollama.com:443',
  };
}

function details(model: FakeModel): Record<string, unknown> {
  return {
    parent_model: '',
    format: 'gguf',
    family: 'fake',
    families: ['fake'],
    parameter_size: model.capabilities.includes('embedding') ? '137M' : '8.0B',
    quantization_level: 'Q4_K_M',
  };
}
