import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { parseJson } from '../json-text.ts';
import type { ServerConnection } from '../transport/server-connection.ts';

/** The request runs in parallel to a conversation, so it may take a while; it is not repeated. */
const LIMIT_MS = 5_000;

const count = z.number().int().positive().nullish().catch(null);
const RunningModels = z.object({
  models: z.array(z.object({ name: z.string(), context_length: count })),
});
const Props = z.object({
  n_ctx: count,
  default_generation_settings: z.object({ n_ctx: count }).nullish().catch(null),
});

/** Of LM Studio's own API. `id` is the model's name in the list of models. */
const LoadedInstances = z.object({
  models: z.array(
    z.object({
      key: z.string().nullish().catch(null),
      max_context_length: count,
      loaded_instances: z
        .array(
          z.object({
            id: z.string().nullish().catch(null),
            config: z.object({ context_length: count }).nullish().catch(null),
          }),
        )
        .catch([]),
    }),
  ),
});

/** The window with which Ollama has loaded a model (`/api/ps`); null if it does not say. */
export async function readOllamaWindow(
  connection: ServerConnection,
  name: string,
  signal: AbortSignal,
): Promise<number | null> {
  const request = { method: 'GET', path: '/api/ps', limitMs: LIMIT_MS, signal } as const;
  const answer = await connection.small(request);
  const running = safeParse(RunningModels, parseJson(answer.text));
  if (answer.status !== 200 || !running.success) return null;
  const found = running.data.models.find((model) => withTag(model.name) === withTag(name));
  return found?.context_length ?? null;
}

/** The windows of all models that Ollama has loaded, by their names; empty if it does not say. */
export async function readOllamaWindows(
  connection: ServerConnection,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, number>> {
  const answer = await connection.small({ method: 'GET', path: '/api/ps', limitMs, signal });
  const running = safeParse(RunningModels, parseJson(answer.text));
  const models = answer.status === 200 && running.success ? running.data.models : [];
  return new Map(models.flatMap(({ name, context_length: size }) => (size ? [[name, size]] : [])));
}

/** Trained and loaded windows of LM Studio's models, by the names of its list; empty for other servers. */
export async function readInstanceWindows(
  connection: ServerConnection,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<
  ReadonlyMap<string, { readonly trained: number | null; readonly loaded: number | null }>
> {
  const request = {
    method: 'GET',
    path: '/api/v1/models',
    replaces: '/v1',
    limitMs,
    signal,
  } as const;
  const answer = await connection.small(request);
  const list = safeParse(LoadedInstances, parseJson(answer.text));
  const models = answer.status === 200 && list.success ? list.data.models : [];
  return new Map(
    models.flatMap(({ key, max_context_length, loaded_instances }) => {
      const windows = loaded_instances.flatMap(({ config }) => config?.context_length ?? []);
      const loaded = windows.length === 0 ? null : Math.min(...windows);
      const names = new Set([key, ...loaded_instances.map(({ id }) => id)]);
      const facts = { trained: max_context_length ?? null, loaded };
      return [...names].flatMap((name) => (name == null ? [] : [[name, facts] as const]));
    }),
  );
}

/**
 * The window with which a server of OpenAI's protocol has loaded a model, where its own API says so: llama.cpp's
 * `/props`, LM Studio's `/api/v1/models`. Both are next to `/v1`. Null for other servers.
 */
export async function readServerWindow(
  connection: ServerConnection,
  name: string,
  signal: AbortSignal,
): Promise<number | null> {
  return (
    (await readPropsWindow(connection, signal)) ??
    (await readInstanceWindow(connection, name, signal))
  );
}

/** The smallest window of the instances that may answer: the server does not say which one will. */
async function readInstanceWindow(
  connection: ServerConnection,
  name: string,
  signal: AbortSignal,
): Promise<number | null> {
  const request = {
    method: 'GET',
    path: '/api/v1/models',
    replaces: '/v1',
    limitMs: LIMIT_MS,
    signal,
  } as const;
  const answer = await connection.small(request);
  const list = safeParse(LoadedInstances, parseJson(answer.text));
  if (answer.status !== 200 || !list.success) return null;
  const instances = list.data.models.flatMap(({ key, loaded_instances }) =>
    loaded_instances.filter(({ id }) => id === name || key === name),
  );
  const windows = instances.flatMap(({ config }) => config?.context_length ?? []);
  return windows.length === 0 ? null : Math.min(...windows);
}

async function readPropsWindow(
  connection: ServerConnection,
  signal: AbortSignal,
): Promise<number | null> {
  const request = {
    method: 'GET',
    path: '/props',
    replaces: '/v1',
    limitMs: LIMIT_MS,
    signal,
  } as const;
  const answer = await connection.small(request);
  const props = safeParse(Props, parseJson(answer.text));
  if (answer.status !== 200 || !props.success) return null;
  return props.data.default_generation_settings?.n_ctx ?? props.data.n_ctx ?? null;
}

function withTag(name: string): string {
  return /:[^/]*$/.test(name) ? name : `${name}:latest`;
}

/**
 * The window of an open model: first the requested one, then the one that the server reports. It is asked
 * once, after the first answer and in parallel to the conversation; nothing waits for it.
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

  /** Call this after an answer, when the model is certainly loaded. */
  readBack(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#ask(this.#closed.signal).then(
      (loaded) => {
        if (loaded !== null) this.#tokens = Math.min(loaded, this.#tokens ?? loaded);
      },
      // Without an answer, the requested window counts.
      () => null,
    );
  }

  close(): void {
    this.#closed.abort();
  }
}
