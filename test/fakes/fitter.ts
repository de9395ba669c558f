import {
  ConversationFitter,
  type ConversationFitterParts,
} from '#main/agents/context/conversation-fitter.ts';
import type { ChatModel } from '#main/models/types.ts';
import { TokenEstimator } from '#main/models/window/token-estimate.ts';

/** A fitter that asks no model for summaries and keeps them nowhere. */
export function fitterFor(
  model: Pick<ChatModel, 'ref' | 'contextWindow'>,
  parts: Pick<ConversationFitterParts, 'signal' | 'emit'> & Partial<ConversationFitterParts>,
): ConversationFitter {
  return new ConversationFitter({
    model,
    estimator: new TokenEstimator(),
    openSummariser: null,
    stored: null,
    store: () => undefined,
    ...parts,
  });
}
