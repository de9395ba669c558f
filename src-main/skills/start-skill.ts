import { AppError } from '#contract/errors.ts';
import type { RunSkill } from '#contract/skills.ts';
import type { ToolCall } from '../models/types.ts';
import { promptParameter, validateInput } from './skill-input.ts';
import type { SkillRegistry } from './skill-registry.ts';

/**
 * Checks the skill that a run should execute, and returns its resolved id and validated parameters. Throws
 * `SKILL_UNKNOWN`, `MANAGED`, `SKILL_INPUT_INVALID`, `SKILL_DISABLED` and `SKILL_NEEDS_REVIEW`, before the run exists.
 */
export function checkRunSkill(registry: SkillRegistry, asked: RunSkill): RunSkill {
  registry.checkAllowed(asked.id);
  const summary = registry.summary(asked.id);
  const metadata = registry.find(asked.id)?.metadata ?? null;
  const { id, state, problem } = summary;
  if (metadata === null) {
    throw new AppError(
      'BAD_REQUEST',
      `${id} is a Markdown skill, which an agent follows: start a task that says "use the skill ${id}".`,
    );
  }
  if (state === 'disabled') {
    throw new AppError(
      'SKILL_DISABLED',
      `The skill ${id} is switched off. Switch it on again on the Skills page.`,
    );
  }
  if (state !== 'ready') {
    throw new AppError('SKILL_NEEDS_REVIEW', problem ?? `Review the skill ${id} before it runs.`);
  }
  const checked = validateInput(metadata, asked.params);
  if (checked.ok) return { id, params: checked.params as RunSkill['params'] };
  throw new AppError('SKILL_INPUT_INVALID', `The parameters do not fit ${id}: ${checked.problem}`, {
    details: { expectedParameters: metadata.parameters },
  });
}

/**
 * The call that gives a skill a task in words; null where it is missing, not ready, or needs other
 * parameters too.
 */
export function skillCall(
  registry: SkillRegistry,
  name: string,
  prompt: string,
): Omit<ToolCall, 'id'> | null {
  const skill = registry.find(name);
  if (skill === null || registry.summary(skill.id).state !== 'ready') return null;
  if (skill.metadata === null) return { name: 'load_skill', arguments: { name: skill.id } };
  const parameter = promptParameter(skill.metadata);
  if (parameter === null) return null;
  const params = { [parameter.name]: prompt };
  if (!validateInput(skill.metadata, params).ok) return null;
  return { name: 'invoke_skill', arguments: { skill_id: skill.id, params } };
}
