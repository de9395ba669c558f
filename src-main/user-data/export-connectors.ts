import type { ConnectorConfig } from '#contract/connectors.ts';
import { defined } from '#contract/defined.ts';
import type { ConnectorStore, StoredConnector } from '../storage/connector-store.ts';

/**
 * The user's connectors as an `mcp.json`, which this app and most others read. Values that are stored sealed, and
 * sign-ins, are not in it: `${NAME}` stands in their place.
 */
export function connectorsFile(store: Pick<ConnectorStore, 'list' | 'tools'>) {
  const entries = store.list().map((connector) => [connector.name, entryOf(connector, store)]);
  return { mcpServers: Object.fromEntries(entries) as Readonly<Record<string, object>> };
}

function entryOf(
  { id, config, isEnabled }: StoredConnector,
  store: Pick<ConnectorStore, 'tools'>,
): object {
  const tools = store
    .tools(id)
    .flatMap(({ name, approved, isEnabled: isOn, isRepeatable }) =>
      approved === null ? [] : [{ name, isEnabled: isOn, isRepeatable }],
    );
  if (config.kind === 'remote') {
    const { url, headers, oauth } = config;
    const { clientId, metadataUrl } = oauth ?? {};
    const own = { isEnabled, approvedTools: tools, ...defined({ clientId, metadataUrl }) };
    return { type: 'http', url, headers: valuesOf(headers), hyperagent: own };
  }
  const { command, args, env, folders, hosts } = config;
  const own = { isEnabled, folders, hosts, approvedTools: tools };
  return { command, args, env: valuesOf(env), hyperagent: own };
}

type NamedValues = Extract<ConnectorConfig, { kind: 'program' }>['env'];

function valuesOf(values: NamedValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    values.map(({ name, value }) => [name, value ?? `\${${name.replace(/\W/g, '_')}}`]),
  );
}
