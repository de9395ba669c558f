import { AppError } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { Finding } from '../guardrails/scanner.ts';

/** Shows findings to the user, within the run. */
export function guardStage(findings: readonly Finding[]): RunEventDraft {
  return {
    type: 'stage',
    name: 'guardrails',
    status: 'completed',
    description: `Guardrails: ${findings.map(({ message }) => message).join(' ')}`,
  };
}

/** The error of a run whose prompt is blocked; says which rule, and what to do about it. */
export function promptBlocked(findings: readonly Finding[]): AppError {
  const certain = findings.filter(({ weight }) => weight === 'certain');
  const rules = certain.map(({ rule }) => rule);
  const why = certain.map(({ message }) => message).join(' ');
  return new AppError(
    'GUARDRAIL_BLOCKED',
    `The guardrails blocked this message (${rules.join(', ')}): ${why} If you want to send it anyway, set the guardrails to warn in the settings, under Guardrails, and send it again.`,
    { details: { rules } },
  );
}
