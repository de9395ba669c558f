import { AppError } from '#contract/errors.ts';
import type { InvalidPolicy, PolicyState } from './types.ts';

/** `POLICY_INVALID`, with every problem and its line. */
export function invalidPolicy({ source, problems }: InvalidPolicy): AppError {
  const places = problems.map(({ line, text }) => (line === null ? text : `line ${line}: ${text}`));
  return new AppError(
    'POLICY_INVALID',
    `The policy of this computer is invalid, so nothing can be changed or started. The people who manage this computer have to correct it. ${source}: ${places.join(' ')}`,
    { details: { source, problems } },
  );
}

/** Throws `POLICY_INVALID` where the policy is invalid. */
export function checkPolicy(policy: PolicyState): void {
  if (policy.state === 'invalid') throw invalidPolicy(policy);
}
