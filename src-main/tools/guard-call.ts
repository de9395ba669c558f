import type { RiskLevel } from '#contract/vocabulary.ts';
import type { GuardReport, Guards } from '../guardrails/guards.ts';
import type { PreparedCall } from './prepare-call.ts';

/** What the guardrails say of the bytes of a call, of which a program or command is read as such. */
export function guardArguments(
  guards: Guards,
  { tool, argumentsText }: Pick<PreparedCall, 'tool' | 'argumentsText'>,
): GuardReport {
  return guards.arguments(argumentsText, { runs: tool.category === 'code_exec' });
}

const ONE_HIGHER: Readonly<Record<RiskLevel, RiskLevel>> = {
  low: 'medium',
  medium: 'high',
  high: 'high',
};

/** The call with its risk one level up where findings say so; never lower than its tool says. */
export function withRaisedRisk(
  call: PreparedCall,
  { verdict, findings }: GuardReport,
): PreparedCall {
  const isRaised = verdict !== 'allow' && findings.some(({ weight }) => weight !== 'note');
  return isRaised ? { ...call, risk: ONE_HIGHER[call.risk] } : call;
}

/** What the model is told of a call that was stopped. */
export function describeBlock({ findings }: GuardReport): string {
  const why = findings
    .filter(({ weight }) => weight === 'certain')
    .map(({ message }) => message)
    .join(' ');
  return `The guardrails of the app stopped this call: ${why} Do not try the same by other means; the person can change this in the settings, under Guardrails.`;
}
