import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { type ModelPull, startedPull } from '#contract/models.ts';
import { pullFromOllama } from './ollama/ollama-pull.ts';
import { toModelError } from './server-errors.ts';
import type { ServerConnection } from './transport/server-connection.ts';

export interface ModelPullsParts {
  /** Connects to the Ollama server of a provider. Throws `BAD_REQUEST` for servers that cannot pull. */
  readonly connect: (model: ModelRef) => Promise<ServerConnection>;
}

interface Entry {
  pull: ModelPull;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** Model downloads. They continue while no window is open. */
export class ModelPulls implements AsyncDisposable {
  readonly #parts: ModelPullsParts;
  readonly #entries = new Map<string, Entry>();

  constructor(parts: ModelPullsParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  list(): ModelPull[] {
    return [...this.#entries.values()].map(({ pull }) => pull).reverse();
  }

  /** Starts a pull, or returns the current state of one that is already running. */
  async start(model: ModelRef, onProgress: (pull: ModelPull) => void): Promise<ModelPull> {
    const key = `${model.provider}:${model.name}`;
    const running = this.#entries.get(key);
    if (running?.pull.status === 'running') return running.pull;
    const connection = await this.#parts.connect(model);
    const controller = new AbortController();
    const entry: Entry = {
      pull: startedPull(model),
      controller,
      ended: Promise.resolve(),
    };
    const report = (changes: Partial<ModelPull>): void => {
      entry.pull = { ...entry.pull, ...connection.withoutSecrets(changes) };
      onProgress(entry.pull);
    };
    const ended = this.#follow(connection, { model, controller, report });
    this.#entries.delete(key);
    this.#entries.set(key, Object.assign(entry, { ended }));
    return entry.pull;
  }

  cancel({ provider, name }: ModelRef): void {
    this.#entries.get(`${provider}:${name}`)?.controller.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const { controller } of entries) controller.abort();
    await Promise.all(entries.map(({ ended }) => ended));
  }

  async #follow(
    connection: ServerConnection,
    at: {
      readonly model: ModelRef;
      readonly controller: AbortController;
      readonly report: (changes: Partial<ModelPull>) => void;
    },
  ): Promise<void> {
    const { signal } = at.controller;
    try {
      await pullFromOllama(connection, at.model.name, { signal, onStep: at.report });
      at.report({ status: 'completed' });
    } catch (error) {
      if (signal.aborted) at.report({ status: 'cancelled' });
      else at.report({ status: 'failed', problem: problemOf(error, connection) });
    } finally {
      connection.close();
    }
  }
}

function problemOf(error: unknown, connection: ServerConnection): string {
  const known = error instanceof AppError ? error : toModelError(error, connection.identity);
  return known instanceof Error ? known.message : String(known);
}
