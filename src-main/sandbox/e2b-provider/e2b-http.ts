import { z } from 'zod';
import { isAbortError } from '../../base/abort.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import type { Fetch } from '../../egress/fetch-through.ts';

/** An error answer of the service. */
export class E2bError extends Error {
  readonly status: number;
  /** Seconds to wait before the next attempt, if the service says so. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message);
    this.name = 'E2bError';
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** The machine is gone: the service says so (404, 410), or its gateway does (502). */
  get isGone(): boolean {
    return [404, 410, 502].includes(this.status);
  }
}

/** No answer, or one that broke. */
export class E2bUnreachableError extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'E2bUnreachableError';
  }
}

export interface E2bRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly signal: AbortSignal;
}

const MAX_REFUSAL_CHARACTERS = 300;
const Refusal = z.object({ message: z.string() });

/**
 * Sends a request and resolves with its answer once a successful one begins. Throws `E2bError`,
 * `E2bUnreachableError` or the signal's reason. Redirects are not followed: the key would go with them.
 */
export async function send(
  { method, url, headers, body, signal }: E2bRequest,
  fetchThrough: Fetch | undefined,
): Promise<Response> {
  let response: Response;
  try {
    response = await (fetchThrough ?? fetch)(url, {
      ...{ method, headers, signal, redirect: 'error' },
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    throw unreachable(error, signal);
  }
  if (response.ok) return response;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new E2bError(
    response.status,
    await readRefusal(response),
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
}

/** The whole answer as JSON; null for an empty one. Throws as `send` does. */
export async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? null : parseOutsideJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new E2bUnreachableError('the answer was not JSON');
    throw unreachable(error, signal);
  }
}

/** Maps a failed connection to an error; a caller's abort is passed on unchanged. */
export function unreachable(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted && !isTimeout(signal.reason)) return signal.reason;
  if (error instanceof E2bError || error instanceof E2bUnreachableError) return error;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const detail = isAbortError(error) || signal.aborted ? 'no answer in time' : describe(cause);
  return new E2bUnreachableError(detail, { cause: error });
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && cause.message === '' ? String(cause.code) : cause.message;
}

async function readRefusal(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  let message = text;
  try {
    message = Refusal.parse(parseOutsideJson(text)).message;
  } catch {
    // Proxies in between answer in their own form.
  }
  const plain = message.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return plain.slice(0, MAX_REFUSAL_CHARACTERS) || `status ${response.status}`;
}
