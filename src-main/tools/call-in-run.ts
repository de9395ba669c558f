import type { RiskLevel } from '#contract/vocabulary.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { InRunContext } from './types.ts';

const ORDER: readonly RiskLevel[] = ['low', 'medium', 'high'];

/** `call` with what its tool finds about it in its run; its risk is never lowered. */
export function withInRun(call: PreparedCall, context: InRunContext): PreparedCall {
  const inRun = call.tool.inRun?.(call.input, context);
  if (inRun === undefined) return call;
  const risk = ORDER.indexOf(inRun.risk) > ORDER.indexOf(call.risk) ? inRun.risk : call.risk;
  return { ...call, inRun, risk, subjects: { ...call.subjects, ...inRun.subjects } };
}
