import type { SkillMetadata } from '#contract/skills.ts';
import type { Skill } from '../types.ts';
import { metadata as codeGeneration } from './code-generation/metadata.ts';
import { metadata as codeReview } from './code-review/metadata.ts';
import { metadata as dataAnalysis } from './data-analysis/metadata.ts';
import { metadata as dataVisualization } from './data-visualization/metadata.ts';
import { metadata as deepResearch } from './deep-research/metadata.ts';
import { metadata as simpleWriting } from './simple-writing/metadata.ts';
import { metadata as taskPlanning } from './task-planning/metadata.ts';
import { metadata as webResearch } from './web-research/metadata.ts';

/** A skill whose metadata is loaded at every start and whose code is loaded on first use. */
export interface BuiltinSkill {
  readonly metadata: SkillMetadata;
  load(): Promise<Skill>;
}

/** Every skill that comes with the app, by id. */
export const builtinSkills: readonly BuiltinSkill[] = [
  {
    metadata: codeGeneration,
    load: async () => (await import('./code-generation/code-generation.ts')).codeGeneration,
  },
  {
    metadata: codeReview,
    load: async () => (await import('./code-review/code-review.ts')).codeReview,
  },
  {
    metadata: dataAnalysis,
    load: async () => (await import('./data-analysis/skill.ts')).dataAnalysis,
  },
  {
    metadata: dataVisualization,
    load: async () => (await import('./data-visualization/skill.ts')).dataVisualization,
  },
  {
    metadata: deepResearch,
    load: async () => (await import('./deep-research/deep-research.ts')).deepResearch,
  },
  {
    metadata: simpleWriting,
    load: async () => (await import('./simple-writing/simple-writing.ts')).simpleWriting,
  },
  {
    metadata: taskPlanning,
    load: async () => (await import('./task-planning/task-planning.ts')).taskPlanning,
  },
  {
    metadata: webResearch,
    load: async () => (await import('./web-research/web-research.ts')).webResearch,
  },
];
