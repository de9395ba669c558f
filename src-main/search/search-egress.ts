import type { AppEgress, RunEgress } from '../egress/app-egress.ts';
import type { SearchOptions } from './types.ts';

/**
 * Ways out of a run. A provider that the person set up may be reached whatever the list of hosts is;
 * one by its address also on their own network. One that nobody named needs the list, or a yes to the
 * very call (`approved`).
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

/** Ways out for a search that the person makes themselves, in the settings or at the terminal. */
export function clientOfUser(egress: Pick<AppEgress, 'appClient'>): SearchOptions['egressClient'] {
  return (hosts, namedBy) => egress.appClient('search', hosts, { byUser: namedBy === 'address' });
}
