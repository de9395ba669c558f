import type { Skill } from '../types.ts';
import { codeGeneration } from './code-generation/code-generation.ts';
import { codeReview } from './code-review/code-review.ts';
import { dataAnalysis } from './data-analysis/skill.ts';
import { dataVisualization } from './data-visualization/skill.ts';
import { deepResearch } from './deep-research/deep-research.ts';
import { simpleWriting } from './simple-writing/simple-writing.ts';
import { taskPlanning } from './task-planning/task-planning.ts';
import { webResearch } from './web-research/web-research.ts';

/** Every skill that comes with the app, by id. */
export const builtinSkills: readonly Skill[] = [
  codeGeneration,
  codeReview,
  dataAnalysis,
  dataVisualization,
  deepResearch,
  simpleWriting,
  taskPlanning,
  webResearch,
];
