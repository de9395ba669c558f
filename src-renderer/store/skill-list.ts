import type { SkillCategory, SkillSource, SkillSummary } from '#contract/skills.ts';
import type { RunMode } from '#contract/vocabulary.ts';

/** The filter of the skill list; null means all. */
export interface SkillFilter {
  readonly search: string;
  readonly category: SkillCategory | null;
  readonly source: SkillSource | null;
}

/** The source of a skill as the window shows it: a Markdown skill that ships with the app is built-in. */
export function whereFrom({ source, isShipped }: SkillSummary): SkillSource {
  return isShipped === true ? 'builtin' : source;
}

export const NO_SKILL_FILTER: SkillFilter = { search: '', category: null, source: null };

/**
 * The skills that match a filter, in their original order. Every word of the query must be in the id,
 * the name, the description or the tags.
 */
export function filterSkills(
  skills: readonly SkillSummary[],
  { search, category, source }: SkillFilter,
): readonly SkillSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return skills.filter((skill) => {
    if (category !== null && skill.category !== category) return false;
    if (source !== null && whereFrom(skill) !== source) return false;
    if (words.length === 0) return true;
    const { id, name, description, tags } = skill;
    const text = [id, name, description, ...tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The skill of each mode of the message box; the agents handle the other two modes themselves. */
const SKILL_OF_MODE: Readonly<Record<Exclude<RunMode, 'task' | 'research'>, string>> = {
  data: 'data_analysis',
  app: 'app_builder',
  image: 'image_generation',
  slide: 'slide_generation',
  writing: 'simple_writing',
  code: 'code_generation',
};

/** Whether a mode of the message box stands for this skill. */
export function hasModeOf(skillId: string): boolean {
  return Object.values(SKILL_OF_MODE).includes(skillId);
}

/** Available modes, in the order in which they are offered. */
export function offeredModes(skills: readonly SkillSummary[]): readonly RunMode[] {
  const ready = new Set(skills.filter(({ state }) => state === 'ready').map(({ id }) => id));
  const dedicated = (Object.keys(SKILL_OF_MODE) as (keyof typeof SKILL_OF_MODE)[]).filter((mode) =>
    ready.has(SKILL_OF_MODE[mode]),
  );
  return ['task', 'research', ...dedicated];
}
