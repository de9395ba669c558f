import { AppError } from '#contract/errors.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import { openAiBaseUrl } from './openai/base-url.ts';
import type { Environment, Provider } from './providers.ts';
import type { CreateAgent } from './transport/create-agent.ts';
import { ServerConnection } from './transport/server-connection.ts';
import type { StreamLimits } from './transport/stream-watch.ts';

export interface ConnectParts {
  /** A key from the secret store by its name; null if there is none. */
  readonly readSecret: (name: string) => string | null | Promise<string | null>;
  readonly env: Environment;
  /** Every key that is used is registered here, so that it is removed from what servers send. */
  readonly secrets?: KnownSecrets;
  readonly createAgent: CreateAgent;
  readonly limits: StreamLimits;
}

/** How Anthropic takes its key, and the version of its API. */
const ANTHROPIC = { keyHeader: 'x-api-key', headers: { 'anthropic-version': '2023-06-01' } };

/** A connection to a provider, with its key. Throws `BAD_REQUEST` without an address, `MODEL_UNAUTHORIZED`. */
export async function connectTo(
  provider: Provider,
  given: { readonly baseUrl?: string | undefined; readonly apiKey?: string | undefined },
  parts: ConnectParts,
): Promise<ServerConnection> {
  const address = given.baseUrl ?? provider.baseUrl;
  if (address === null) {
    throw new AppError(
      'BAD_REQUEST',
      'The address of the model server is missing. Set it, for example: --base-url http://127.0.0.1:8080/v1.',
    );
  }
  const connection = new ServerConnection({
    baseUrl: provider.kind === 'ollama' ? address : openAiBaseUrl(address),
    label: provider.label,
    startHint: provider.startHint,
    apiKey: given.apiKey ?? (await findKey(provider, parts)),
    ...(provider.kind === 'anthropic' && ANTHROPIC),
    createAgent: parts.createAgent,
    limits: parts.limits,
    ...(parts.secrets === undefined ? {} : { known: parts.secrets }),
  });
  for (const secret of connection.secrets) parts.secrets?.register(secret);
  return connection;
}

/** Where the key of a provider is: in the secret store, in the environment, or nowhere (null). */
export async function keySource(
  { id, keyVariables }: Pick<Provider, 'id' | 'keyVariables'>,
  { readSecret, env }: Pick<ConnectParts, 'readSecret' | 'env'>,
): Promise<{ readonly from: 'store' | 'environment'; readonly key: string } | null> {
  const stored = await readSecret(id);
  if (stored !== null && stored !== '') return { from: 'store', key: stored };
  const key = keyVariables.map((name) => env[name]?.trim()).find(Boolean);
  return key === undefined ? null : { from: 'environment', key };
}

/** The stored key, or one from the environment. Throws `MODEL_UNAUTHORIZED` if a required key is missing. */
async function findKey(provider: Provider, parts: ConnectParts): Promise<string | null> {
  const source = await keySource(provider, parts);
  if (source !== null) return source.key;
  if (!provider.isCloud) return null;
  throw new AppError(
    'MODEL_UNAUTHORIZED',
    `There is no key for ${provider.label}. ${keyHint(provider)}`,
  );
}

export function keyHint(provider: Provider): string {
  return `Enter one in the settings, under Models, or set ${provider.keyVariables.join(' or ')}.`;
}
