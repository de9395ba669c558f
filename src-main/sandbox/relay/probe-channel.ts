import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { EgressBroker } from '../../egress/egress-broker.ts';
import type { RuntimeChannel } from '../types.ts';
import { TaskChannel } from './task-channel.ts';

/**
 * The channel of a runtime under probes: its policy allows everything, so only the address check can stop
 * a connection. Connections of probes do not appear in the user's ledger.
 */
export function createProbeChannel(logger: Logger): RuntimeChannel {
  const unrecorded = { id: 1, at: 0, endedAt: null, sentBytes: 0, receivedBytes: 0 };
  const broker = new EgressBroker({
    store: {
      begin: (line) => ({ ...line, ...unrecorded }),
      finish: () => undefined,
      list: () => [],
    },
    clock: systemClock,
    logger,
  });
  const caller = {
    ...({ actor: 'sandbox', runId: null } as const),
    rules: () => [{ policy: 'open', hosts: [] } as const],
    granted: () => [],
    denied: () => [],
    asked: () => [],
    privateHosts: () => [],
  };
  const channel = new TaskChannel();
  channel.open({
    connect: (target, signal) => broker.connect(target, caller, signal),
    refuse: () => undefined,
  });
  return channel;
}
