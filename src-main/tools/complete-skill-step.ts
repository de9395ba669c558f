import { z } from 'zod';
import type { MarkdownCatalogue } from '../skills/markdown/markdown-catalogue.ts';
import { whatIsNext } from '../skills/markdown/progress-text.ts';
import type { SkillSessions } from '../skills/markdown/skill-sessions.ts';
import type { SkillRegistry } from '../skills/skill-registry.ts';
import { defineTool } from './define-tool.ts';
import type { ToolDefinition } from './types.ts';

export interface CompleteSkillStepParts {
  readonly registry: SkillRegistry;
  readonly markdown: Pick<MarkdownCatalogue, 'open'>;
  readonly sessions: Pick<SkillSessions, 'complete'>;
}

/** Completes a step of the loaded skill; refused, with what is missing, where it is not done or the files changed. */
export function completeSkillStepTool({
  registry,
  markdown,
  sessions,
}: CompleteSkillStepParts): ToolDefinition {
  return defineTool({
    name: 'complete_skill_step',
    category: 'skill',
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
