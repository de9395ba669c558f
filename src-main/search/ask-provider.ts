import type { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../base/abort.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import { timeLimit } from '../base/running-time.ts';
import { EgressDenied } from '../egress/denied.ts';
import { fetchThrough } from '../egress/fetch-through.ts';
import type { EgressClient } from '../egress/types.ts';

/** Milliseconds for one provider, and bytes of its answer. */
export const PROVIDER_TIMEOUT_MS = 20_000;
export const PROVIDER_MAX_BYTES = 1024 * 1024;

export interface ProviderRequest {
  /** The provider as people know it. */
  readonly label: string;
  readonly url: URL;
  /** Absent for GET. */
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly egressClient: EgressClient;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

export interface ProviderReply {
  readonly status: number;
  readonly text: string;
}

/** Says what we are and nothing of the person or their machine. */
const USER_AGENT = 'Mozilla/5.0 (compatible; HyperAgent)';

/**
 * Sends a request over its egress client and reads the answer, whatever its status. Redirects are not followed:
 * a key would go with them. Throws `SEARCH_FAILED`, or the reason of the caller's signal.
 */
export async function askProvider(request: ProviderRequest): Promise<ProviderReply> {
  const {
    label,
    url,
    body,
    headers,
    egressClient,
    signal,
    timeoutMs = PROVIDER_TIMEOUT_MS,
  } = request;
  const limited = AbortSignal.any([signal, timeLimit(timeoutMs)]);
  const send = fetchThrough(() => egressClient);
  try {
    const response = await send(url.href, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
      ...(body === undefined ? {} : { body }),
      signal: limited,
    });
    return { status: response.status, text: await readText(response, label) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof AppError
      ? error
      : problem(`${label} ${whatHappened(error, timeoutMs)}`, error);
  }
}

/** The answer as `schema` reads it. Throws `SEARCH_FAILED` for what is no JSON, or of another shape. */
export function readJson<Schema extends z.ZodType>(
  label: string,
  text: string,
  schema: Schema,
): z.infer<Schema> {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw problem(`${label} gave an answer that cannot be read: it is not what this service sends.`);
}

/** Throws `SEARCH_FAILED`, with what to do, for a status that is none of success. */
export function requireSuccess(label: string, status: number): void {
  if (status >= 200 && status < 300) return;
  throw problem(`${label} ${refusal(status)}`);
}

/** Throws with words for the person. */
export function problem(message: string, cause?: unknown): AppError {
  return new AppError('SEARCH_FAILED', message, cause === undefined ? {} : { cause });
}

/** What to say where a key was not taken. */
export function keyRefused(label: string): AppError {
  return problem(`The key of ${label} was refused: enter it again in the settings, under Search.`);
}

function refusal(status: number): string {
  if (status === 402 || status === 432 || status === 433) {
    return `says that its plan is used up (${status}): look at your account there, or set up another search.`;
  }
  if (status === 429) {
    return 'limits how often it may be asked (429): wait a while, or set up another search.';
  }
  if (status >= 500) return `has trouble of its own (${status}): try again later.`;
  return `refused the request (${status}).`;
}

function whatHappened(error: unknown, timeoutMs: number): string {
  if (isAbortError(error)) return `did not answer within ${timeoutMs / 1000} s.`;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof EgressDenied) return `was not reached: ${cause.message}`;
  return `could not be reached: ${nameOf(cause)}.`;
}

function nameOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the connection failed';
  // Messages of certificates and parsers hold words of the other side.
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

async function readText(response: Response, label: string): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop lets go of the rest.
    if (size > PROVIDER_MAX_BYTES) {
      throw problem(`${label} sent more than ${PROVIDER_MAX_BYTES / 1024 / 1024} MB.`);
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parseJson(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    // No schema takes it, and the person is told.
    return undefined;
  }
}
