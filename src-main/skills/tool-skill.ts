import type { SkillMetadata } from '#contract/skills.ts';
import { graphSkill } from './graph-skill.ts';
import type { JsonObject, Skill, SkillContext } from './types.ts';

/** A skill of a single step: `execute` takes the checked parameters and returns the output. */
export function toolSkill(
  metadata: SkillMetadata,
  execute: (params: JsonObject, context: SkillContext) => Promise<JsonObject>,
): Skill {
  return graphSkill(metadata, [
    {
      name: 'execute',
      description: metadata.name,
      run: async ({ inputParams }, context) => ({ output: await execute(inputParams, context) }),
    },
  ]);
}
