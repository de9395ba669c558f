import { existsSync } from 'node:fs';
import type { ConnectorConfig } from '#contract/connectors.ts';
import type { SandboxChoice } from '#contract/vocabulary.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type {
  ConnectorStore,
  ConnectorValues,
  StoredConnector,
} from '../storage/connector-store.ts';
import { hostsOf, resolveValues } from './config.ts';
import type { ConnectorClientTransport } from './connection-parts.ts';
import type { ConnectorLog } from './connector-log.ts';
import type { RemoteServerParts } from './remote-sign-in.ts';
import { NO_SIGN_IN, type SignInState, type SignInStore } from './sign-in.ts';
import { unavailable } from './unavailable.ts';

export interface TransportParts {
  readonly store: ConnectorStore;
  /** Sandboxes of connectors only: each has its own folder, and the folders of the user that it may see. */
  readonly sandbox: Pick<SandboxService, 'forTask'>;
  readonly sandboxChoice: () => SandboxChoice;
  /** Ends the sandbox of a connector with all that runs in it. */
  readonly releaseSandbox: (id: string) => Promise<void>;
  readonly egress: Pick<AppEgress, 'connectorClient'>;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
}

/** How servers are reached: a program in a sandbox of its own, or an address through the egress broker. */
export class ServerTransports {
  readonly #parts: TransportParts;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  /** Not started yet. Throws `CONNECTOR_UNAVAILABLE` where something that it needs is missing. */
  async open(stored: StoredConnector, log: ConnectorLog): Promise<ConnectorClientTransport> {
    const { egress, sandbox, sandboxChoice, releaseSandbox } = this.#parts;
    const { id, name, config } = stored;
    if (config.kind === 'remote') {
      const remote = this.remoteParts(stored, config);
      const { openRemote } = await import('./remote-sign-in.ts');
      log.add('state', `connecting to ${config.url}`);
      return openRemote(remote);
    }
    const values = this.#values(stored);
    for (const { path } of config.folders) {
      if (!existsSync(path)) {
        throw unavailable(name, `needs the folder ${path}, which is not there.`);
      }
    }
    const { ProgramTransport } = await import('./program-transport.ts');
    log.add('state', `starting ${[config.command, ...config.args].join(' ')}`);
    return new ProgramTransport({
      ...{ config, values },
      sandbox: sandbox.forTask(id, sandboxChoice()),
      egress: egress.connectorClient(hostsOf(config), { byUser: false }),
      onStderr: (text) => log.addStderr(text),
      onLine: (line) => log.add('problem', line),
      release: async () => {
        // Its last line may have no end.
        log.addStderr('\n');
        await releaseSandbox(id);
      },
    });
  }

  /** What a connection to a remote server, or a sign-in there, is made of. */
  remoteParts(
    stored: StoredConnector,
    config: Extract<ConnectorConfig, { kind: 'remote' }>,
  ): RemoteServerParts {
    const { egress, version } = this.#parts;
    const values = this.#values(stored);
    return { ...{ config, values, egress, version }, store: this.#signInStore(stored.id) };
  }

  isSignedIn({ id }: Pick<StoredConnector, 'id'>): boolean {
    return Object.keys(this.#signInStore(id).load().tokens).length > 0;
  }

  #values(stored: StoredConnector): ConnectorValues {
    const { store, environment } = this.#parts;
    return resolveValues(stored.config, store.values(stored), environment);
  }

  #signInStore(id: string): SignInStore {
    const { store } = this.#parts;
    return {
      load: () => {
        const text = store.signIn(id);
        return text === null ? NO_SIGN_IN : (JSON.parse(text) as SignInState);
      },
      save: (state) => store.setSignIn(id, JSON.stringify(state)),
    };
  }
}
