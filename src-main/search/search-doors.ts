import type { AppEgress, RunEgress } from '../egress/app-egress.ts';
import type { SearchOptions } from './types.ts';

/**
 * Ways out of a run. A provider that the person set up may be reached whatever the list of hosts is;
 * one by its address also on their own network. One that nobody named needs the list, or a yes to the
 * very call (`approved`).
 */
export function doorOfRun(
  egress: Pick<RunEgress, 'door'>,
  { approved }: { readonly approved: boolean },
): SearchOptions['door'] {
  return (hosts, namedBy) =>
    egress.door('search', namedBy === 'nothing' && !approved ? [] : hosts, {
      byPerson: namedBy === 'address',
    });
}

/** Ways out for a search that the person makes themselves, in the settings or at the terminal. */
export function doorOfPerson(egress: Pick<AppEgress, 'appDoor'>): SearchOptions['door'] {
  return (hosts, namedBy) => egress.appDoor('search', hosts, { byPerson: namedBy === 'address' });
}
