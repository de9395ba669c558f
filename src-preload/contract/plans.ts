import { z } from 'zod';

/** Plans of the orchestrator: steps and their status. Times are ms since the epoch. */

export const MIN_PLAN_STEPS = 2;
export const MAX_PLAN_STEPS = 8;
/** Maximum steps of a plan after the user added some. */
export const MAX_EDITED_STEPS = 20;

/**
 * Evidence that a step is done: a `file` of the workspace that exists and opens; a command whose
 * `exit_code` is 0; a `page` that answers, or showed a text; a `figure` (number or words) that appears in output; or a
 * `judgement`, which only a model can check.
 */
export const EvidenceKind = z.enum(['file', 'exit_code', 'page', 'figure', 'judgement']);
export type EvidenceKind = z.infer<typeof EvidenceKind>;

/** `target`: a path, part of a command, an address (and `shows "text"`), the figure, or the claim to judge. */
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

/** A checked fact: the claim, whether it holds, and the evidence. */
export const Fact = z.strictObject({ claim: z.string(), holds: z.boolean(), evidence: z.string() });
export type Fact = z.infer<typeof Fact>;

/** A step with its status. */
export const PlanStepState = z.strictObject({
  ...PlanStep.shape,
  status: StepStatus,
  /** The step's result, shortened; empty until there is one. */
  summary: z.string(),
  facts: z.array(Fact),
  startedAt: z.int().nullable(),
  endedAt: z.int().nullable(),
});
export type PlanStepState = z.infer<typeof PlanStepState>;

/** The current plan of a run; `revision` increases with each replan and each edit. */
export const Plan = z.strictObject({
  runId: z.string(),
  revision: z.int().nonnegative(),
  steps: z.array(PlanStepState),
  /** How often the run replanned after a failure. */
  replans: z.int().nonnegative(),
});
export type Plan = z.infer<typeof Plan>;

/**
 * The steps as the user wants them, in order. Started steps must come first, unchanged; a step without an
 * id is new.
 */
export const PlanDraftStep = z.strictObject({
  id: z.string().min(1).max(40).optional(),
  title: z.string().trim().min(1).max(200),
  /** Absent: the step keeps its goal, or the title becomes the goal if it is new or renamed. */
  goal: z.string().max(4_000).optional(),
});
export type PlanDraftStep = z.infer<typeof PlanDraftStep>;
