import type { ConnectorDraft } from '#contract/connectors.ts';
import type { AskUser } from '#main/connectors/types.ts';
import { openConnectorBench } from '../../fakes/connectors/connector-bench.ts';
import { testKeychain } from '../../setup/secret-hunt.ts';

/**
 * The app's own client, as `@modelcontextprotocol/conformance` drives clients: it gets the address of a server, adds it
 * as a connector, signs in where it must, and calls every tool once. The "browser" of the user follows redirects.
 */
const url = process.argv.at(-1) ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
};
const METADATA_URL = 'https://conformance-test.local/client-metadata.json';

await using bench = await openConnectorBench({
  seal: testKeychain(),
  limits: { startMs: 20_000, callMs: 20_000, wholeCallMs: 25_000, listMs: 10_000, retryMs: 0 },
});
const { connectors } = bench;
const signal = AbortSignal.timeout(60_000);

function oauth(): Pick<Extract<ConnectorDraft, { kind: 'remote' }>, 'oauth'> {
  if (context.client_id !== undefined) {
    return { oauth: { clientId: context.client_id, clientSecret: context.client_secret } };
  }
  return scenario === 'auth/basic-cimd' ? { oauth: { metadataUrl: METADATA_URL } } : {};
}

const { id } = await connectors.add('server', { kind: 'remote', url, headers: {}, ...oauth() });

/** What the browser of a user does: opens the page, and follows where it leads. */
async function signIn(): Promise<void> {
  const page = await connectors.signIn(id);
  if (page === null) return;
  const answer = await fetch(page, { redirect: 'manual' });
  const next = answer.headers.get('location');
  if (next === null) throw new Error(`The authorization server answered ${answer.status}`);
  await fetch(next);
  await connectors.awaitSignIn(id);
}

async function withSignIn<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const [state] = connectors.list();
      if (state?.signIn !== 'needed' || attempt === 3) throw error;
      await signIn();
    }
  }
}

/** Arguments that fit a schema. */
function argumentsFor(schema: string): Record<string, unknown> {
  const { properties = {} } = JSON.parse(schema) as { properties?: Record<string, unknown> };
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, valueFor(one as { type?: string })]),
  );
}

function valueFor({ type }: { type?: string }): unknown {
  switch (type) {
    case 'number':
    case 'integer':
      return 5;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'test';
  }
}

/** A user who agrees, and leaves everything as it was filled in. */
const ask: AskUser = async ({ fields }) =>
  Object.fromEntries(
    fields.flatMap(({ name, kind, initial, isRequired, choices }) => {
      if (initial !== null) return [[name, initial] as const];
      if (!isRequired) return [];
      const [choice] = choices;
      return [[name, choice ?? { text: 'test', number: 5, boolean: true }[kind]] as const];
    }),
  );

const tools = await withSignIn(() => connectors.tools(id, { refresh: true, signal }));
connectors.approve(
  id,
  tools.filter(({ state }) => state === 'new'),
);
const calls =
  context.toolCalls ??
  tools
    .filter(({ state }) => state !== 'unusable')
    .map(({ name, now }) => ({ name, arguments: argumentsFor(now.inputSchema) }));
for (const { name, arguments: given } of calls) {
  await withSignIn(() =>
    connectors.call({ connectorId: id, name }, given as Record<string, unknown>, { signal, ask }),
  ).catch((error: unknown) => {
    process.stderr.write(`${name}: ${(error as Error).message}\n`);
  });
}
