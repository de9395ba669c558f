import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { PlanStepState } from '#contract/plans.ts';
import type { Agent, AgentContext, AgentOutcome, MadeCall } from '../agents/types.ts';
import { withTimeLimit } from '../base/abort.ts';
import { newId } from '../base/ids.ts';
import type { StepPath } from '../base/step-path.ts';
import type { ChatMessage } from '../models/types.ts';
import type { Delegate } from '../tools/types.ts';
import { builtAppFacts } from './evidence/app-points.ts';
import { checkEvidence } from './evidence/check-evidence.ts';
import { checkClaims } from './evidence/claims.ts';
import { checkPageClaims } from './evidence/page-claims.ts';
import type { RunTests } from './evidence/test-facts.ts';
import { type CheckedFact, fact } from './evidence/types.ts';

/** Failures of the work itself, which another plan may avoid. All other errors end the run. */
const STEP_FAILURES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'MODEL_REPEATS_FAILURES',
  'MODEL_OUTPUT_INCOMPLETE',
  'ROUND_LIMIT',
]);

export function isStepFailure(error: unknown): error is AppError {
  return error instanceof AppError && STEP_FAILURES.has(error.code);
}

/** The outcome of a step, or the problem that left it without one. */
export interface StepRun {
  readonly step: PlanStepState;
  readonly outcome: AgentOutcome | null;
  readonly problem: string;
}

/** A context for one part of a run, with its own branch and fitter. It adds nothing to the conversation. */
export function branchContext(
  context: AgentContext,
  { branch, stepId }: { readonly branch: StepPath; readonly stepId?: string },
): AgentContext {
  const { emit } = context;
  return {
    ...context,
    branch,
    roundsBefore: 0,
    fitter: context.openFitter(),
    record: () => undefined,
    emit:
      stepId === undefined
        ? emit
        : (event) => emit(event.type === 'tool_call' ? { ...event, stepId } : event),
  };
}

/** Runs a step. Throws errors that end the run; those that end only the step are in the result. */
export async function runStep(
  executor: Agent,
  messages: readonly ChatMessage[],
  {
    step,
    context,
    delegate,
  }: {
    readonly step: PlanStepState;
    readonly context: AgentContext;
    readonly delegate: Delegate | null;
  },
): Promise<StepRun> {
  try {
    const outcome = await executor.run(messages, { ...context, delegate });
    return { step, outcome, problem: '' };
  } catch (error) {
    if (!isStepFailure(error)) throw error;
    return { step, outcome: null, problem: error.message };
  }
}

export interface StepCheck {
  readonly context: AgentContext;
  /** Of the run before the step. */
  readonly earlierCalls: readonly MadeCall[];
  /** The user's own words. */
  readonly prompt: string;
  readonly runTests: RunTests;
}

/** Checks the expected evidence of a step and the claims of its answer, by code alone, over all of the run. */
export async function checkStep(
  { step, outcome, problem }: StepRun,
  { context, earlierCalls, prompt, runTests }: StepCheck,
): Promise<CheckedFact[]> {
  if (outcome === null) return [fact('The step was completed', 'fails', problem)];
  const files = context.sandbox.workspace;
  const { calls, answer } = outcome;
  const facts = await checkEvidence(step.expectedEvidence, {
    ...{ files, calls, earlierCalls, answer, prompt, runTests },
    egress: context.egress,
    signal: context.signal,
    probe: (code) => probeInside(code, context),
  });
  const checked = new Set(facts.map(({ claim }) => claim));
  const ofRun = [...earlierCalls, ...calls];
  const claimed = [
    ...(await checkClaims(answer, { files, prompt, runTests, calls: ofRun })),
    ...checkPageClaims(answer, ofRun, { prompt }),
    ...builtAppFacts(calls),
  ];
  return [...facts, ...claimed.filter(({ claim }) => !checked.has(claim))];
}

const PROBE_MS = 30_000;

/** Whether Python code ends without error in the sandbox. Needs no approval: it runs no code of the workspace. */
async function probeInside(code: string, context: AgentContext): Promise<boolean> {
  const signal = withTimeLimit(context.signal, PROBE_MS * 2);
  const runtime = await context.sandbox.runtime({ signal, onProgress: () => undefined });
  const result = await runtime.run(
    {
      ...{ commandId: newId('cmd'), language: 'python', code, timeoutMs: PROBE_MS },
      isolated: true,
    },
    { signal, onOutput: () => undefined },
  );
  return result.outcome === 'completed' && result.exitCode === 0;
}
