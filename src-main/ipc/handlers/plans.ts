import type { AppServices, RequestHandlers } from '../types.ts';

export function planHandlers({
  plans,
}: AppServices): Pick<RequestHandlers, 'plans.get' | 'plans.edit'> {
  return {
    'plans.get': ({ runId }) => ({ plan: plans.get(runId) }),
    'plans.edit': ({ runId, revision, steps }) => ({ plan: plans.edit(runId, revision, steps) }),
  };
}
