import { z } from 'zod';
import { notAModelServer, toModelError } from '../server-errors.ts';
import type { ServerConnection, SmallAnswer } from '../transport/server-connection.ts';

export interface EmbeddingRequest {
  readonly model: string;
  readonly texts: readonly string[];
  readonly keyHint: string | null;
  readonly signal: AbortSignal;
}

/** Loading the model may take minutes. */
const LIMIT_MS = 300_000;
/** Enough for a batch of 32 texts with 4,096 numbers each, with all digits. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A custom check, because a zod schema for each of some thousand numbers would take a second. */
export const Vector = z.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.length > 0 && value.every(Number.isFinite),
);

/** Posts a request for embeddings. Aborting closes the socket. Throws `MODEL_…`. */
export async function postForVectors(
  connection: ServerConnection,
  { path, body, signal }: { path: string; body: unknown; signal: AbortSignal },
): Promise<SmallAnswer> {
  try {
    return await connection.small({
      method: 'POST',
      path,
      body,
      signal,
      limitMs: LIMIT_MS,
      maxBytes: MAX_BYTES,
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toModelError(error, connection.identity);
  }
}

/** The vectors, if there is one for each text and all have the same size. Throws `MODEL_NOT_A_MODEL_SERVER`. */
export function checkVectors(
  connection: ServerConnection,
  vectors: readonly (readonly number[])[] | undefined,
  count: number,
): readonly (readonly number[])[] {
  const size = vectors?.[0]?.length ?? 0;
  if (vectors?.length === count && vectors.every((vector) => vector.length === size)) {
    return vectors;
  }
  throw notAModelServer(connection.identity, 'it did not send one embedding for each text');
}
