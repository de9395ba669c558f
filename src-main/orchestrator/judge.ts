import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { PlanStepState } from '#contract/plans.ts';
import type { AgentContext } from '../agents/types.ts';
import { usageEvent } from '../agents/usage-event.ts';
import { delimitAsData } from '../guardrails/delimit.ts';
import { askStructured } from '../models/structured-answer.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';
import type { PlanState } from './plan-state.ts';

interface Judgement {
  readonly isDone: boolean;
  /** What is missing, in words; empty if nothing is. */
  readonly missing: string;
}

interface JudgeRequest {
  readonly task: string;
  readonly results: readonly { readonly step: PlanStepState; readonly result: string }[];
}

interface JudgeOptions {
  /** The judge's system prompt, identical in every request. */
  readonly systemPrompt: string;
  readonly signal: AbortSignal;
  readonly onReply: (reply: ModelReply) => void;
}

const RESULT_CHARS = 1_500;
/** Plans and judgements are not rounds of a conversation: their usage counts for the first one. */
export const OUTSIDE_ROUNDS = 1;

const Verdict = z.object({ is_done: z.boolean(), missing: z.string().max(2_000).default('') });

/** Whether the model failed rather than the run. */
export function isModelFailure(error: unknown): boolean {
  return error instanceof AppError && /^(?:NO_)?MODEL|^GUARDRAIL/.test(error.code);
}

/**
 * Asks the flash model whether the results are what the task asked for, and shows that it does. A judge that
 * fails loses nothing: without a clear answer nothing is planned again, and the run says that nobody compared.
 */
export async function judgeWork(
  work: JudgeRequest,
  { tier, signal, emit }: Pick<AgentContext, 'tier' | 'signal' | 'emit'>,
  systemPrompt: string,
): Promise<{ readonly judgement: NonNullable<PlanState['judgement']>; readonly requests: number }> {
  const stage = { type: 'stage', name: 'verification' } as const;
  const description = 'Checking the results against the task';
  emit({ ...stage, status: 'running', description });
  let requests = 0;
  const ask = async (): Promise<Judgement | null> => {
    const model = await tier('flash');
    const onReply = (reply: ModelReply): void => {
      requests += 1;
      emit(usageEvent(reply, model, OUTSIDE_ROUNDS));
    };
    return judgeResults(model, work, { systemPrompt, signal, onReply });
  };
  const judged = await ask().catch((error: unknown) => {
    if (signal.aborted || !isModelFailure(error)) throw error;
    return null;
  });
  const judgement =
    judged === null ? { isDone: true, missing: '', isClear: false } : { ...judged, isClear: true };
  const status = judgement.isDone ? 'completed' : 'failed';
  emit({ ...stage, status, description: judgement.missing || description });
  return { judgement, requests };
}

/**
 * Asks a model whether the results are what the task asked for, after code has checked the facts. Null if
 * the model gives no clear answer.
 */
async function judgeResults(
  model: ChatModel,
  { task, results }: JudgeRequest,
  { systemPrompt, signal, onReply }: JudgeOptions,
): Promise<Judgement | null> {
  const entries = results.map(({ step, result }, i) => {
    const facts = step.facts.map(
      ({ claim, holds, evidence }) => `  ${holds ? 'holds' : 'NOT SHOWN'}: ${claim} (${evidence})`,
    );
    const judged = step.expectedEvidence
      .filter(({ kind }) => kind === 'judgement')
      .map(({ target }) => `  to be judged: ${target}`);
    return [
      `Step ${i + 1} (${step.status}): ${step.title}`,
      `  goal: ${step.goal.slice(0, 500)}`,
      ...facts,
      ...judged,
      `  result: ${result.slice(0, RESULT_CHARS)}`,
    ].join('\n');
  });
  const material = delimitAsData(entries.join('\n\n'), {
    toolCallId: 'judge',
    source: 'the steps',
  });
  const answer = await askStructured(
    model,
    {
      messages: [
        { role: 'system', content: systemPrompt },
        { role: 'user', content: `Task:\n${task}\n\n${material}` },
      ],
      schema: Verdict,
      temperature: 0,
    },
    { signal, onReply, onProgress: () => undefined },
  );
  if (!answer.ok) return null;
  const { is_done: isDone, missing } = answer.value;
  return { isDone, missing: missing.trim() };
}
