import { AppError } from '#contract/errors.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import { RUN_STEP } from '../base/step-path.ts';
import type { Guards } from '../guardrails/guards.ts';
import type { ReviewedArguments } from '../hitl/answer-checks.ts';
import { guardArguments } from './guard-call.ts';
import { type KnownTool, type PreparedCall, prepareCall } from './prepare-call.ts';
import { shortenResult } from './shorten-result.ts';

/** The call with arguments that the user wrote in place of the model's, without known secrets. Throws `BAD_REQUEST`. */
export function reviewArguments(
  { tools, guards }: { readonly tools: ReadonlyMap<string, KnownTool>; readonly guards: Guards },
  call: Pick<PreparedCall, 'id' | 'step'> & { readonly tool: { readonly name: string } },
  argumentsText: string,
): PreparedCall {
  const prepared = prepareCall(
    {
      id: call.id,
      name: call.tool.name,
      arguments: guards.secrets.value(parseObject(argumentsText)),
    },
    tools,
    call.step,
  );
  if (prepared.kind === 'prepared') return prepared;
  throw new AppError('BAD_REQUEST', prepared.problem.replace(/\nCall it again.*$/, ''));
}

/** What the user would approve: the canonical bytes, and the findings about them. */
export function describeArguments(
  parts: Parameters<typeof reviewArguments>[0],
  toolName: string,
  argumentsText: string,
): ReviewedArguments {
  const call = reviewArguments(
    parts,
    { id: 'review', step: RUN_STEP, tool: { name: toolName } },
    argumentsText,
  );
  const { findings } = guardArguments(parts.guards, call, 'open');
  return {
    argumentsText: call.argumentsText,
    argumentsSha256: call.argumentsSha256,
    reasons: findings.map(({ message }) => message),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value = parseOutsideJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('BAD_REQUEST', `The arguments are not JSON: ${why}.`, { cause: error });
  }
  throw new AppError('BAD_REQUEST', 'The arguments must be one JSON object.');
}

/** Tells the model that other arguments than its own ran. */
export function changedNote({ argumentsText }: PreparedCall): string {
  const { content } = shortenResult(argumentsText, 2_000);
  return `[The user changed the arguments of this call before it ran, to: ${content}]`;
}
