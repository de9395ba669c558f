import type { Exchange, Handler, Parts } from './server.ts';

/** What the endpoints of OpenAI's and Anthropic's protocols share. */

export type Json = Readonly<Record<string, unknown>>;

/** A refusal with an HTTP status. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  /** The field of the request that it is about. */
  readonly param: string | null;
  constructor(status: number, message: string, type?: string, param: string | null = null) {
    super(message);
    this.param = param;
    this.status = status;
    this.type = type ?? (status === 404 ? 'not_found_error' : 'invalid_request_error');
  }
}

/** Refuses what the options say that this model refuses, naming the parameter. */
export function checkParameters(request: Json, { options }: Parts): void {
  for (const [path, message] of Object.entries(options.refusedParameters)) {
    let value: unknown = request;
    for (const key of path.split('.')) value = (value as Json | undefined)?.[key];
    if (value !== undefined) throw new ApiError(400, message, 'invalid_request_error', path);
  }
}

/** `text` in this many pieces of about the same length. */
export function cutInto(text: string, pieces: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / pieces));
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size));
  return parts.length > 0 ? parts : [''];
}

/** Answers what `handler` refuses, and a wrong key, in the form of these APIs. */
export function refusing(handler: Handler): Handler {
  return async (exchange, parts) => {
    try {
      const { apiKey } = parts.options;
      const { authorization = '', 'x-api-key': header } = exchange.recorded.headers;
      const given = String(header ?? String(authorization).slice('Bearer '.length));
      if (apiKey !== null && given !== apiKey) {
        throw new ApiError(401, `Incorrect API key provided: ${given}.`, 'invalid_api_key');
      }
      await handler(exchange, parts);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { message, type, status, param } = error;
      send(exchange, status, { error: { message, type, param, code: null } });
    }
  };
}

export function send({ response }: Exchange, status: number, value: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}
