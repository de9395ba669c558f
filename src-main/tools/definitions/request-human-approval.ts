import { z } from 'zod';
import { isRefusal, overridesIn } from '../../hitl/checkpoint-text.ts';
import { CHECKPOINT_TOOL } from '../../hitl/user-stops.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition, ToolOutput } from '../types.ts';

/**
 * A checkpoint of seed 4: the user agrees, changes parameters, says in words what to change, chooses how to go
 * on, or stops. The answer moves the current skill; for a checkpoint of a later step nobody is asked. A stop
 * outside a skill ends the run.
 */
export function tool({ skills }: Pick<ToolParts, 'skills'>): ToolDefinition {
  const { sessions } = skills;
  return defineTool({
    name: CHECKPOINT_TOOL,
    description:
      'Ask the user to approve a plan before you carry it out; they may change its parameters. Ask alone.',
    input: z.strictObject({
      checkpoint: z.string().min(1).describe('short name'),
      summary: z.string().min(1),
      params: z.record(z.string(), z.json()).optional(),
      options: z.array(z.string().min(1)).max(10).optional().describe('choices for how to go on'),
    }),
    risk: 'low',
    // Asked once: the stored question and answer are found again.
    effect: 'idempotent',
    givesJson: true,
    run: async ({ checkpoint, summary, params = {}, options = [] }, context) => {
      const step = sessions.mayAsk(checkpoint, context);
      const response = await context.broker.ask(
        {
          subject: context.toolCallId,
          kind: 'checkpoint',
          title: checkpoint,
          message: summary,
          toolCallId: context.toolCallId,
          toolName: CHECKPOINT_TOOL,
          reasons: step === null ? [] : [`A checkpoint of ${step}.`],
          parameters: params,
          options: options.map((option) => ({ value: option, label: option })),
        },
        context,
      );
      const approved = (status: string, more: object): ToolOutput => {
        sessions.answered(checkpoint, true, context);
        return { content: JSON.stringify({ approved: true, status, ...more }) };
      };
      const cancelled = (reason: string): ToolOutput => {
        sessions.answered(checkpoint, false, context);
        return { content: JSON.stringify({ approved: false, status: 'cancelled', reason }) };
      };
      const modified = (overrides: Readonly<Record<string, unknown>>, more: object): ToolOutput =>
        approved('modified', { overrides, ...more, params: { ...params, ...overrides } });
      switch (response.action) {
        case 'confirm':
          return approved('approved', { params });
        case 'modify':
          return modified(response.overrides, {});
        case 'input': {
          if (isRefusal(response.text)) return cancelled(response.text);
          const overrides = overridesIn(response.text, params);
          const said = { said: response.text, note: AS_SAID };
          return modified(overrides, said);
        }
        case 'select':
          return approved('approved', { choice: response.value });
        case 'deny':
          return cancelled(response.reason);
        case 'approve':
        case 'skip':
          return cancelled('');
      }
    },
  });
}

const AS_SAID =
  'The user agreed, with changes in their own words. Where overrides do not have them, put what they said into the parameters yourself. If it is unclear what they want, ask again.';
