import { join } from 'node:path';
import type { Settings } from '#contract/settings.ts';
import type { Broadcast } from '../api/types.ts';
import type { Clock } from '../base/clock.ts';
import type { DisposalStack } from '../base/disposable.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { Logger } from '../base/logger.ts';
import { Connectors } from '../connectors/connector-service.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import type { PolicyLimits } from '../policy/limits.ts';
import type { SandboxProvider } from '../sandbox/types.ts';
import { UnifiedSandboxManager } from '../sandbox/unified-sandbox-manager.ts';
import type { DataStores } from '../storage/open-stores.ts';
import { VERSION } from '../version.ts';

export interface ConnectorWiring {
  readonly stores: Pick<DataStores, 'paths' | 'proofs' | 'connectors' | 'rules'>;
  readonly providers: readonly SandboxProvider[];
  readonly settings: () => Settings;
  readonly egress: AppEgress;
  readonly secrets: KnownSecrets;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Pick<PolicyLimits, 'connector'>;
  readonly closing: DisposalStack;
}

/** The user's MCP servers, each program in a sandbox that no task shares. */
export function createConnectors(wiring: ConnectorWiring): Connectors {
  const { stores, providers, settings, egress, secrets, broadcast, clock, logger } = wiring;
  const { closing } = wiring;
  const { paths } = stores;
  const sandbox = new UnifiedSandboxManager({
    ...{ providers, settings, clock, logger },
    proofs: stores.proofs,
    workspaceDir: (id) => join(paths.connectors, id),
    foldersOf: (id) => {
      const config = stores.connectors.list().find((one) => one.id === id)?.config;
      return config?.kind === 'program' ? config.folders : [];
    },
  });
  const connectors = new Connectors({
    store: stores.connectors,
    ...{ sandbox, egress, clock, logger },
    sandboxChoice: () => settings().sandbox,
    forbids: (config) => wiring.limits.connector(config),
    releaseSandbox: (id) => sandbox.release(id),
    environment: process.env,
    version: VERSION,
    dataDir: paths.dataDir,
    logsDir: paths.connectors,
    clean: (text) => secrets.text(text),
    forgetRules: (prefix) => {
      const gone = stores.rules.list().filter(({ toolName }) => toolName.startsWith(prefix));
      for (const { id } of gone) stores.rules.delete(id);
    },
    onChange: () => broadcast({ kind: 'connectors_changed' }),
  });
  closing.add(async () => {
    await connectors[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });
  return connectors;
}
