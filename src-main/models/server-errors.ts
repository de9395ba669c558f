import { AppError, type ErrorCode } from '#contract/errors.ts';
import { formsOfSecret } from '../base/known-secrets.ts';
import { fromSystemError, type TransportFailure } from './transport/transport-failure.ts';

/** The server as the person knows it, for messages. */
export interface ServerIdentity {
  readonly label: string;
  /** Address without credentials. */
  readonly address: string;
  /** What to do when nothing answers there. */
  readonly startHint: string;
}

const QUOTE_LIMIT = 400;

/** `url` without user name and password, and without a slash at its end. */
export function shownAddress(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href.replace(/\/$/, '');
}

/**
 * What stands in an address that must not be shown: its password, or the name where that is all there
 * is. As it is written, and decoded.
 */
export function secretsOfAddress({ username, password }: URL): string[] {
  const secret = password === '' ? username : password;
  if (secret === '') return [];
  try {
    return [secret, decodeURIComponent(secret)];
  } catch {
    // A lone percent sign: it is meant as it stands.
    return [secret];
  }
}

/**
 * Text of a server fit to be shown: on one line, shortened, and without the keys that some servers
 * repeat in their refusals, in whatever form.
 */
export function quoteServerText(text: string, secrets: readonly string[]): string {
  const withoutKey = secrets
    .flatMap(formsOfSecret)
    .reduce((safe, form) => safe.replaceAll(form, '[key]'), text);
  const oneLine = withoutKey.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return oneLine.length > QUOTE_LIMIT ? `${oneLine.slice(0, QUOTE_LIMIT)}…` : oneLine;
}

/** `error` with the text that had arrived before it, as `details.partial`. */
export function withPartial(error: AppError, partial: string): AppError {
  return new AppError(error.code, error.message, {
    details: { ...error.details, partial },
    cause: error.cause,
  });
}

/**
 * The coded error of a broken exchange. `AppError`s pass; so does anything that is not about the
 * connection, because that is a bug or an abort.
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
        `The address ${address} does not lead anywhere: the name cannot be resolved. Check it, and the network.`,
      );
    case 'tls':
      return make(
        'MODEL_SERVER_UNREACHABLE',
        `No secure connection to ${address} (${failure.message}). Check whether it is http or https, and its certificate.`,
      );
    case 'not_http':
      return make(
        'MODEL_NOT_A_MODEL_SERVER',
        `Something answers at ${address}, but it does not speak HTTP. Check the address and the port.`,
      );
    case 'first_token_timeout':
      return make(
        'MODEL_STALLED',
        `${label} sent no token (${failure.message}). The model may be too large for this machine: try a smaller one, or look at the server's log.`,
      );
    case 'idle_timeout':
      return make(
        'MODEL_STALLED',
        `${label} stopped in the middle of its answer (${failure.message}). What had arrived is kept; try again, or look at the server's log.`,
      );
    case 'malformed':
      return make(
        'MODEL_STREAM_BROKEN',
        `${label} sent something that cannot be read (${failure.message}). What had arrived is kept; try again.`,
      );
    case 'reset':
      return make(
        'MODEL_STREAM_BROKEN',
        failure.headReceived
          ? `${label} broke off in the middle of its answer. What had arrived is kept; try again, and if it happens again look at the server's log: it may be out of memory.`
          : `${label} closed the connection without an answer. Try again, and if it happens again look at the server's log: it may be out of memory.`,
      );
  }
}

/** Why an answer is not taken whose data nest deeper than anybody means. */
export const NESTED = 'a line of it holds data that are nested too deeply';

/** The stream ended properly below the protocol, but the answer was not finished. */
export function brokenStream(server: ServerIdentity, why: string): AppError {
  return new AppError(
    'MODEL_STREAM_BROKEN',
    `${server.label} ended its answer without finishing it: ${why}. What had arrived is kept; try again.`,
    { details: { address: server.address } },
  );
}

export function notAModelServer(server: ServerIdentity, what: string): AppError {
  return new AppError(
    'MODEL_NOT_A_MODEL_SERVER',
    `Something answers at ${server.address}, but not as ${server.label} does: ${what}. Check the address and the port.`,
    { details: { address: server.address } },
  );
}

export function contextExceeded(
  model: string,
  numbers: { promptTokens: number | null; contextWindow: number | null },
): AppError {
  const { promptTokens, contextWindow } = numbers;
  const size = promptTokens === null ? '' : ` of ${promptTokens} tokens`;
  const room = contextWindow === null ? '' : ` of ${contextWindow} tokens`;
  return new AppError(
    'MODEL_CONTEXT_EXCEEDED',
    `The request${size} does not fit the window${room} of ${model}. Set a larger context window, or start a new task.`,
    { details: { promptTokens, contextWindow } },
  );
}
