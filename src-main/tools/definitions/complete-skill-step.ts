import { z } from 'zod';
import { whatIsNext } from '../../skills/markdown/progress-text.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Completes a step of the loaded skill; refused, with what is missing, where it is not done or the files changed. */
export function tool({ skills }: Pick<ToolParts, 'skills'>): ToolDefinition {
  const { registry, markdown, sessions } = skills;
  return defineTool({
    name: 'complete_skill_step',
    description: 'Complete a step of the loaded skill.',
    input: z.strictObject({
      skill: z.string().min(1).max(100),
      step: z.int().min(1),
      summary: z.string().max(4_000).describe('its result'),
    }),
    risk: 'low',
    effect: 'idempotent',
    run: async ({ skill, step }, context) => {
      const { id, folder } = markdown.open(registry.markdownId(skill));
      const progress = sessions.complete({ skill: id, sha256: folder.sha256, step }, context);
      return { content: `Step ${step} is done. ${whatIsNext(progress)}` };
    },
  });
}
