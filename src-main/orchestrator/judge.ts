import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { PlanStepState } from '#contract/plans.ts';
import { delimitAsData } from '../guardrails/delimit.ts';
import { askStructured } from '../models/structured-answer.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';

export interface Judgement {
  readonly isDone: boolean;
  /** What is missing, in words; empty if nothing is. */
  readonly missing: string;
}

export interface JudgeRequest {
  readonly task: string;
  readonly results: readonly { readonly step: PlanStepState; readonly result: string }[];
}

export interface JudgeOptions {
  /** The judge's system prompt, identical in every request. */
  readonly systemPrompt: string;
  readonly signal: AbortSignal;
  readonly onReply: (reply: ModelReply) => void;
}

const RESULT_CHARS = 1_500;

const Verdict = z.object({ is_done: z.boolean(), missing: z.string().max(2_000).default('') });

/** Whether the model failed rather than the run. */
export function isModelFailure(error: unknown): boolean {
  return error instanceof AppError && /^(?:NO_)?MODEL|^GUARDRAIL/.test(error.code);
}

/**
 * Asks a model whether the results are what the task asked for, after code has checked the facts. Null if
 * the model gives no clear answer.
 */
export async function judgeResults(
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
