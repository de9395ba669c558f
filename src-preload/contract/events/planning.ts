import { z } from 'zod';
import { Fact, PlanStep } from '../plans.ts';
import { defineEvent } from './base.ts';

/** The current plan; `revision` increases with each replan or edit. */
const PlanOverviewEvent = defineEvent('plan_overview', {
  revision: z.int().nonnegative(),
  steps: z.array(PlanStep),
  /** Why the plan changed, or why it has only one step. */
  reason: z.string().optional(),
});

const PlanStepCompletedEvent = defineEvent('plan_step_completed', {
  revision: z.int().nonnegative(),
  stepId: z.string(),
  status: z.enum(['completed', 'failed', 'skipped']),
  summary: z.string(),
  durationMs: z.number().nonnegative(),
});

const TodoUpdateEvent = defineEvent('todo_update', { markdown: z.string() });

/** The checked facts of a step, or of the whole answer. */
const VerificationEvent = defineEvent('verification', {
  verificationId: z.string(),
  stepId: z.string().optional(),
  verdict: z.enum(['verified', 'unverified', 'failed']),
  facts: z.array(Fact),
});

export const planningEvents = [
  PlanOverviewEvent,
  PlanStepCompletedEvent,
  TodoUpdateEvent,
  VerificationEvent,
] as const;
