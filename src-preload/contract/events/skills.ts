import { z } from 'zod';
import { StepStatus } from '../plans.ts';
import { SkillProgress } from '../skills.ts';
import { defineEvent } from './base.ts';

/** The output of a skill, with addresses to view or download it. */
const SkillOutputEvent = defineEvent('skill_output', {
  skillId: z.string(),
  executionId: z.string(),
  /** The call that produced it. */
  toolCallId: z.string().optional(),
  output: z.record(z.string(), z.unknown()),
  previewUrl: z.string().optional(),
  downloadUrl: z.string().optional(),
});

/** The task's progress in a Markdown skill, and refused attempts. `walkId` identifies the skill session. */
const SkillProgressEvent = defineEvent('skill_walk', {
  walkId: z.string(),
  walk: SkillProgress,
});

/** A step of a plan or a skill started or changed its status. */
const PlanStepEvent = defineEvent('plan_step', {
  stepId: z.string(),
  title: z.string(),
  status: StepStatus,
  detail: z.string().optional(),
});

export const skillEvents = [SkillOutputEvent, SkillProgressEvent, PlanStepEvent] as const;
