import type { EgressReason } from '#contract/egress.ts';
import { EgressDenied } from './denied.ts';
import type { EgressClient } from './types.ts';

/** The egress of what may reach nothing, with the reason it is given. */
export function closedEgress(reason: EgressReason, message: string): EgressClient {
  return {
    connect: async (target) => {
      throw new EgressDenied(reason, message, target);
    },
    refuse: () => undefined,
  };
}
