import type { RunEventOf } from '#contract/events/run-event.ts';
import type { NetworkPolicy, RiskLevel, ToolCategory } from '#contract/vocabulary.ts';
import type { GuardReport, Guards } from '../guardrails/guards.ts';
import { isSecretGoingOut } from '../guardrails/secret-scan.ts';
import type { PreparedCall } from './prepare-call.ts';

/** The guardrails' report on the bytes of a call; programs and commands are scanned as such. */
export function guardArguments(
  guards: Guards,
  { tool, argumentsText }: Pick<PreparedCall, 'tool' | 'argumentsText'>,
  network: NetworkPolicy,
): GuardReport {
  const runs = tool.category === 'code_exec';
  const leaves = network !== 'offline' && (runs || GOES_OUT.has(tool.category));
  return guards.arguments(argumentsText, { runs, leaves });
}

/** Tools that send their arguments to other computers. */
const GOES_OUT: ReadonlySet<ToolCategory> = new Set(['search', 'browser', 'handoff', 'connector']);

const ONE_HIGHER: Readonly<Record<RiskLevel, RiskLevel>> = {
  low: 'medium',
  medium: 'high',
  high: 'high',
};

/** The call with its risk raised one level where findings say so, to high for secrets that would be sent out; never lowered. */
export function withRaisedRisk(
  call: PreparedCall,
  { verdict, findings }: GuardReport,
): PreparedCall {
  if (verdict === 'allow') return call;
  if (findings.some(isSecretGoingOut)) return { ...call, risk: 'high' };
  const isRaised = findings.some(({ weight }) => weight !== 'note');
  return isRaised ? { ...call, risk: ONE_HIGHER[call.risk] } : call;
}

/** The message to the model for a blocked call. */
export function describeBlock({ findings }: GuardReport): string {
  const why = findings
    .filter(({ weight }) => weight === 'certain')
    .map(({ message }) => message)
    .join(' ');
  return `The guardrails of the app stopped this call: ${why} Do not try the same by other means; the user can change this in the settings, under Guardrails.`;
}

/** Findings as the result of a call shows them. */
export function shownFindings(
  findings: GuardReport['findings'],
): Pick<RunEventOf<'tool_result'>, 'findings'> {
  if (findings.length === 0) return {};
  return { findings: findings.map(({ rule, message }) => ({ rule, message })) };
}
