import { z } from 'zod';
import { AgentName, RiskLevel, SandboxLevel, ToolEffect } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** A call is about to run, with exactly these arguments. */
const ToolCallEvent = defineEvent('tool_call', {
  toolCallId: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  risk: RiskLevel,
  effect: ToolEffect,
  agent: AgentName,
  /** Which answer made it; each step of a plan, hand-over and skill counts its own. */
  round: z.int().positive(),
  /** The plan step that it belongs to; absent without a plan. */
  stepId: z.string().optional(),
});

/** The result of the call, as the model reads it. */
const ToolResultEvent = defineEvent('tool_result', {
  toolCallId: z.string(),
  name: z.string(),
  status: z.enum(['ok', 'error', 'denied', 'cancelled']),
  content: z.string(),
  errorCode: z.string().optional(),
  durationMs: z.number().nonnegative(),
  sandboxLevel: SandboxLevel.optional(),
  /** Characters that truncation removed from `content`; absent if nothing was cut. */
  omittedChars: z.int().positive().optional(),
  /** What guardrails found in the arguments or the result; absent if nothing. */
  findings: z.array(z.strictObject({ rule: z.string(), message: z.string() })).optional(),
});

export const toolEvents = [ToolCallEvent, ToolResultEvent] as const;
