import type { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { isAbortError } from '../base/abort.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import { timeLimit } from '../base/running-time.ts';
import { isTransientStatus } from '../base/transient.ts';
import { EgressDenied } from '../egress/denied.ts';
import { fetchThrough } from '../egress/fetch-through.ts';
import type { EgressClient } from '../egress/types.ts';

/** Milliseconds for one provider, and bytes of its answer. */
export const PROVIDER_TIMEOUT_MS = 20_000;
export const PROVIDER_MAX_BYTES = 1024 * 1024;

export interface ProviderRequest {
  /** The provider's name for the user. */
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

/** Names the app, and reveals nothing about the user or the machine. */
const USER_AGENT = 'Mozilla/5.0 (compatible; HyperAgent)';

/**
 * Sends a request over its egress client and reads the answer, whatever its status. Redirects are not
 * followed: they would carry the key along. Throws `SEARCH_FAILED`, or the reason of the caller's signal.
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
      body: body ?? null,
      signal: limited,
    });
    return { status: response.status, text: await readText(response, label) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof AppError
      ? error
      : searchFailed(`${label} ${describeFailure(error, timeoutMs)}`, error);
  }
}

/** The answer, parsed by `schema`. Throws `SEARCH_FAILED` if it is not JSON or has another shape. */
export function readJson<Schema extends z.ZodType>(
  label: string,
  text: string,
  schema: Schema,
): z.infer<Schema> {
  const parsed = safeParse(schema, parseJson(text));
  if (parsed.success) return parsed.data;
  throw searchFailed(
    `${label} sent an answer that cannot be read. Try again later, or set up another search provider in the settings, under Search.`,
  );
}

/** Throws `SEARCH_FAILED`, with what to do, for any status other than 2xx. */
export function requireSuccess(label: string, status: number): void {
  if (status >= 200 && status < 300) return;
  throw new AppError('SEARCH_FAILED', `${label} ${describeRefusal(status)}`, {
    details: { transient: isTransientStatus(status) },
  });
}

/** `message` is shown to the user. */
export function searchFailed(message: string, cause?: unknown): AppError {
  return new AppError('SEARCH_FAILED', message, cause === undefined ? {} : { cause });
}

export function keyRefused(label: string): AppError {
  return searchFailed(`${label} refused the key. Enter it again in the settings, under Search.`);
}

function describeRefusal(status: number): string {
  if (status === 402 || status === 432 || status === 433) {
    return `says that the plan is used up (${status}). Check your account there, or set up another search provider.`;
  }
  if (status === 429) {
    return 'limits the rate of requests (429). Wait a while, or set up another search provider.';
  }
  if (status >= 500) return `failed with a server error (${status}). Try again later.`;
  return `refused the request (${status}). Try another query, or set up another search provider.`;
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (isAbortError(error)) return `did not answer within ${timeoutMs / 1000} s.`;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof EgressDenied) return `was not reached: ${cause.message}`;
  return `could not be reached: ${errorCode(cause)}.`;
}

function errorCode(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the connection failed';
  // Messages about certificates and from parsers quote the server.
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

async function readText(response: Response, label: string): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop drops the rest.
    if (size > PROVIDER_MAX_BYTES) {
      throw searchFailed(`${label} sent more than ${PROVIDER_MAX_BYTES / 1024 / 1024} MB.`);
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parseJson(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    // No schema accepts undefined, so the caller reports it.
    return undefined;
  }
}
