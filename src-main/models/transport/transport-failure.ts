/**
 * How an exchange with a server can fail below the protocol:
 * - `refused`: nothing listens there, or there is no route; `unresolved`: the name has no address
 * - `connect_timeout`, `first_token_timeout`, `idle_timeout`: a limit of `StreamLimits` was exceeded
 * - `reset`: the connection closed before the server said that it was done
 * - `tls`: the secure connection failed; `not_http`: the server does not speak HTTP
 * - `malformed`: over a size limit, or not text
 */
export type TransportFailureKind =
  | 'refused'
  | 'unresolved'
  | 'connect_timeout'
  | 'first_token_timeout'
  | 'idle_timeout'
  | 'reset'
  | 'tls'
  | 'not_http'
  | 'malformed';

/** Internal to the model layer; `describeFailure` turns it into an `AppError` with a code. */
export class TransportFailure extends Error {
  readonly kind: TransportFailureKind;
  /** Whether the status line and headers had arrived. */
  headReceived = false;

  constructor(kind: TransportFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'TransportFailure';
    this.kind = kind;
  }
}

const KIND_BY_CODE: Readonly<Record<string, TransportFailureKind>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  ETIMEDOUT: 'connect_timeout',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ERR_STREAM_PREMATURE_CLOSE: 'reset',
  EPROTO: 'tls',
};

/** The failure for a Node error; null if the error is not about the connection (a bug). */
export function fromSystemError(error: unknown): TransportFailure | null {
  if (error instanceof TransportFailure) return error;
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const kind = KIND_BY_CODE[code] ?? kindByFamily(code);
  return kind === null ? null : new TransportFailure(kind, error.message, { cause: error });
}

function kindByFamily(code: string): TransportFailureKind | null {
  if (code.startsWith('HPE_')) return 'not_http';
  if (/CERT|SSL|TLS/.test(code)) return 'tls';
  return null;
}
