import type { PolicySummary } from '#contract/policy.ts';

/** A policy that locks a setting of each kind of control. */
const HELD: PolicySummary = {
  state: 'holds',
  source: '/etc/hyperagent/policy.json',
  organization: 'Example Ltd',
  contact: 'it@example.com',
  locked: [
    ...[
      'customInstructions',
      'egress',
      'egressHosts',
      'egressWhenOn',
      'embeddedModels',
      'fontSize',
    ],
    ...[
      'maxRounds',
      'model',
      'network',
      'policyLevel',
      'sandbox',
      'servers',
      'skillFolders',
      'tiers',
    ],
  ],
};

const INVALID: PolicySummary = {
  state: 'invalid',
  source: '/etc/hyperagent/policy.json',
  problems: [
    { line: 3, text: 'settings.egres: there is no such setting.' },
    { line: 12, text: `hosts.allow[2]: "${'a-host-without-spaces-'.repeat(4)}" is not a host.` },
  ],
};

/** The policy of a fake main, by its name in an address. */
export function fakePolicy(name: string | null): PolicySummary | null {
  if (name === null) return null;
  return name === 'invalid' ? INVALID : HELD;
}
