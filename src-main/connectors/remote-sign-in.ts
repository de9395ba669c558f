import { Client } from '@modelcontextprotocol/client';
import type { ConnectorConfig } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import { shownTarget, targetOfUrl } from '../egress/target.ts';
import type { ConnectorValues } from '../storage/connector-store.ts';
import { listenForCallback } from './callback-listener.ts';
import { OAUTH_SECRET } from './config.ts';
import { RemoteTransport } from './remote-transport.ts';
import { NO_SIGN_IN, type OAuthClient, SignInProvider, type SignInStore } from './sign-in.ts';

type RemoteConfig = Extract<ConnectorConfig, { kind: 'remote' }>;

export interface RemoteServerParts {
  readonly config: RemoteConfig;
  /** Headers, and the secret of the client. */
  readonly values: ConnectorValues;
  readonly egress: Pick<AppEgress, 'connectorClient'>;
  readonly store: SignInStore;
  readonly version: string;
}

/** A transport that renews its tokens, and begins no sign-in. */
export function openRemote(parts: RemoteServerParts): RemoteTransport {
  const { port } = parts.store.load();
  const signIn = new SignInProvider({
    ...{ store: parts.store, client: clientOf(parts) },
    redirectUrl: `http://127.0.0.1:${port ?? 0}/callback`,
    onRedirect: null,
  });
  return transportOf(parts, signIn);
}

/** A sign-in that the user began. */
export interface RemoteSignIn extends AsyncDisposable {
  /** Where they sign in; null where the server wants none. */
  readonly url: string | null;
  /** Resolves once the tokens are stored. */
  readonly done: Promise<void>;
}

/**
 * Asks the server what it wants, and waits for the browser of the user to come back. Throws `CONNECTOR_UNAVAILABLE`
 * where the server or its authorization server do not answer as they must.
 */
export async function beginSignIn(parts: RemoteServerParts): Promise<RemoteSignIn> {
  const { store, config, version } = parts;
  const before = store.load();
  const listener = await listenForCallback(before.port);
  // Clients are registered with the address that the browser comes back to. Old tokens are not renewed now.
  const clients = listener.port === before.port ? before.clients : {};
  const { scope, issuer } = before;
  store.save({ ...NO_SIGN_IN, clients, port: listener.port, scope, issuer });
  const asked = Promise.withResolvers<URL>();
  asked.promise.catch(() => undefined);
  const signIn = new SignInProvider({
    ...{ store, client: clientOf(parts), redirectUrl: listener.url },
    onRedirect: asked.resolve,
  });
  const transport = transportOf(parts, signIn);
  const client = new Client(
    { name: 'hyperagent', version },
    { capabilities: {}, versionNegotiation: { mode: 'auto' } },
  );
  const connected = client.connect(transport, { timeout: 30_000 }).then(
    () => null,
    (error: unknown) => error,
  );
  const url = await Promise.race([asked.promise, connected.then(() => null)]);
  const dispose = async (): Promise<void> => {
    await listener[Symbol.asyncDispose]();
    await client.close().catch(() => undefined);
  };
  if (url === null) {
    const error = await connected;
    await dispose();
    if (error === null)
      return { url: null, done: Promise.resolve(), [Symbol.asyncDispose]: dispose };
    throw new AppError(
      'CONNECTOR_UNAVAILABLE',
      `The sign-in at ${new URL(config.url).host} did not begin: ${(error as Error).message}`,
      { cause: error },
    );
  }
  const finish = async (): Promise<void> => {
    try {
      const answer = await listener.answer(signIn.state());
      const refused = answer.get('error');
      if (refused !== null) {
        throw new AppError('CONFLICT', `The sign-in was refused: ${refused.slice(0, 100)}.`);
      }
      await connected;
      await transport.finishAuth(answer);
    } finally {
      await dispose();
    }
  };
  return { url: url.href, done: finish(), [Symbol.asyncDispose]: dispose };
}

function transportOf(parts: RemoteServerParts, signIn: SignInProvider): RemoteTransport {
  const { config, values, egress } = parts;
  const own = targetOfUrl(new URL(config.url));
  const { [OAUTH_SECRET]: _secret, ...headers } = values;
  return new RemoteTransport({
    ...{ url: config.url, headers, signIn },
    // Where the server sends its users to sign in is public, or on the same computer as the server.
    egressFor: (target) =>
      egress.connectorClient([shownTarget(target)], { byUser: target.host === own.host }),
  });
}

function clientOf({ config, values }: RemoteServerParts): OAuthClient {
  const { clientId, metadataUrl } = config.oauth ?? {};
  return { id: clientId, metadataUrl, secret: values[OAUTH_SECRET] };
}
