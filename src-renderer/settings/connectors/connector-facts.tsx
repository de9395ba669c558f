import type { ReactNode } from 'react';
import type { ConnectorConfig } from '#contract/connectors.ts';
import { ReviewText } from '../../components/visible-text.tsx';
import { connectorStrings } from '../../strings/connectors.ts';

const words = connectorStrings.details;

/** How a server is reached, before and after it is added. Values that may be secret are never among it. */
export type ShownConfig =
  | {
      readonly kind: 'program';
      readonly command: string;
      readonly args: readonly string[];
      /** With their values where these are no secret. */
      readonly variables: readonly (readonly [name: string, value: string | null])[];
      readonly folders: readonly { readonly path: string; readonly access: 'read' | 'write' }[];
      readonly hosts: readonly string[];
    }
  | {
      readonly kind: 'remote';
      readonly url: string;
      readonly variables: readonly (readonly [name: string, value: string | null])[];
      /** How the app is known where users sign in. */
      readonly oauth: Extract<ConnectorConfig, { kind: 'remote' }>['oauth'];
    };

/** All that a server is started with and may reach, exactly as it will be. */
export function ConnectorFacts({
  config,
  more = [],
}: {
  readonly config: ShownConfig;
  readonly more?: readonly (readonly [string, string])[];
}): ReactNode {
  return (
    <dl className="facts connector-facts">
      {[...factsOf(config), ...more].map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <ReviewText text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(config: ShownConfig): (readonly [string, string])[] {
  const variables = config.variables.map(
    ([name, value]) => `${name}=${value === null ? `(${words.sealed})` : oneLine(value)}`,
  );
  const lines = (texts: readonly string[]): string => texts.join('\n') || words.none;
  if (config.kind === 'remote') {
    return [
      [words.address, config.url],
      [words.headers, lines(variables)],
      ...clientFacts(config.oauth ?? {}),
      [words.where, words.elsewhere],
    ];
  }
  const folders = config.folders.map(({ path, access }) =>
    access === 'write' ? words.writes(oneLine(path)) : words.reads(oneLine(path)),
  );
  return [
    [words.command, [config.command, ...config.args].map(shownWord).join(' ')],
    [words.variables, lines(variables)],
    [words.folders, lines(folders)],
    [words.hosts, config.hosts.map(oneLine).join('\n') || words.noHosts],
    [words.where, words.inSandbox],
  ];
}

function clientFacts({
  clientId,
  clientSecret,
  metadataUrl,
}: NonNullable<Extract<ShownConfig, { kind: 'remote' }>['oauth']>): [string, string][] {
  const facts: [string, string | undefined][] = [
    [words.clientId, clientId],
    [words.clientSecret, clientSecret === null ? words.sealed : clientSecret],
    [words.clientMetadata, metadataUrl],
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
}

/** In a list with an item a line, no item may look like two. */
function oneLine(text: string): string {
  return /[\n\r]/.test(text) ? JSON.stringify(text) : text;
}

/** A word of a command, so that its ends can be seen. */
function shownWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
