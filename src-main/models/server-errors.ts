import { AppError, type ErrorCode } from '#contract/errors.ts';
import { formsOfSecret } from '../base/known-secrets.ts';
import { fromSystemError, type TransportFailure } from './transport/transport-failure.ts';

/** How messages name the server. */
export interface ServerIdentity {
  readonly label: string;
  /** Address without credentials. */
  readonly address: string;
  /** What to do if nothing answers there. */
  readonly startHint: string;
}

const QUOTE_LIMIT = 400;

/** `url` without user name, password and trailing slash. */
export function shownAddress(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href.replace(/\/$/, '');
}

/**
 * The secret in an address that must not be shown: its password, or the user name if there is no password.
 * Both as written and decoded.
 */
export function secretsOfAddress({ username, password }: URL): string[] {
  const secret = password === '' ? username : password;
  if (secret === '') return [];
  try {
    return [secret, decodeURIComponent(secret)];
  } catch {
    // A lone percent sign is no encoding, so the text stands for itself.
    return [secret];
  }
}

/**
 * Text of a server, made safe to show: on one line, shortened, and without the keys that some servers
 * repeat in their refusals, in any encoding.
 */
export function quoteServerText(text: string, secrets: readonly string[]): string {
  const withoutKey = secrets
    .flatMap(formsOfSecret)
    .reduce((safe, form) => safe.replaceAll(form, '[key]'), text);
  const oneLine = withoutKey.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return oneLine.length > QUOTE_LIMIT ? `${oneLine.slice(0, QUOTE_LIMIT)}…` : oneLine;
}

/** Adds the text that arrived before the error, as `details.partial`. */
export function withPartial(error: AppError, partial: string): AppError {
  return new AppError(error.code, error.message, {
    details: { ...error.details, partial },
    cause: error.cause,
  });
}

/**
 * The coded error for a failed exchange. An `AppError` passes unchanged; so does anything that is not about
 * the connection, because that is a bug or an abort.
 */
export function toModelError(error: unknown, server: ServerIdentity): unknown {
  if (error instanceof AppError) return error;
  const failure = fromSystemError(error);
  return failure === null ? error : describeFailure(failure, server);
}

function describeFailure(failure: TransportFailure, server: ServerIdentity): AppError {
  const { label, address, startHint } = server;
  const make = (code: ErrorCode, message: string): AppError =>
    new AppError(code, message, { details: { address, reason: failure.kind }, cause: failure });
  switch (failure.kind) {
    case 'refused':
    case 'connect_timeout':
      return make('MODEL_SERVER_UNREACHABLE', `Nothing answers at ${address}. ${startHint}`);
    case 'unresolved':
      return make(
        'MODEL_SERVER_UNREACHABLE',
        `The host name in ${address} cannot be resolved. Check the address, and the network.`,
      );
    case 'tls':
      return make(
        'MODEL_SERVER_UNREACHABLE',
        `The secure connection to ${address} failed (${quoteServerText(failure.message, [])}). Check whether the server uses http or https, and its certificate.`,
      );
    case 'not_http':
      return make(
        'MODEL_NOT_A_MODEL_SERVER',
        `The server at ${address} does not speak HTTP. Check the address and the port.`,
      );
    case 'first_token_timeout':
      return make(
        'MODEL_STALLED',
        `${label} sent no token (${failure.message}). The model may be too large for this machine: try a smaller one, or check the server's log.`,
      );
    case 'idle_timeout':
      return make(
        'MODEL_STALLED',
        `${label} stopped in the middle of its answer (${failure.message}). The answer so far is kept. Try again, or check the server's log.`,
      );
    case 'malformed':
      return make(
        'MODEL_STREAM_BROKEN',
        `${label} sent invalid data (${failure.message}). The answer so far is kept. Try again.`,
      );
    case 'reset':
      return make(
        'MODEL_STREAM_BROKEN',
        failure.headReceived
          ? `${label} closed the connection in the middle of its answer. The answer so far is kept. Try again; if it happens again, check the server's log: it may be out of memory.`
          : `${label} closed the connection without an answer. Try again; if it happens again, check the server's log: it may be out of memory.`,
      );
  }
}

/** Why an answer with extremely nested data is rejected. */
export const NESTED = 'it contains data that are nested too deeply';

/** The stream ended without a connection error, but the answer is not valid or not finished. */
export function brokenStream(server: ServerIdentity, why: string): AppError {
  return new AppError(
    'MODEL_STREAM_BROKEN',
    `The answer of ${server.label} is not complete: ${why}. The answer so far is kept. Try again.`,
    { details: { address: server.address } },
  );
}

export function notAModelServer(server: ServerIdentity, what: string): AppError {
  return new AppError(
    'MODEL_NOT_A_MODEL_SERVER',
    `The server at ${server.address} does not answer like ${server.label}: ${what}. Check the address and the port.`,
    { details: { address: server.address } },
  );
}

export function contextExceeded(
  model: string,
  numbers: { promptTokens: number | null; contextWindow: number | null },
): AppError {
  const { promptTokens, contextWindow } = numbers;
  const size = promptTokens === null ? '' : ` of ${promptTokens} tokens`;
  const limit = contextWindow === null ? '' : ` of ${contextWindow} tokens`;
  return new AppError(
    'MODEL_CONTEXT_EXCEEDED',
    `The request${size} does not fit the window${limit} of ${model}. Set a larger context window, or start a new task.`,
    { details: { promptTokens, contextWindow } },
  );
}
