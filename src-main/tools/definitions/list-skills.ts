import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { SkillCategory } from '#contract/skills.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Maximum skills in one answer; a search finds the others. */
const LISTED = 40;

/** Lists the skills that may be used now, with their parameters. */
export function tool({ skills }: Pick<ToolParts, 'skills'>): ToolDefinition {
  const { registry } = skills;
  return defineTool({
    name: 'list_skills',
    description: 'List the skills: what each does and its parameters.',
    input: z.strictObject({
      category: SkillCategory.optional(),
      search: z.string().max(200).optional(),
    }),
    risk: 'low',
    effect: 'read',
    givesJson: true,
    run: async (filter) => {
      const found = registry.list(filter).filter(({ state }) => state === 'ready');
      const skills = found
        .slice(0, LISTED)
        .map(({ id, name, description, category, source, tags }) => {
          const isMarkdown = source === 'markdown';
          return defined({
            id,
            name,
            description,
            category,
            use: isMarkdown ? `load_skill {"name": ${JSON.stringify(id)}}` : undefined,
            parameters: isMarkdown ? undefined : (registry.find(id)?.metadata?.parameters ?? []),
            tags: tags.length === 0 ? undefined : tags,
          });
        });
      const left = found.length - skills.length;
      const more =
        left === 0 ? {} : { not_listed: left, hint: 'Name a category or search for words.' };
      const answer = { skills, count: found.length, category: filter.category ?? null, ...more };
      return { content: JSON.stringify(answer, null, 2), data: answer };
    },
  });
}
