import { z } from 'zod';
import type { SkillSessions } from '../skills/markdown/skill-sessions.ts';
import { questionContext } from './clear-call.ts';
import { defineTool } from './define-tool.ts';
import type { ToolDefinition } from './types.ts';

/** A question; what the person says to it counts for a step of a skill that waits for them. */
export function askUserTool(sessions: Pick<SkillSessions, 'heard'>): ToolDefinition {
  return defineTool({
    name: 'ask_user',
    category: 'hitl',
    description: 'Ask the person a question when you cannot go on without an answer.',
    input: z.strictObject({
      question: z.string().min(1),
      options: z.array(z.string().min(1)).max(10).optional().describe('answers to choose from'),
      confirm: z.boolean().optional().describe('true for yes or no'),
    }),
    risk: 'low',
    // A question takes its turn: two at once would be in each other's way.
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
        questionContext(context),
      );
      // A "no" may be that of a time limit, which is nobody's word.
      if (['select', 'input', 'confirm'].includes(response.action)) sessions.heard(context);
      switch (response.action) {
        case 'select':
          return { content: `The person chose: ${response.value}` };
        case 'input':
          return { content: `The person answered: ${response.text}` };
        case 'skip':
          return { content: 'The person did not answer. Decide yourself and say so.' };
        case 'confirm':
          return { content: 'The person said yes.' };
        case 'deny':
          return { content: `The person said no. ${response.reason}`.trim() };
        case 'approve':
        case 'modify':
          return { content: 'The person did not answer the question.', ok: false };
      }
    },
  });
}
