import { AppError } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { Finding } from '../guardrails/scanner.ts';

/** What the person is told of findings, in the run itself. */
export function guardStage(findings: readonly Finding[]): RunEventDraft {
  return {
    type: 'stage',
    name: 'guardrails',
    status: 'completed',
    description: `Guardrails: ${findings.map(({ message }) => message).join(' ')}`,
  };
}

/** The end of a run whose prompt is not let through; says which rule, and what to do about it. */
export function promptBlocked(findings: readonly Finding[]): AppError {
  const certain = findings.filter(({ weight }) => weight === 'certain');
  const rules = certain.map(({ rule }) => rule);
  const why = certain.map(({ message }) => message).join(' ');
  return new AppError(
    'GUARDRAIL_BLOCKED',
    `The guardrails stopped this message (${rules.join(', ')}): ${why} If it is meant as it is, set the guardrails to warn in the settings, under Guardrails, and send it again.`,
    { details: { rules } },
  );
}
