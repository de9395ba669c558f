import { randomBytes } from 'node:crypto';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import { makeVisible } from '#contract/visible-text.ts';

/** What is kept of a sign-in, sealed. */
export interface SignInState {
  /** By the issuer of each authorization server. */
  readonly clients: Readonly<Record<string, StoredOAuthClientInformation>>;
  readonly tokens: Readonly<Record<string, StoredOAuthTokens>>;
  /** The issuer of the newest tokens, kept also once they are gone: a registered client belongs to it. */
  readonly issuer: string | null;
  readonly discovery: OAuthDiscoveryState | null;
  /** Where the browser came back to: clients are registered with it. */
  readonly port: number | null;
  /** What the server wants more rights for, as OAuth scopes. */
  readonly scope: string;
}

export const NO_SIGN_IN: SignInState = {
  ...{ clients: {}, tokens: {}, issuer: null, discovery: null, port: null, scope: '' },
};

/** Read and written as a whole, so that a second process sees what the first one renewed. */
export interface SignInStore {
  load(): SignInState;
  save(state: SignInState): void;
}

/** A client that the user registered with the service, or that says who it is by a document at an address. */
export interface OAuthClient {
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
  readonly metadataUrl?: string | undefined;
}

export interface SignInParts {
  readonly store: SignInStore;
  readonly client: OAuthClient;
  readonly redirectUrl: string;
  /** Gets the page where the user signs in; null while no user is there, which ends with `SignInNeeded`. */
  readonly onRedirect: ((url: URL) => void) | null;
}

/** What a connector says that works only once its user has signed in. */
export const SIGN_IN_PROBLEM = 'It wants you to sign in.';

/** The server wants the user to sign in, and nobody is there to do it. */
export class SignInNeeded extends Error {
  constructor() {
    super('it wants you to sign in');
    this.name = 'SignInNeeded';
  }
}

function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function shownHost(issuer: string): string {
  return makeVisible(URL.parse(issuer)?.host ?? issuer.slice(0, 100));
}

/** What the OAuth flow of the library keeps and asks for. Without a user it renews tokens, and begins nothing. */
export class SignInProvider implements OAuthClientProvider {
  declare readonly clientMetadataUrl?: string;
  readonly #parts: SignInParts;
  readonly #state = randomBytes(24).toString('base64url');
  #verifier = '';
  #wasNeeded = false;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    const { metadataUrl } = parts.client;
    if (metadataUrl !== undefined) this.clientMetadataUrl = metadataUrl;
  }

  /** The server wanted a sign-in, and there was none. */
  get wasNeeded(): boolean {
    return this.#wasNeeded;
  }

  get redirectUrl(): string {
    return this.#parts.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'HyperAgent Desktop',
      redirect_uris: [this.#parts.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
    };
  }

  state(): string {
    return this.#state;
  }

  clientInformation(context?: OAuthClientInformationContext) {
    const { id, secret } = this.#parts.client;
    const { clients, issuer } = this.#parts.store.load();
    if (id === undefined) return clients[context?.issuer ?? issuer ?? ''];
    const asking = context?.issuer ?? issuer ?? undefined;
    // A server that names another authorization server later would get the secret sent there.
    if (issuer !== null && asking !== undefined && !isSameIssuer(issuer, asking)) {
      throw new AppError(
        'CONFLICT',
        `It wants you to sign in at ${shownHost(asking)}, but your client belongs to ${shownHost(issuer)}. If that is right, remove the connector and add it again.`,
      );
    }
    return { client_id: id, ...defined({ client_secret: secret, issuer: asking }) };
  }

  saveClientInformation(
    information: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): void {
    if (this.#parts.client.id !== undefined || context === undefined) return;
    this.#save(({ clients }) => ({ clients: { ...clients, [context.issuer]: information } }));
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    const { tokens, issuer } = this.#parts.store.load();
    return tokens[context?.issuer ?? issuer ?? ''];
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void {
    const issuer = context?.issuer ?? tokens.issuer ?? '';
    this.#save((state) => ({ issuer, tokens: { ...state.tokens, [issuer]: tokens } }));
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    const { discovery, tokens, issuer } = this.#parts.store.load();
    // Without any token there is nothing to renew: the server is not asked further.
    const hasTokens = tokens[issuer ?? ''] !== undefined;
    if (this.#parts.onRedirect === null && !hasTokens) this.#need();
    return discovery ?? undefined;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#save(() => ({ discovery }));
  }

  redirectToAuthorization(url: URL): void {
    const { store, onRedirect } = this.#parts;
    const asked = (url.searchParams.get('scope') ?? '').split(' ');
    const scopes = [...new Set([...store.load().scope.split(' '), ...asked])].filter(Boolean);
    if (onRedirect === null) {
      this.#save(() => ({ scope: scopes.join(' ') }));
      this.#need();
    }
    if (scopes.length > 0) url.searchParams.set('scope', scopes.join(' '));
    onRedirect(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const isAll = scope === 'all';
    this.#save((state) => ({
      clients: isAll || scope === 'client' ? {} : state.clients,
      tokens: isAll || scope === 'tokens' ? {} : state.tokens,
      discovery: isAll || scope === 'discovery' ? null : state.discovery,
    }));
  }

  #save(change: (state: SignInState) => Partial<SignInState>): void {
    const { store } = this.#parts;
    const state = store.load();
    store.save({ ...state, ...change(state) });
  }

  #need(): never {
    this.#wasNeeded = true;
    throw new SignInNeeded();
  }
}
