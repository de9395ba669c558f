import type { NetworkPolicy, RiskLevel, ToolCategory } from '#contract/vocabulary.ts';
import type { GuardReport, Guards } from '../guardrails/guards.ts';
import { isSecretGoingOut } from '../guardrails/secret-scan.ts';
import type { PreparedCall } from './prepare-call.ts';

/** What the guardrails say of the bytes of a call, of which a program or command is read as such. */
export function guardArguments(
  guards: Guards,
  { tool, argumentsText }: Pick<PreparedCall, 'tool' | 'argumentsText'>,
  network: NetworkPolicy,
): GuardReport {
  const runs = tool.category === 'code_exec';
  const leaves = network !== 'offline' && (runs || GOES_OUT.has(tool.category));
  return guards.arguments(argumentsText, { runs, leaves });
}

/** Tools that send what they are given to other computers. */
const GOES_OUT: ReadonlySet<ToolCategory> = new Set(['search', 'browser', 'handoff']);

const ONE_HIGHER: Readonly<Record<RiskLevel, RiskLevel>> = {
  low: 'medium',
  medium: 'high',
  high: 'high',
};

/** The call with its risk one level up where findings say so, high for secrets that would go out; never lower. */
export function withRaisedRisk(
  call: PreparedCall,
  { verdict, findings }: GuardReport,
): PreparedCall {
  if (verdict === 'allow') return call;
  if (findings.some(isSecretGoingOut)) return { ...call, risk: 'high' };
  const isRaised = findings.some(({ weight }) => weight !== 'note');
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
