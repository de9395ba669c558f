import { AppError } from '#contract/errors.ts';
import type { AppEgress } from '../../egress/app-egress.ts';
import { EgressDenied } from '../../egress/denied.ts';
import { createEgressAgent } from '../../egress/egress-agent.ts';
import { targetOfUrl } from '../../egress/target.ts';
import type { EgressClient } from '../../egress/types.ts';
import { type CreateAgent, createPlainAgent, isLoopback } from './create-agent.ts';
import { TransportFailure } from './transport-failure.ts';

/**
 * Connects directly to model servers on this computer, and to all others only through the egress broker,
 * where the address that the user configured counts as named.
 */
export function guardedAgents(egress: Pick<AppEgress, 'appClient'>): CreateAgent {
  return (url) => {
    const egressClient = egress.appClient('model', [targetOfUrl(url)], { byUser: true });
    if (isDirect(url, egressClient)) return createPlainAgent(url);
    return createEgressAgent(
      {
        refuse: egressClient.refuse,
        connect: async (target, signal) => {
          try {
            return await egressClient.connect(target, signal);
          } catch (error) {
            throw error instanceof EgressDenied ? asModelFailure(error) : error;
          }
        },
      },
      url,
    );
  };
}

/** Whether a server on this computer is connected to without the broker: where no policy forbids it. */
export function isDirect(url: URL, egressClient: EgressClient): boolean {
  return isLoopback(url) && (egressClient.limitOn?.(targetOfUrl(url)) ?? null) === null;
}

function asModelFailure(denied: EgressDenied): unknown {
  switch (denied.reason) {
    case 'unreachable':
      return denied.cause ?? new TransportFailure('refused', denied.message);
    case 'unresolved':
      return new TransportFailure('unresolved', denied.message, { cause: denied });
    case 'denied_by_policy':
      return new AppError('MANAGED', denied.message, { cause: denied });
    case 'offline':
    case 'not_listed':
    case 'denied_by_rule':
    case 'private_address':
    case 'bad_target':
    case 'no_run':
      return new AppError(
        'EGRESS_DENIED',
        `${denied.message} Choose a model that runs on this machine, or change what may be reached in the network settings.`,
        { details: { reason: denied.reason, host: denied.host, port: denied.port }, cause: denied },
      );
  }
}
