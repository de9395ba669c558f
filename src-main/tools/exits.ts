import { addressesIn } from '../egress/named-hosts.ts';
import { shownTarget } from '../egress/target.ts';
import type { GuardReport } from '../guardrails/guards.ts';
import { isSecretGoingOut } from '../guardrails/secret-scan.ts';
import type { JudgedCall } from '../hitl/approval-rules.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { CallContext } from './tool-pipeline.ts';

/** Hosts that a sentence names; the rest is a count. */
const SHOWN_HOSTS = 3;

/** What leaves the sandbox with a call, as far as the user has not allowed it: what approval levels look at. */
export function reachOf(
  call: PreparedCall,
  { findings }: GuardReport,
  context: Pick<CallContext, 'egress' | 'agent'>,
): Pick<JudgedCall, 'exits' | 'isReaching'> {
  const { egress, agent } = context;
  const { tool, input, subjects, inRun } = call;
  const { hosts = [] } = subjects;
  const isOnline = egress.policy !== 'offline';
  const exits: string[] = [];
  if (inRun?.risk === 'high') {
    exits.push(
      inRun.exit ?? `It would send to ${shownHosts(hosts)}, which you have not allowed yet.`,
    );
  }
  const named = tool.category === 'code_exec' ? newHosts(input, egress) : [];
  if (named.length > 0) {
    exits.push(
      `It names ${shownHosts(named)}, which a program of this task may only reach with your approval.`,
    );
  }
  if (findings.some(isSecretGoingOut)) {
    exits.push('It would take what looks like a secret out of the sandbox.');
  }
  // What research reads was asked for as a whole: by the user, or by the call that handed it over.
  const isReaching =
    agent !== 'research' &&
    (tool.isJob === true || (isOnline && tool.isLook !== true && hosts.length > 0));
  return { exits, isReaching };
}

/** Its own servers: to a program, these are inside the sandbox. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Hosts that a program names by address, and reaches only if the user approves it. */
function newHosts(input: unknown, egress: CallContext['egress']): string[] {
  const targets = addressesIn(textsIn(input).join('\n')).filter(
    (target) => !LOOPBACK.has(target.host) && egress.opensByApproval(target),
  );
  return [...new Set(targets.map(shownTarget))];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function shownHosts(hosts: readonly string[]): string {
  const more = hosts.length - SHOWN_HOSTS;
  const shown = hosts.slice(0, SHOWN_HOSTS).join(', ') || 'another computer';
  return more > 0 ? `${shown} and ${more} more` : shown;
}
