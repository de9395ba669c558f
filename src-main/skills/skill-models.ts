import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import { askStructured } from '../models/structured-answer.ts';
import type { ChatMessage, ChatModel } from '../models/types.ts';
import { TokenEstimator } from '../models/window/token-estimate.ts';
import type { SkillJournal } from './skill-journal.ts';
import type { SkillHost, SkillModels, SkillPrompt } from './types.ts';

/** The run's models for a skill: guarded, with costs counted, and each request sent only once. */
export function skillModels(parts: {
  readonly host: SkillHost;
  readonly journal: SkillJournal;
  readonly signal: AbortSignal;
}): SkillModels {
  const { host, journal, signal } = parts;
  const options = { signal, onProgress: () => undefined };
  const messagesOf = ({ system, prompt }: SkillPrompt): ChatMessage[] => [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ];
  const limitsOf = ({ maxOutputTokens, temperature }: SkillPrompt) =>
    defined({ maxOutputTokens, temperature });
  return {
    ask: (request) =>
      journal.do('ask', request, async () => {
        signal.throwIfAborted();
        const model = await host.model(request.tier ?? 'pro');
        const messages = messagesOf(request);
        refuseTooLong(messages, model);
        const asked = { messages, tools: [], ...limitsOf(request) };
        const reply = await model.send(asked, options).catch(asModelAnswer);
        host.onReply(reply, model);
        const isEmpty = reply.content.trim() === '';
        if (!isEmpty && reply.finish === 'stop') return reply.content;
        throw new AppError(
          'SKILL_MODEL_ANSWER',
          isEmpty
            ? `${model.ref.name} gave an empty answer. Try again, or choose another model.`
            : `${model.ref.name} did not finish: its answer was cut off at the limit. Ask for less, or choose another model.`,
        );
      }),
    askFor: async <Value>({
      schema,
      ...request
    }: SkillPrompt & { readonly schema: z.ZodType<Value> }): Promise<Value> => {
      const asked = { ...request, schema: z.toJSONSchema(schema, { io: 'input' }) };
      const value = await journal.do('ask', asked, async () => {
        signal.throwIfAborted();
        const model = await host.model(request.tier ?? 'pro');
        const messages = messagesOf(request);
        refuseTooLong(messages, model);
        const answer = await askStructured(
          model,
          { messages, schema, ...limitsOf(request) },
          { ...options, onReply: (reply) => host.onReply(reply, model) },
        );
        if (answer.ok) return answer.value;
        const start = answer.text.trim().slice(0, 200);
        throw new AppError(
          'SKILL_MODEL_ANSWER',
          `${model.ref.name} gave no usable answer: ${answer.problem}${start === '' ? '' : ` It said: ${start}`} A larger model may do better.`,
        );
      });
      // Stored as JSON, so the schema's transforms are applied again.
      return schema.parse(value);
    },
    materialChars: async ({ tier = 'pro', ...fixed }) => {
      const { contextWindow } = await host.model(tier);
      const window = contextWindow ?? UNKNOWN_WINDOW;
      const estimator = new TokenEstimator();
      const taken = messagesOf(fixed).reduce((sum, one) => sum + estimator.message(one), 0);
      const budget = Math.min(LARGEST_PROMPT, Math.floor(window * PROMPT_SHARE));
      return estimator.charsOf(budget - taken);
    },
  };
}

/** A model that was stopped because it repeated itself gave an unusable answer, as one that was cut off. */
function asModelAnswer(cause: unknown): never {
  if (!(cause instanceof AppError) || cause.code !== 'MODEL_OUTPUT_INCOMPLETE') throw cause;
  throw new AppError('SKILL_MODEL_ANSWER', cause.message, { cause });
}

/** For servers that do not report it: the usual default of small models. */
const UNKNOWN_WINDOW = 4_096;
const PROMPT_SHARE = 0.6;
const REFUSED_SHARE = 0.95;
/** In tokens; longer prompts make models slower, not better. */
const LARGEST_PROMPT = 24_000;

/** Refuses a request that the server would truncate silently. Throws `MODEL_CONTEXT_EXCEEDED`. */
function refuseTooLong(messages: readonly ChatMessage[], model: ChatModel): void {
  const { contextWindow: window, ref } = model;
  if (window === null) return;
  const estimator = new TokenEstimator();
  const tokens = messages.reduce((sum, message) => sum + estimator.message(message), 0);
  if (tokens <= window * REFUSED_SHARE) return;
  throw new AppError(
    'MODEL_CONTEXT_EXCEEDED',
    `The skill's request has about ${tokens} tokens, but the context window of ${ref.name} is ${window}. Give the skill less at a time, or raise the context window in the settings.`,
    { details: { tokens, window, own: true } },
  );
}
