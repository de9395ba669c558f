import { z } from 'zod';
import { AgentName, RiskLevel, SandboxLevel, ToolEffect } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** A call is about to run, with exactly these arguments. */
export const ToolCallEvent = defineEvent('tool_call', {
  toolCallId: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  risk: RiskLevel,
  effect: ToolEffect,
  agent: AgentName,
  round: z.int().positive(),
  /** The step of the plan that it belongs to; absent where there is no plan. */
  stepId: z.string().optional(),
});

/** What the call gave back, as the model reads it. */
export const ToolResultEvent = defineEvent('tool_result', {
  toolCallId: z.string(),
  name: z.string(),
  status: z.enum(['ok', 'error', 'denied', 'cancelled']),
  content: z.string(),
  errorCode: z.string().optional(),
  durationMs: z.number().nonnegative(),
  sandboxLevel: SandboxLevel.optional(),
  /** Characters that truncation left out of `content`; absent when nothing was cut. */
  omittedChars: z.int().positive().optional(),
  /** What guardrails found remarkable in the arguments or in the result; absent when nothing was. */
  findings: z.array(z.strictObject({ rule: z.string(), message: z.string() })).optional(),
});
