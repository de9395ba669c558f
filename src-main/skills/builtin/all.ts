import type { SkillMetadata } from '#contract/skills.ts';
import { lazyModulesOf, modulesOf } from '../../base/modules-of.ts';
import type { Skill } from '../types.ts';

/** A skill whose metadata is loaded at every start and whose code is loaded on first use. */
export interface BuiltinSkill {
  readonly metadata: SkillMetadata;
  load(): Promise<Skill>;
}

/** The `metadata` and the `skill` of each folder here, by path. */
const METADATA: Readonly<Record<string, SkillMetadata>> = import.meta.env
  ? import.meta.glob<SkillMetadata>('./*/metadata.ts', { eager: true, import: 'metadata' })
  : modulesOf(import.meta.dirname, { pattern: './*/metadata.ts', name: 'metadata' });
const CODE: Readonly<Record<string, () => Promise<Skill>>> = import.meta.env
  ? import.meta.glob<Skill>('./*/skill.ts', { import: 'skill' })
  : lazyModulesOf(import.meta.dirname, { pattern: './*/skill.ts', name: 'skill' });

/** Every skill that comes with the app, one folder each, by id. */
export const builtinSkills: readonly BuiltinSkill[] = Object.entries(METADATA).map(
  ([file, metadata]) => {
    const load = CODE[file.replace('metadata.ts', 'skill.ts')];
    if (load === undefined)
      throw new Error(`Beside ${file} of src-main/skills/builtin is no skill.ts`);
    return { metadata, load };
  },
);
