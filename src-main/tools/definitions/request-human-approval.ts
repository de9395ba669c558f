import { z } from 'zod';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/**
 * A checkpoint of seed 4: the user agrees, changes parameters, chooses how to go on, or stops. The answer moves
 * the current skill; for a checkpoint of a later step nobody is asked.
 */
export function tool({ skills }: Pick<ToolParts, 'skills'>): ToolDefinition {
  const { sessions } = skills;
  return defineTool({
    name: 'request_human_approval',
    description:
      'Ask the user to approve a plan before you carry it out; they may change its parameters.',
    input: z.strictObject({
      checkpoint: z.string().min(1).describe('short name'),
      summary: z.string().min(1),
      params: z.record(z.string(), z.json()).optional(),
      options: z.array(z.string().min(1)).max(10).optional().describe('choices for how to go on'),
    }),
    risk: 'low',
    // Asked once: the stored question and answer are found again.
    effect: 'idempotent',
    run: async ({ checkpoint, summary, params = {}, options = [] }, context) => {
      const step = sessions.mayAsk(checkpoint, context);
      const response = await context.broker.ask(
        {
          subject: context.toolCallId,
          kind: 'checkpoint',
          title: checkpoint,
          message: summary,
          toolCallId: context.toolCallId,
          toolName: 'request_human_approval',
          reasons: step === null ? [] : [`A checkpoint of ${step}.`],
          parameters: params,
          options: options.map((option) => ({ value: option, label: option })),
        },
        context,
      );
      const isApproved = ['confirm', 'modify', 'select'].includes(response.action);
      sessions.answered(checkpoint, isApproved, context);
      const reply = (status: string, more: object = {}): { content: string } => ({
        content: JSON.stringify({ status, ...more }),
      });
      switch (response.action) {
        case 'confirm':
          return reply('approved', { params });
        case 'modify':
          return reply('modified', {
            overrides: response.overrides,
            params: { ...params, ...response.overrides },
          });
        case 'select':
          return reply('approved', { choice: response.value });
        case 'deny':
          return reply('cancelled', { reason: response.reason });
        case 'approve':
        case 'input':
        case 'skip':
          return reply('cancelled');
      }
    },
  });
}
