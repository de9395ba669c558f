import type { ChatMessage } from './types.ts';

/** Models that always think, and only let it be made short. */
const ALWAYS_THINKS = /gpt-?oss/i;
/** Models whose first generation also takes the switch as a word, for servers that pass nothing to templates. */
const TAKES_WORD = /qwen-?_?3/i;

/** Whether a model is asked to think; null leaves it to the model. */
export type Thinking = boolean | null;

/** The value of Ollama's `think`; undefined leaves it out. */
export function ollamaThink(
  model: string,
  { thinking, canThink }: { readonly thinking: Thinking; readonly canThink: boolean | null },
): boolean | 'low' | undefined {
  if (thinking === false && canThink !== false) return ALWAYS_THINKS.test(model) ? 'low' : false;
  // Explicit, because older versions leave thinking in the text otherwise; omitted for all other
  // models, because a model that cannot think refuses it.
  return canThink === true ? true : undefined;
}

/**
 * Fields of a request to `/chat/completions`: switches of chat templates for local servers, of which each model
 * knows one, and the effort for clouds. What a server refuses is left out by its profile.
 */
export function thinkingFields(
  model: string,
  { thinking, isCloud }: { readonly thinking: Thinking; readonly isCloud: boolean },
): Readonly<Record<string, unknown>> {
  if (thinking === null) return {};
  if (isCloud) return thinking ? {} : { reasoning_effort: 'none' };
  return {
    chat_template_kwargs: { enable_thinking: thinking, thinking },
    ...(!thinking && ALWAYS_THINKS.test(model) ? { reasoning_effort: 'low' } : {}),
  };
}

/** The message with the word that switches thinking off, for models that take it in the system prompt. */
export function withThinkingWord(
  message: ChatMessage,
  { model, thinking }: { readonly model: string; readonly thinking: Thinking },
): ChatMessage {
  if (message.role !== 'system' || thinking !== false || !TAKES_WORD.test(model)) return message;
  return { ...message, content: `${message.content} /no_think` };
}
