import type { CheckItem } from '#contract/entities.ts';
import type { PolicyState } from '../policy/types.ts';

/** The policy of this computer; nothing where there is none. */
export function checkOfPolicy(policy: PolicyState): CheckItem[] {
  if (policy.state === 'none') return [];
  const item = { id: 'policy', label: 'Policy' };
  if (policy.state === 'holds') {
    const { organization } = policy.policy.document;
    const of = organization === undefined ? '' : `of ${organization}, `;
    return [{ ...item, status: 'ok', detail: `${of}${policy.source}`, remedy: null }];
  }
  const [first] = policy.problems;
  const line = first?.line ?? null;
  const place = line === null ? policy.source : `${policy.source}, line ${line}`;
  return [
    {
      ...item,
      status: 'failed',
      detail: `the policy of this computer is invalid (${place})`,
      remedy:
        'ask the people who manage this computer to correct it; hyperagent doctor --policy lists what is wrong',
    },
  ];
}
