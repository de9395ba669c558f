import type { AppEgress, RunEgress } from '../egress/app-egress.ts';
import type { SearchOptions } from './types.ts';

/**
 * Egress clients for a search in a run. A provider that the user configured is reachable whatever the
 * list of hosts says; one configured by address also on the user's own network. A provider that the
 * user did not name must be on the list, or the user must have approved this call (`approved`).
 */
export function clientOfRun(
  egress: Pick<RunEgress, 'client'>,
  { approved }: { readonly approved: boolean },
): SearchOptions['egressClient'] {
  return (hosts, namedBy) =>
    egress.client('search', namedBy === 'nothing' && !approved ? [] : hosts, {
      byUser: namedBy === 'address',
    });
}

/** Egress clients for a search that the user makes directly, in the settings or in the CLI. */
export function clientOfUser(egress: Pick<AppEgress, 'appClient'>): SearchOptions['egressClient'] {
  return (hosts, namedBy) => egress.appClient('search', hosts, { byUser: namedBy === 'address' });
}
