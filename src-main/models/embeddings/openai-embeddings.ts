import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { parseJson } from '../json-text.ts';
import { openAiError, readOpenAiRefusal } from '../openai/openai-errors.ts';
import type { ServerConnection } from '../transport/server-connection.ts';
import {
  checkVectors,
  type EmbeddingRequest,
  postForVectors,
  Vector,
} from './embedding-request.ts';

const Answer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().nullish(), embedding: Vector })),
});

/** `/embeddings` as implemented by OpenAI, llama.cpp, vLLM, LM Studio and others. */
export async function askOpenAi(
  connection: ServerConnection,
  { model, texts, keyHint, signal }: EmbeddingRequest,
): Promise<readonly (readonly number[])[]> {
  const body = { model, input: texts, encoding_format: 'float' };
  const answer = await postForVectors(connection, { path: '/embeddings', body, signal });
  if (answer.status === 200) {
    const data = safeParse(Answer, parseJson(answer.text)).data?.data;
    // Sorted, because the protocol does not promise the order of the texts.
    const sorted = data
      ?.map(({ index, embedding }, place) => ({ at: index ?? place, embedding }))
      .sort((a, b) => a.at - b.at);
    return checkVectors(
      connection,
      sorted?.map(({ embedding }) => embedding),
      texts.length,
    );
  }
  const { identity: server, secrets } = connection;
  throw openAiError(readOpenAiRefusal(answer.status, answer.text), {
    ...{ model, server, secrets, keyHint },
  });
}
