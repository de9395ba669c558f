import type { RunEventDraft } from '#contract/events/run-event.ts';
import { roughTokens } from '#contract/rough-tokens.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';

/** The cost of one model request as an event; `round` is its number in the run. */
export function usageEvent(
  { usage, prefix, toolMeans, ...answer }: ModelReply,
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
    ...(usage.completionTokens === undefined ? { completionEstimate: estimate(answer) } : {}),
    ...(model.contextWindow === null ? {} : { contextWindow: model.contextWindow }),
  };
}

function estimate({
  content,
  reasoning,
  toolCalls,
}: Pick<ModelReply, 'content' | 'reasoning' | 'toolCalls'>): number {
  const calls = toolCalls.length === 0 ? '' : JSON.stringify(toolCalls);
  return Math.ceil(roughTokens(content + reasoning + calls));
}
