import { EGRESS_PAGE_SIZE, type EgressConnection } from '#contract/egress.ts';
import type { Settings } from '#contract/entities.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { networkStrings } from '../network-strings.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import type { SettingsActions } from './settings-actions.ts';

export interface NetworkActions {
  /** Everything offline, or back to what it was before. */
  toggle(): Promise<void>;
  /** Puts a host on the list of those that may be reached. */
  allow(host: string): Promise<void>;
  /**
   * Reads the newest connections of a run or of everything, or the page before a connection. Resolves to
   * whether there may be earlier ones.
   */
  load(wanted?: { readonly runId?: string; readonly beforeId?: number }): Promise<boolean>;
  receive(connection: EgressConnection): void;
}

/** Lines that a window keeps, unless earlier ones were asked for; the list in main has all of them. */
const KEPT = 1_000;

/** What sets the policy, with what the switch then goes back to: a list of hosts stays one. */
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
    // A line that was read may be older than one that was told meanwhile.
    const there = byId.get(one.id);
    if (there?.endedAt == null) byId.set(one.id, one);
  }
  return [...byId.values()].sort((a, b) => b.id - a.id);
}

/** Neighbouring lines that say the same are one, with how often. */
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
