import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';

/** The cost of one model request as an event; `round` is its number in the run. */
export function usageEvent(
  { usage, prefix, toolMeans }: ModelReply,
  model: ChatModel,
  round: number,
): Extract<RunEventDraft, { type: 'usage' }> {
  return {
    type: 'usage',
    round,
    model: `${model.ref.provider}:${model.ref.name}`,
    prefix,
    ...(toolMeans === undefined ? {} : { toolMeans }),
    ...usage,
    ...(model.contextWindow === null ? {} : { contextWindow: model.contextWindow }),
  };
}
