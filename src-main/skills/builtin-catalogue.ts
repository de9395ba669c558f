import { AppError } from '#contract/errors.ts';
import { type BuiltinSkill, builtinSkills } from './builtin/all.ts';
import type { ListedSkill, SkillCatalogue } from './catalogue-types.ts';
import type { Skill } from './types.ts';

/** Skills that come with the app. */
export class BuiltinCatalogue implements SkillCatalogue {
  readonly source = 'builtin';
  readonly #skills: ReadonlyMap<string, Skill | BuiltinSkill>;
  readonly #list: readonly ListedSkill[];

  constructor(skills: readonly (Skill | BuiltinSkill)[] = builtinSkills) {
    this.#skills = new Map(skills.map((skill) => [skill.metadata.id, skill]));
    if (this.#skills.size !== skills.length) throw new Error('Two builtin skills have one id');
    this.#list = skills.map(({ metadata }) => {
      const { id, name, version, description, category, author, tags } = metadata;
      return {
        ...{ id, name, version, description, category, author, tags, metadata },
        ...{ folder: null, state: 'ready', problem: null, allowedTools: null },
      };
    });
  }

  list(): readonly ListedSkill[] {
    return this.#list;
  }

  async load(id: string): Promise<Skill> {
    const skill = this.#skills.get(id);
    if (skill === undefined) throw new AppError('SKILL_UNKNOWN', `There is no skill ${id}.`);
    return 'load' in skill ? await skill.load() : skill;
  }
}
