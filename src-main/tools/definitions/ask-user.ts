import { z } from 'zod';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** A question to the user; their answer counts for a skill step that waits for one. */
export function tool({ skills }: Pick<ToolParts, 'skills'>): ToolDefinition {
  const { sessions } = skills;
  return defineTool({
    name: 'ask_user',
    description: 'Ask the user a question when you cannot go on without an answer.',
    input: z.strictObject({
      question: z.string().min(1),
      options: z.array(z.string().min(1)).max(10).optional().describe('answers to choose from'),
      confirm: z.boolean().optional().describe('true for yes or no'),
    }),
    risk: 'low',
    // One question at a time: two would compete for the user's attention.
    effect: 'idempotent',
    run: async ({ question, options = [], confirm = false }, context) => {
      const response = await context.broker.ask(
        {
          subject: context.toolCallId,
          kind: options.length > 0 ? 'decision' : confirm ? 'confirm' : 'input',
          title: 'A question',
          message: question,
          toolCallId: context.toolCallId,
          toolName: 'ask_user',
          reasons: [],
          options: options.map((option) => ({ value: option, label: option })),
        },
        context,
      );
      // A denial may come from a time limit, which is not an answer of the user.
      if (['select', 'input', 'confirm'].includes(response.action)) sessions.noteMessage(context);
      switch (response.action) {
        case 'select':
          return { content: `The user chose: ${response.value}` };
        case 'input':
          return { content: `The user answered: ${response.text}` };
        case 'skip':
          return { content: 'The user did not answer. Decide yourself and say so.' };
        case 'confirm':
          return { content: 'The user answered yes.' };
        case 'deny':
          return { content: `The user answered no. ${response.reason}`.trim() };
        case 'approve':
        case 'modify':
          return { content: 'The user did not answer the question.', ok: false };
      }
    },
  });
}
