import type { Skill } from '../types.ts';

/** Every skill that comes with the app, by id. */
export const builtinSkills: readonly Skill[] = [];
