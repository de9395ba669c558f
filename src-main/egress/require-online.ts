import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';

/**
 * Throws `EGRESS_DENIED` while the network is switched off. For what another process would fetch for us: a
 * model server, a container engine.
 */
export function requireOnline({ egress }: Settings, what: string): void {
  if (egress !== 'offline') return;
  throw new AppError(
    'EGRESS_DENIED',
    `${what} needs the network, which is switched off. Switch it on in the title bar first.`,
    { details: { reason: 'offline' } },
  );
}
