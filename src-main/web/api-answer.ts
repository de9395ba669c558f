import type { ErrorCode, ErrorEnvelope } from '#contract/errors.ts';
import type { Subscriber } from '../api/types.ts';

/** A JSON response of the API. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a request asks for below its collection: decoded parts of the path, and the query as sent. */
export interface ApiTarget {
  readonly path: readonly string[];
  readonly query: string;
}

/** A program: it sends requests and receives no pushes. */
export const PROGRAM: Subscriber = {
  closed: new AbortController().signal,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  showFrame: () => undefined,
};

const STATUS: Partial<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  MANAGED: 403,
  POLICY_INVALID: 403,
  NOT_FOUND: 404,
  SKILL_UNKNOWN: 404,
  ALREADY_ANSWERED: 409,
  APPROVAL_MISMATCH: 409,
};

export function refused(error: ErrorEnvelope): ApiAnswer {
  return { status: STATUS[error.code] ?? 500, body: { error } };
}

export function failed(code: ErrorCode, message: string): ApiAnswer {
  return refused({ code, message, details: {} });
}

export function nothingAt(collection: string, path: readonly string[]): ApiAnswer {
  const where = ['', 'api', 'v1', collection, ...path].join('/');
  return failed(
    'NOT_FOUND',
    `There is nothing at ${where.slice(0, 200)}. Use /api/v1/${collection}.`,
  );
}

/** What is wrong with the filters of a query; null if nothing is. */
export function problemOf(params: URLSearchParams, known: readonly string[]): string | null {
  for (const name of params.keys()) {
    if (!known.includes(name)) {
      return `Unknown filter ${name.slice(0, 100)}. Use ${known.join(' or ')}.`;
    }
    if (params.getAll(name).length > 1) return `The filter ${name} is given twice.`;
  }
  return null;
}
