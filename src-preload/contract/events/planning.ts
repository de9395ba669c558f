import { z } from 'zod';
import { defineEvent } from './base.ts';

export const PlanStep = z.strictObject({
  id: z.string(),
  title: z.string(),
  goal: z.string(),
  toolsHint: z.array(z.string()),
  expectedEvidence: z.array(z.string()),
  dependsOn: z.array(z.string()),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** The plan as it stands; `revision` counts up with each re-plan or edit. */
export const PlanOverviewEvent = defineEvent('plan_overview', {
  revision: z.int().nonnegative(),
  steps: z.array(PlanStep),
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

/** What was checked of a step's claim, fact by fact. */
export const VerificationEvent = defineEvent('verification', {
  verificationId: z.string(),
  stepId: z.string().optional(),
  verdict: z.enum(['verified', 'unverified', 'failed']),
  facts: z.array(z.strictObject({ claim: z.string(), holds: z.boolean(), evidence: z.string() })),
});
