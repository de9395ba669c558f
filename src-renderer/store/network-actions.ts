import type { EgressConnection } from '#contract/egress.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { networkStrings } from '../network-strings.ts';
import { type ActionContext, ask, showToast } from './context.ts';
import type { SettingsActions } from './settings-actions.ts';

export interface NetworkActions {
  /** Everything offline, or back to what it was before. */
  toggle(): Promise<void>;
  /** Puts a host on the list of those that may be reached. */
  allow(host: string): Promise<void>;
  /** Reads the newest connections of a run, or of everything. */
  load(runId?: string): Promise<void>;
  receive(connection: EgressConnection): void;
}

/** Lines that a window keeps; the list in main has all of them. */
const KEPT = 1_000;

export function createNetworkActions(
  context: ActionContext,
  settings: Pick<SettingsActions, 'update'>,
): NetworkActions {
  const { store } = context;
  let before: NetworkPolicy = 'open';

  async function change(changes: Parameters<SettingsActions['update']>[0]): Promise<boolean> {
    const refusal = await settings.update(changes);
    if (refusal !== null) showToast(store, 'error', refusal.message);
    return refusal === null;
  }

  return {
    toggle: async () => {
      const current = store.get().settings?.egress ?? 'open';
      if (current !== 'offline') before = current;
      await change({ egress: current === 'offline' ? before : 'offline' });
    },
    allow: async (host) => {
      const hosts = store.get().settings?.egressHosts ?? [];
      if (hosts.includes(host) || (await change({ egressHosts: [...hosts, host] }))) {
        showToast(store, 'info', networkStrings.allowed(host));
      }
    },
    load: async (runId) => {
      const data = await ask(context, 'egress.list', runId === undefined ? {} : { runId });
      if (data === null) return;
      store.update((state) => ({
        ...state,
        connections: merge(state.connections, data.connections),
      }));
    },
    receive: (connection) =>
      store.update((state) => ({
        ...state,
        connections: merge(state.connections, [connection]),
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
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, KEPT);
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
