import { type Connector, type ConnectorConfig, ConnectorOffers } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Connection } from './connection.ts';
import type { SecretSeal } from './secret-store.ts';

/** Values of variables and headers by name. */
export type ConnectorValues = Readonly<Record<string, string>>;

export interface StoredConnector {
  readonly id: string;
  readonly name: string;
  readonly config: ConnectorConfig;
  readonly isEnabled: boolean;
  readonly server: Connector['server'];
}

export interface StoredTool {
  readonly name: string;
  /** Canonical JSON of what the server said last. */
  readonly now: string;
  readonly isGone: boolean;
  /** What the user approved; null for a new one. */
  readonly approved: string | null;
  readonly isEnabled: boolean;
  readonly isRepeatable: boolean;
}

export interface ConnectorStore {
  /** By name. */
  list(): StoredConnector[];
  /** Throws `CONFLICT` if the name is taken, or values are to be stored and nothing can seal them. */
  add(name: string, config: ConnectorConfig, values: ConnectorValues): StoredConnector;
  /** The sealed values. Throws `CONFLICT` that names it where the seal cannot be opened. */
  values(connector: Pick<StoredConnector, 'id' | 'name'>): ConnectorValues;
  /** What is kept of a sign-in, as text; null where there is none, or it cannot be opened here. */
  signIn(id: string): string | null;
  /** Without a seal it is kept until the process ends. Null forgets it. */
  setSignIn(id: string, text: string | null): void;
  setEnabled(id: string, isEnabled: boolean): void;
  setServer(id: string, server: Connector['server']): void;
  remove(id: string): void;
  /** In the order of the server. */
  tools(id: string): StoredTool[];
  /** Replaces all of them. */
  putTools(id: string, tools: readonly StoredTool[]): void;
  /** Its resources and prompts, as of its last start. */
  offers(id: string): ConnectorOffers;
  offerCounts(id: string): Connector['offers'];
  setOffers(id: string, offers: ConnectorOffers): void;
  /** What seals values, as shown to the user; null if they cannot be stored. */
  readonly storage: string | null;
}

const NO_OFFERS: ConnectorOffers = { resources: [], prompts: [] };

interface ConnectorRow {
  readonly id: string;
  readonly name: string;
  readonly config: string;
  readonly sealed: Uint8Array | null;
  readonly is_enabled: number;
  readonly server: string | null;
}

interface ToolRow {
  readonly name: string;
  readonly now: string;
  readonly is_gone: number;
  readonly approved: string | null;
  readonly is_enabled: number;
  readonly is_repeatable: number;
}

export interface ConnectorStoreParts {
  readonly seal: SecretSeal | null;
  readonly clock: Clock;
  /** Called with every value, so that it is kept out of logs. */
  readonly onSecret: (value: string) => void;
}

export function openConnectors(
  connection: Connection,
  { seal, clock, onSecret }: ConnectorStoreParts,
): ConnectorStore {
  const all = connection.sql<ConnectorRow>(
    'SELECT id, name, config, sealed, is_enabled, server FROM connectors ORDER BY name',
  );
  const named = connection.sql<{ id: string }>('SELECT id FROM connectors WHERE name = ?');
  const sealedOf = connection.sql<{ sealed: Uint8Array | null }>(
    'SELECT sealed FROM connectors WHERE id = ?',
  );
  const insert = connection.sql(
    `INSERT INTO connectors (id, name, config, sealed, is_enabled, server, added_at)
     VALUES (?, ?, ?, ?, 1, NULL, ?)`,
  );
  const signInOf = connection.sql<{ sign_in: Uint8Array | null }>(
    'SELECT sign_in FROM connectors WHERE id = ?',
  );
  const putSignIn = connection.sql('UPDATE connectors SET sign_in = ? WHERE id = ?');
  /** Where nothing can seal. */
  const inMemory = new Map<string, string>();
  const enable = connection.sql('UPDATE connectors SET is_enabled = ? WHERE id = ?');
  const putServer = connection.sql('UPDATE connectors SET server = ? WHERE id = ?');
  const offersOf = connection.sql<{ offers: string | null }>(
    'SELECT offers FROM connectors WHERE id = ?',
  );
  const offerCounts = connection.sql<Connector['offers']>(
    `SELECT ifnull(json_array_length(offers, '$.resources'), 0) AS resources,
            ifnull(json_array_length(offers, '$.prompts'), 0) AS prompts
     FROM connectors WHERE id = ?`,
  );
  const putOffers = connection.sql('UPDATE connectors SET offers = ? WHERE id = ?');
  const remove = connection.sql('DELETE FROM connectors WHERE id = ?');
  const tools = connection.sql<ToolRow>(
    `SELECT name, now, is_gone, approved, is_enabled, is_repeatable
     FROM connector_tools WHERE connector_id = ? ORDER BY position`,
  );
  const removeTools = connection.sql('DELETE FROM connector_tools WHERE connector_id = ?');
  const putTool = connection.sql(
    `INSERT INTO connector_tools
       (connector_id, name, position, now, is_gone, approved, is_enabled, is_repeatable)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const sealed = (name: string, values: ConnectorValues): Uint8Array | null => {
    if (Object.keys(values).length === 0) return null;
    for (const value of Object.values(values)) onSecret(value);
    if (seal !== null) return seal.seal(JSON.stringify(values));
    const names = Object.keys(values).join(', ');
    throw new AppError(
      'CONFLICT',
      `The connector "${name}" was not added: no keychain is available here to protect the values of ${names}. Set them in the environment of the app and write \${NAME} as the value, or use the desktop app.`,
      { details: { name } },
    );
  };
  return {
    list: () => all.all().map(toConnector),
    add: (name, config, values) => {
      if (named.get(name) !== undefined) {
        throw new AppError(
          'CONFLICT',
          `There is a connector "${name}" already. Remove it first, or choose another name.`,
          { details: { name } },
        );
      }
      const addedAt = clock.now();
      const id = newId('connector', addedAt);
      insert.run(id, name, JSON.stringify(config), sealed(name, values), addedAt);
      return { id, name, config, isEnabled: true, server: null };
    },
    values: ({ id, name }) => {
      const bytes = sealedOf.get(id)?.sealed ?? null;
      if (bytes === null) return {};
      const problem = (cause?: unknown): AppError =>
        new AppError(
          'CONFLICT',
          `The stored values of the connector "${name}" cannot be decrypted here. Remove it and add it again.`,
          { details: { name }, cause },
        );
      if (seal === null) throw problem();
      try {
        const values = JSON.parse(seal.open(bytes)) as ConnectorValues;
        for (const value of Object.values(values)) onSecret(value);
        return values;
      } catch (cause) {
        throw problem(cause);
      }
    },
    signIn: (id) => {
      const bytes = signInOf.get(id)?.sign_in ?? null;
      if (bytes === null || seal === null) return inMemory.get(id) ?? null;
      try {
        return seal.open(bytes);
      } catch {
        // Sealed by another keychain: the user signs in again.
        return null;
      }
    },
    setSignIn: (id, text) => {
      if (text === null) {
        inMemory.delete(id);
        putSignIn.run(null, id);
      } else if (seal === null) inMemory.set(id, text);
      else putSignIn.run(seal.seal(text), id);
    },
    setEnabled: (id, isEnabled) => {
      enable.run(isEnabled ? 1 : 0, id);
    },
    setServer: (id, server) => {
      putServer.run(server === null ? null : JSON.stringify(server), id);
    },
    remove: (id) => {
      remove.run(id);
    },
    tools: (id) => tools.all(id).map(toTool),
    putTools: (id, list) => {
      connection.transaction(() => {
        removeTools.run(id);
        for (const [position, tool] of list.entries()) {
          const { name, now, isGone, approved, isEnabled, isRepeatable } = tool;
          const flags = [isEnabled ? 1 : 0, isRepeatable ? 1 : 0] as const;
          putTool.run(id, name, position, now, isGone ? 1 : 0, approved, ...flags);
        }
      });
    },
    offers: (id) => {
      const text = offersOf.get(id)?.offers ?? null;
      // Lists of another form are those of another version: the next start of the server brings new ones.
      return (
        (text === null ? null : safeParse(ConnectorOffers, JSON.parse(text)).data) ?? NO_OFFERS
      );
    },
    offerCounts: (id) => offerCounts.get(id) ?? { resources: 0, prompts: 0 },
    setOffers: (id, offers) => {
      putOffers.run(JSON.stringify(offers), id);
    },
    storage: seal?.name ?? null,
  };
}

function toConnector({ id, name, config, is_enabled, server }: ConnectorRow): StoredConnector {
  return {
    ...{ id, name },
    config: JSON.parse(config) as ConnectorConfig,
    isEnabled: is_enabled === 1,
    server: server === null ? null : (JSON.parse(server) as Connector['server']),
  };
}

function toTool({ name, now, is_gone, approved, is_enabled, is_repeatable }: ToolRow): StoredTool {
  return {
    ...{ name, now, approved },
    isGone: is_gone === 1,
    isEnabled: is_enabled === 1,
    isRepeatable: is_repeatable === 1,
  };
}
