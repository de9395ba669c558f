import { AppError } from '#contract/errors.ts';
import type { SkillMetadata } from '#contract/skills.ts';
import { lazyModulesOf, modulesOf } from '../base/modules-of.ts';
import { identityOf, type ListedSkill, type SkillCatalogue } from './catalogue-types.ts';
import type { Skill } from './types.ts';

/** A skill whose metadata is loaded at every start and whose code is loaded on first use. */
export interface BuiltinSkill {
  readonly metadata: SkillMetadata;
  load(): Promise<Skill>;
}

/** The `metadata` and the `skill` of each folder in `builtin/`, by path. */
const METADATA: Readonly<Record<string, SkillMetadata>> = import.meta.env
  ? import.meta.glob<SkillMetadata>('./builtin/*/metadata.ts', { eager: true, import: 'metadata' })
  : modulesOf(import.meta.dirname, { pattern: './builtin/*/metadata.ts', name: 'metadata' });
const CODE: Readonly<Record<string, () => Promise<Skill>>> = import.meta.env
  ? import.meta.glob<Skill>('./builtin/*/skill.ts', { import: 'skill' })
  : lazyModulesOf(import.meta.dirname, { pattern: './builtin/*/skill.ts', name: 'skill' });

/** Every skill that comes with the app, one folder each, by id. */
export const builtinSkills: readonly BuiltinSkill[] = Object.entries(METADATA).map(
  ([file, metadata]) => {
    const load = CODE[file.replace('metadata.ts', 'skill.ts')];
    if (load === undefined) throw new Error(`A builtin skill has no skill.ts next to ${file}`);
    return { metadata, load };
  },
);

/** Skills that come with the app. */
export class BuiltinCatalogue implements SkillCatalogue {
  readonly source = 'builtin';
  readonly #skills: ReadonlyMap<string, Skill | BuiltinSkill>;
  readonly #list: readonly ListedSkill[];

  constructor(skills: readonly (Skill | BuiltinSkill)[] = builtinSkills) {
    this.#skills = new Map(skills.map((skill) => [skill.metadata.id, skill]));
    if (this.#skills.size !== skills.length) throw new Error('Two builtin skills have one id');
    this.#list = skills.map(({ metadata }) => ({
      ...identityOf(metadata),
      tags: metadata.tags,
      metadata,
      folder: null,
      state: 'ready',
      problem: null,
      allowedTools: null,
    }));
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
