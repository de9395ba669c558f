import { raceAbort } from '../base/abort.ts';
import { askStructured, type StructuredRequest } from './structured-answer.ts';
import type { ChatModel, ModelReply } from './types.ts';

export type AnswerWithin<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** `failed`: the model could not be asked, or its answer does not fit the schema. */
  | { readonly kind: 'late' | 'failed' };

export interface WithinOptions {
  readonly signal: AbortSignal;
  /** Limit for everything: opening the model, the answer, and one repair of it. */
  readonly limitMs: number;
  readonly onReply: (reply: ModelReply, model: ChatModel) => void;
}

/**
 * Asks for a short answer by schema, for checks that must not delay a run: a missing answer is a result,
 * not an error. Throws only the reason of `signal`.
 */
export async function askWithin<Value>(
  open: () => Promise<ChatModel>,
  request: StructuredRequest<Value>,
  { signal, limitMs, onReply }: WithinOptions,
): Promise<AnswerWithin<Value>> {
  const limit = AbortSignal.timeout(limitMs);
  const either = AbortSignal.any([signal, limit]);
  const ask = async () => {
    const model = await open();
    return await askStructured(model, request, {
      signal: either,
      onProgress: () => undefined,
      onReply: (reply) => onReply(reply, model),
    });
  };
  try {
    signal.throwIfAborted();
    const answer = await raceAbort(ask(), either);
    return answer.ok ? { kind: 'answered', value: answer.value } : { kind: 'failed' };
  } catch {
    // Any failure of the model or its server means no answer; the caller decides what follows from that.
    signal.throwIfAborted();
    return { kind: limit.aborted ? 'late' : 'failed' };
  }
}
