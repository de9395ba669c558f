import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { isRecord, parseJson } from '../json-text.ts';
import { ollamaError } from '../ollama/ollama-errors.ts';
import type { ServerConnection } from '../transport/server-connection.ts';
import {
  checkVectors,
  type EmbeddingRequest,
  postForVectors,
  Vector,
} from './embedding-request.ts';

const Answer = z.object({ embeddings: z.array(Vector) });

/** Ollama's `/api/embed`. It cuts a text that is too long for the model: the beginning matters most. */
export async function askOllama(
  connection: ServerConnection,
  { model, texts, signal }: EmbeddingRequest,
): Promise<readonly (readonly number[])[]> {
  const body = { model, input: texts, truncate: true };
  const answer = await postForVectors(connection, { path: '/api/embed', body, signal });
  const value = parseJson(answer.text);
  if (answer.status === 200) {
    return checkVectors(connection, safeParse(Answer, value).data?.embeddings, texts.length);
  }
  const text = isRecord(value) && typeof value.error === 'string' ? value.error : '';
  const { identity: server, secrets } = connection;
  throw ollamaError({ where: answer.status, text }, { model, server, secrets });
}
