import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, ConnectorDraft, ConnectorTool } from '#contract/connectors.ts';
import { Settings } from '#contract/settings.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { ConnectionLimits } from '#main/connectors/connection-parts.ts';
import { Connectors } from '#main/connectors/connector-service.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { UnifiedSandboxManager } from '#main/sandbox/unified-sandbox-manager.ts';
import { openConnectors } from '#main/storage/connector-store.ts';
import type { SecretSeal } from '#main/storage/secret-store.ts';
import { memoryProofStore } from '../../main/sandbox/fake-provider.ts';
import { providerParts } from '../../main/sandbox/provider-parts.ts';
import { testEgress } from '../egress.ts';
import { memoryJournal } from '../memory-journal.ts';
import { bareSandboxes } from './bare-sandbox.ts';

/** For servers that never answer. Others get the time that they have in the app: this computer may have much else to do. */
export const SHORT_LIMITS: Partial<ConnectionLimits> = {
  ...{ startMs: 8_000, callMs: 1_500, wholeCallMs: 4_000, listMs: 3_000, retryMs: 1 },
};

export interface ConnectorBenchOptions {
  /** Real bubblewrap; else programs run as they are. */
  readonly sandboxed?: boolean;
  readonly limits?: Partial<ConnectionLimits>;
  readonly environment?: NodeJS.ProcessEnv;
  readonly seal?: SecretSeal | null;
  readonly settings?: Partial<Settings>;
}

export type ConnectorBench = Awaited<ReturnType<typeof openConnectorBench>>;

/** The service of connectors over a database in memory, without the rest of the app. */
export async function openConnectorBench(options: ConnectorBenchOptions = {}) {
  const { sandboxed = false, limits = { retryMs: 1 }, environment = {}, seal = null } = options;
  const dir = mkdtempSync(join(sandboxed ? homedir() : tmpdir(), '.hyperagent-connectors-'));
  // Programs of an app that runs as root are another user.
  chmodSync(dir, 0o755);
  const { connection } = memoryJournal();
  connection.pragma('foreign_keys = ON');
  const settings = { current: Settings.parse({ egress: 'open', ...options.settings }) };
  const { egress, store: egressStore } = testEgress({
    settings,
    names: { localhost: ['127.0.0.1'] },
  });
  const manager = sandboxed
    ? new UnifiedSandboxManager({
        providers: [new BubblewrapProvider(providerParts(join(dir, 'state')))],
        workspaceDir: (id) => join(dir, 'connectors', id),
        foldersOf: (id) => {
          const config = connectors.list().find((one) => one.id === id)?.config;
          return config?.kind === 'program' ? config.folders : [];
        },
        ...{ proofs: memoryProofStore(), settings: () => settings.current },
        ...{ clock: systemClock, logger: silentLogger },
      })
    : null;
  mkdirSync(join(dir, 'data'));
  const changes = { count: 0 };
  const forgotten: string[] = [];
  const connectors: Connectors = new Connectors({
    store: openConnectors(connection, { seal, clock: systemClock, onSecret: () => undefined }),
    sandbox: manager ?? bareSandboxes(join(dir, 'bare')),
    sandboxChoice: () => 'os',
    releaseSandbox: (id) => manager?.release(id) ?? Promise.resolve(),
    ...{ egress, environment, limits },
    version: '0.0.0',
    dataDir: join(dir, 'data'),
    logsDir: join(dir, 'logs'),
    clean: (text) => text,
    ...{ clock: systemClock, logger: silentLogger },
    forgetRules: (prefix) => void forgotten.push(prefix),
    onChange: () => {
      changes.count += 1;
    },
  });
  return {
    ...{ connectors, dir, settings, changes, forgotten },
    connections: egressStore.lines,
    /** Adds a program. */
    program: (name: string, draft: Partial<Extract<ConnectorDraft, { kind: 'program' }>>) =>
      connectors.add(name, {
        ...{ kind: 'program', command: 'node', args: [], env: {}, folders: [], hosts: [] },
        ...draft,
      }),
    /** Starts it, and approves all that can be. */
    approveAll: async ({ id }: Connector): Promise<ConnectorTool[]> => {
      const signal = AbortSignal.timeout(60_000);
      const tools = await connectors.tools(id, { refresh: true, signal });
      const fresh = tools.filter(({ state }) => state === 'new');
      return connectors.approve(id, fresh);
    },
    call: (connector: Connector, tool: string, given: Record<string, unknown> = {}) =>
      connectors.call({ connectorId: connector.id, name: tool }, given, {
        signal: AbortSignal.timeout(60_000),
      }),
    [Symbol.asyncDispose]: async () => {
      await connectors[Symbol.asyncDispose]();
      await manager?.[Symbol.asyncDispose]();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
