import { parsePolicy } from '#main/policy/parse-policy.ts';
import type { PolicyState } from '#main/policy/types.ts';

/** Where the policies of tests come from. */
export const POLICY_FILE = '/etc/hyperagent/policy.json';

/** The state of a computer whose policy holds this. Throws where it is invalid. */
export function policyOf(document: Readonly<Record<string, unknown>>): PolicyState {
  const parsed = parsePolicy(JSON.stringify(document));
  if (!parsed.ok) throw new Error(parsed.problems.map(({ text }) => text).join('\n'));
  return { state: 'holds', source: POLICY_FILE, policy: parsed.policy };
}

/** The state of a computer whose policy has a mistake in line 3. */
export const INVALID_POLICY: PolicyState = {
  state: 'invalid',
  source: POLICY_FILE,
  problems: [{ line: 3, text: 'settings.egres: there is no such setting.' }],
};
