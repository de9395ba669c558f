import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { askStructured } from '../services/llm/structured-answer.ts';
import type { ChatMessage } from '../services/llm/types.ts';
import type { SkillJournal } from './skill-journal.ts';
import type { SkillHost, SkillModels, SkillPrompt } from './types.ts';

/** The models of a run, for a skill: guarded, paid for, and asked once for the same. */
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
  const limitsOf = ({ maxOutputTokens, temperature }: SkillPrompt) => ({
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  });
  return {
    ask: (request) =>
      journal.do('ask', request, async () => {
        signal.throwIfAborted();
        const model = await host.model(request.tier ?? 'pro');
        const messages = messagesOf(request);
        const reply = await model.send({ messages, tools: [], ...limitsOf(request) }, options);
        host.onReply(reply, model);
        if (reply.content.trim() !== '') return reply.content;
        throw new AppError(
          'SKILL_MODEL_ANSWER',
          `${model.ref.name} gave an empty answer. Try again, or choose another model.`,
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
        const answer = await askStructured(
          model,
          { messages: messagesOf(request), schema, ...limitsOf(request) },
          { ...options, onReply: (reply) => host.onReply(reply, model) },
        );
        if (answer.ok) return answer.value;
        const said = answer.text.trim().slice(0, 200);
        throw new AppError(
          'SKILL_MODEL_ANSWER',
          `${model.ref.name} gave no answer that the skill could use: ${answer.problem}${said === '' ? '' : ` It said: ${said}`} A larger model may do better.`,
        );
      });
      // Stored as JSON; what the schema makes of it is made again.
      return schema.parse(value);
    },
  };
}
