import { z } from 'zod';

/** Plans of the orchestrator: what a step is, and how far the steps of a run are. Times are ms since the epoch. */

export const MIN_PLAN_STEPS = 2;
export const MAX_PLAN_STEPS = 8;
/** Steps that a person may add up to. */
export const MAX_EDITED_STEPS = 20;

/**
 * What shows that a step is done: a `file` of the workspace that exists and opens; a command whose
 * `exit_code` is 0; a `page` that answers; a `figure` (number or words) that stands in output; or a
 * `judgement`, which no code can check and a model is asked about.
 */
export const EvidenceKind = z.enum(['file', 'exit_code', 'page', 'figure', 'judgement']);
export type EvidenceKind = z.infer<typeof EvidenceKind>;

/** `target`: a path, part of a command, an address, the figure, or what is to be judged. */
export const Evidence = z.strictObject({ kind: EvidenceKind, target: z.string().max(2_000) });
export type Evidence = z.infer<typeof Evidence>;

export const PlanStep = z.strictObject({
  id: z.string().min(1).max(40),
  title: z.string().min(1).max(200),
  goal: z.string().max(4_000),
  toolsHint: z.array(z.string().max(100)).max(20),
  expectedEvidence: z.array(Evidence).max(10),
  /** Ids of the steps whose results this one needs. */
  dependsOn: z.array(z.string()).max(MAX_EDITED_STEPS),
});
export type PlanStep = z.infer<typeof PlanStep>;

export const StepStatus = z.enum(['pending', 'running', 'completed', 'failed', 'skipped']);
export type StepStatus = z.infer<typeof StepStatus>;

/** A fact that was looked at: what was said, whether it holds, and what shows it. */
export const Fact = z.strictObject({ claim: z.string(), holds: z.boolean(), evidence: z.string() });
export type Fact = z.infer<typeof Fact>;

/** A step and how far it is. */
export const PlanStepState = z.strictObject({
  ...PlanStep.shape,
  status: StepStatus,
  /** The step's own result, shortened; empty before it has one. */
  summary: z.string(),
  facts: z.array(Fact),
  startedAt: z.int().nullable(),
  endedAt: z.int().nullable(),
});
export type PlanStepState = z.infer<typeof PlanStepState>;

/** The plan of a run as it stands; `revision` counts up with each re-plan and each edit. */
export const Plan = z.strictObject({
  runId: z.string(),
  revision: z.int().nonnegative(),
  steps: z.array(PlanStepState),
  /** Times that it was made again after a failure. */
  replans: z.int().nonnegative(),
});
export type Plan = z.infer<typeof Plan>;

/**
 * Steps as the person wants them, in their order. Those that began must be among them unchanged, in
 * front; one without an id is new.
 */
export const PlanDraftStep = z.strictObject({
  id: z.string().min(1).max(40).optional(),
  title: z.string().trim().min(1).max(200),
  /** Absent: the title says it all, or what the step said before. */
  goal: z.string().max(4_000).optional(),
});
export type PlanDraftStep = z.infer<typeof PlanDraftStep>;
