import { z } from 'zod';
import { parseJson } from '../json-text.ts';
import type { ServerConnection } from '../transport/server-connection.ts';

/** Beside a conversation, so it may take a little; whoever does not answer is not asked again. */
const LIMIT_MS = 5_000;

const count = z.number().int().positive().nullish().catch(null);
const RunningModels = z.object({
  models: z.array(z.object({ name: z.string(), context_length: count })),
});
const Props = z.object({
  n_ctx: count,
  default_generation_settings: z.object({ n_ctx: count }).nullish().catch(null),
});

/** The window that Ollama has loaded a model with (`/api/ps`); null while it does not say. */
export async function readOllamaWindow(
  connection: ServerConnection,
  name: string,
  signal: AbortSignal,
): Promise<number | null> {
  const request = { method: 'GET', path: '/api/ps', limitMs: LIMIT_MS, signal } as const;
  const answer = await connection.small(request);
  const running = RunningModels.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !running.success) return null;
  const found = running.data.models.find((model) => withTag(model.name) === withTag(name));
  return found?.context_length ?? null;
}

/** The window of a llama.cpp server (`/props`, beside `/v1`); null for servers without it. */
export async function readPropsWindow(
  connection: ServerConnection,
  signal: AbortSignal,
): Promise<number | null> {
  const request = {
    method: 'GET',
    path: '/props',
    beside: '/v1',
    limitMs: LIMIT_MS,
    signal,
  } as const;
  const answer = await connection.small(request);
  const props = Props.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !props.success) return null;
  return props.data.default_generation_settings?.n_ctx ?? props.data.n_ctx ?? null;
}

function withTag(name: string): string {
  return /:[^/]*$/.test(name) ? name : `${name}:latest`;
}

/**
 * The window of an open model: what was asked for, until the server was asked, once, what it holds.
 * Asked beside the conversation, after the first answer; nothing waits for it.
 */
export class LoadedWindow {
  readonly #ask: (signal: AbortSignal) => Promise<number | null>;
  readonly #closed = new AbortController();
  #tokens: number | null;
  #asked = false;

  constructor(tokens: number | null, ask: (signal: AbortSignal) => Promise<number | null>) {
    this.#tokens = tokens;
    this.#ask = ask;
  }

  get tokens(): number | null {
    return this.#tokens;
  }

  /** To be called once an answer has come, when the model is surely loaded. */
  readBack(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#ask(this.#closed.signal).then(
      (held) => {
        if (held !== null) this.#tokens = Math.min(held, this.#tokens ?? held);
      },
      // Servers without such a question are taken at their word.
      () => null,
    );
  }

  close(): void {
    this.#closed.abort();
  }
}
