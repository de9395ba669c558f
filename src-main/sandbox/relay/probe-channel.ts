import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { EgressBroker } from '../../egress/egress-broker.ts';
import type { RuntimeChannel } from '../types.ts';
import { TaskChannel } from './task-channel.ts';

/**
 * The channel of a runtime that is probed: every policy says yes, so that nothing but the look at
 * addresses stands in the way. What probes ask for is no line of the person's list.
 */
export function createProbeChannel(logger: Logger): RuntimeChannel {
  const unsaid = { id: 1, at: 0, endedAt: null, sentBytes: 0, receivedBytes: 0 };
  const broker = new EgressBroker({
    store: {
      begin: (line) => ({ ...line, ...unsaid }),
      finish: () => undefined,
      list: () => [],
    },
    clock: systemClock,
    logger,
  });
  const caller = {
    ...({ actor: 'sandbox', runId: null } as const),
    rules: () => [{ policy: 'open', hosts: [] } as const],
    ...{ granted: () => [], denied: () => [], asked: () => [], privateHosts: () => [] },
  };
  const channel = new TaskChannel();
  channel.open({
    connect: (target, signal) => broker.connect(target, caller, signal),
    refuse: () => undefined,
  });
  return channel;
}
