import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { withTimeLimit } from '../../base/abort.ts';
import type { Fetch } from '../../egress/fetch-through.ts';
import { E2bError, E2bUnreachableError, readJson, send } from './e2b-http.ts';

/** The fields of the service's answers that are used; all others are ignored. */
const MachineAnswer = z.object({
  // Part of host names and paths of later requests, which carry the key.
  sandboxID: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  envdAccessToken: z.string().nullish(),
  domain: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,253}$/)
    .nullish(),
});
export type MachineAnswer = z.infer<typeof MachineAnswer>;

const MachineList = z.array(
  z.object({ sandboxID: z.string(), metadata: z.record(z.string(), z.string()).nullish() }),
);
export type ListedMachine = z.infer<typeof MachineList>[number];

const ANSWER_MS = 15_000;
/** Longer, because a machine is copied from its template first. */
const CREATE_MS = 60_000;
const never = new AbortController().signal;

export interface ControlClientParts {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly fetch: Fetch | undefined;
}

/** The part of E2B's public REST API that creates and ends machines. Throws as `send` does. */
export class ControlClient {
  readonly #parts: ControlClientParts;

  constructor(parts: ControlClientParts) {
    this.#parts = parts;
  }

  /** Not abortable: an unknown machine would run until its time is up. */
  async create(config: Readonly<Record<string, unknown>>): Promise<MachineAnswer> {
    const signal = withTimeLimit(never, CREATE_MS);
    const answer = await this.#ask('POST', '/sandboxes', { json: config, signal });
    return parse(MachineAnswer, answer);
  }

  /** Up to a hundred machines with this label, newest first. */
  async list(
    label: { readonly name: string; readonly value: string },
    signal: AbortSignal,
  ): Promise<ListedMachine[]> {
    const pair = `${encodeURIComponent(label.name)}=${encodeURIComponent(label.value)}`;
    const path = `/v2/sandboxes?metadata=${encodeURIComponent(pair)}&limit=100`;
    const limited = withTimeLimit(signal, ANSWER_MS);
    return parse(MachineList, await this.#ask('GET', path, { signal: limited }));
  }

  /** Makes the machine end by itself this many seconds from now. */
  async setTimeToLive(id: string, seconds: number): Promise<void> {
    const signal = withTimeLimit(never, ANSWER_MS);
    const path = `/sandboxes/${encodeURIComponent(id)}/timeout`;
    await this.#ask('POST', path, { json: { timeout: seconds }, signal });
  }

  /** Ends a machine with everything in it; harmless if it is gone. */
  async remove(id: string): Promise<void> {
    const signal = withTimeLimit(never, ANSWER_MS);
    try {
      await this.#ask('DELETE', `/sandboxes/${encodeURIComponent(id)}`, { signal });
    } catch (error) {
      if (!(error instanceof E2bError && error.status === 404)) throw error;
    }
  }

  async #ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { json, signal }: { readonly json?: unknown; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const { apiUrl, apiKey, fetch } = this.#parts;
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const url = `${apiUrl}${path}`;
    return await readJson(await send({ method, url, headers, signal, ...body }, fetch), signal);
  }
}

function parse<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = safeParse(schema, answer);
  if (parsed.success) return parsed.data;
  throw new E2bUnreachableError('the answer has an unknown form', { cause: parsed.error });
}
