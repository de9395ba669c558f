import { EGRESS_PAGE_SIZE, type EgressConnection } from '#contract/egress.ts';
import type { Settings } from '#contract/settings.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { networkStrings } from '../strings/network.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import type { SettingsActions } from './settings-actions.ts';

export interface NetworkActions {
  /** Takes everything offline, or back to the policy from before. */
  toggle(): Promise<void>;
  /** Adds a host to the allowed ones. */
  allow(host: string): Promise<void>;
  /**
   * Reads the newest connections of a run or of everything, or the page before a connection. Resolves to
   * whether there may be earlier ones.
   */
  load(wanted?: { readonly runId?: string; readonly beforeId?: number }): Promise<boolean>;
  receive(connection: EgressConnection): void;
}

/** Lines that a window keeps, unless earlier ones were loaded; main has all of them. */
const KEPT = 1_000;

/** The settings change for a policy. Records the last online policy, which the switch restores. */
export function egressChanges(
  { egress }: Pick<Settings, 'egress'>,
  wanted: NetworkPolicy,
): Pick<Settings, 'egress'> & Partial<Pick<Settings, 'egressWhenOn'>> {
  const on = wanted === 'offline' ? egress : wanted;
  return on === 'offline' ? { egress: wanted } : { egress: wanted, egressWhenOn: on };
}

export function createNetworkActions(
  context: ActionContext,
  settings: Pick<SettingsActions, 'update'>,
): NetworkActions {
  const { store } = context;
  async function change(changes: Parameters<SettingsActions['update']>[0]): Promise<boolean> {
    const refusal = await settings.update(changes);
    if (refusal !== null) showToast(store, 'error', refusal.message);
    return refusal === null;
  }

  return {
    toggle: async () => {
      const { settings: known } = store.get();
      if (known === null) return;
      const wanted = known.egress === 'offline' ? known.egressWhenOn : 'offline';
      await change(egressChanges(known, wanted));
    },
    allow: async (host) => {
      const hosts = store.get().settings?.egressHosts ?? [];
      if (hosts.includes(host) || (await change({ egressHosts: [...hosts, host] }))) {
        showToast(store, 'info', networkStrings.allowed(host));
      }
    },
    load: async (wanted = {}) => {
      const data = await ask(context, 'egress.list', wanted);
      if (data === null) return false;
      store.update((state) => ({
        ...state,
        connections: merge(state.connections, data.connections),
      }));
      return data.connections.length === EGRESS_PAGE_SIZE;
    },
    receive: (connection) =>
      store.update((state) => ({
        ...state,
        connections: merge(state.connections, [connection]).slice(
          0,
          Math.max(KEPT, state.connections.length),
        ),
      })),
  };
}

/** Newest first, each once, in its latest state. */
function merge(
  known: readonly EgressConnection[],
  fresh: readonly EgressConnection[],
): readonly EgressConnection[] {
  const byId = new Map(known.map((one) => [one.id, one]));
  for (const one of fresh) {
    // A line that was read may be older than one that was pushed in the meantime.
    const there = byId.get(one.id);
    if (there?.endedAt == null) byId.set(one.id, one);
  }
  return [...byId.values()].sort((a, b) => b.id - a.id);
}

/** Merges equal neighbouring lines into one, with a count. */
export function foldConnections(
  connections: readonly EgressConnection[],
): { readonly connection: EgressConnection; readonly count: number }[] {
  const folded: { connection: EgressConnection; count: number }[] = [];
  for (const connection of connections) {
    const last = folded.at(-1);
    if (last !== undefined && saysTheSame(last.connection, connection)) last.count += 1;
    else folded.push({ connection, count: 1 });
  }
  return folded;
}

function saysTheSame(one: EgressConnection, other: EgressConnection): boolean {
  return (
    one.verdict !== 'allowed' &&
    one.verdict === other.verdict &&
    one.reason === other.reason &&
    one.host === other.host &&
    one.port === other.port &&
    one.actor === other.actor
  );
}
