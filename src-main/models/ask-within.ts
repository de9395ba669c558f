import { raceAbort } from '../base/abort.ts';
import { askStructured, type StructuredRequest } from './structured-answer.ts';
import type { ChatModel, ModelReply } from './types.ts';

export type AnswerWithin<Value> =
  | { readonly kind: 'said'; readonly value: Value }
  /** `failed`: it could not be asked, or gave nothing that fits. */
  | { readonly kind: 'late' | 'failed' };

export interface WithinOptions {
  readonly signal: AbortSignal;
  /** For all of it: opening the model, one repair of the answer. */
  readonly limitMs: number;
  readonly onReply: (reply: ModelReply, model: ChatModel) => void;
}

/**
 * A short answer by schema, for checks that must not hold a run up: no answer is a result. Throws only the
 * reason of `signal`.
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
    return answer.ok ? { kind: 'said', value: answer.value } : { kind: 'failed' };
  } catch {
    // Whatever a model or its server does wrong, there is no answer; the caller says what that means.
    signal.throwIfAborted();
    return { kind: limit.aborted ? 'late' : 'failed' };
  }
}
