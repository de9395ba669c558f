import type { RiskLevel } from '#contract/vocabulary.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { ToolContext } from './types.ts';

const ORDER: readonly RiskLevel[] = ['low', 'medium', 'high'];

/** `call` with the risk that it has in its run, where the tool determines one; never lowered. */
export function withRiskIn(call: PreparedCall, context: Pick<ToolContext, 'egress'>): PreparedCall {
  const risk = call.tool.riskIn?.(call.input, context);
  return risk === undefined || ORDER.indexOf(risk) <= ORDER.indexOf(call.risk)
    ? call
    : { ...call, risk };
}
