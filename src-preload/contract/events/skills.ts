import { z } from 'zod';
import { StepStatus } from '../plans.ts';
import { SkillProgress } from '../skills.ts';
import { defineEvent } from './base.ts';

/** What a skill made, with where to see it or get it. */
export const SkillOutputEvent = defineEvent('skill_output', {
  skillId: z.string(),
  executionId: z.string(),
  /** The call that it is the result of. */
  toolCallId: z.string().optional(),
  output: z.record(z.string(), z.unknown()),
  previewUrl: z.string().optional(),
  downloadUrl: z.string().optional(),
});

/** How far the task is in a Markdown skill, or what was refused there. `walkId` names one reading of it. */
export const SkillProgressEvent = defineEvent('skill_walk', {
  walkId: z.string(),
  walk: SkillProgress,
});

/** A step of a plan or a skill began or moved. */
export const PlanStepEvent = defineEvent('plan_step', {
  stepId: z.string(),
  title: z.string(),
  status: StepStatus,
  detail: z.string().optional(),
});
