import { z } from 'zod';
import { Fact, PlanStep } from '../plans.ts';
import { defineEvent } from './base.ts';

/** The plan as it stands; `revision` counts up with each re-plan or edit. */
export const PlanOverviewEvent = defineEvent('plan_overview', {
  revision: z.int().nonnegative(),
  steps: z.array(PlanStep),
  /** Why it is another one than before, or no more than one step. */
  reason: z.string().optional(),
});

export const PlanStepCompletedEvent = defineEvent('plan_step_completed', {
  revision: z.int().nonnegative(),
  stepId: z.string(),
  status: z.enum(['completed', 'failed', 'skipped']),
  summary: z.string(),
  durationMs: z.number().nonnegative(),
});

export const TodoUpdateEvent = defineEvent('todo_update', { markdown: z.string() });

/** What was checked of a step's claim, or of the whole answer's, fact by fact. */
export const VerificationEvent = defineEvent('verification', {
  verificationId: z.string(),
  stepId: z.string().optional(),
  verdict: z.enum(['verified', 'unverified', 'failed']),
  facts: z.array(Fact),
});
