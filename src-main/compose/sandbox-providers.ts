import { homedir } from 'node:os';
import path from 'node:path';
import type { Settings } from '#contract/entities.ts';
import { appRoot } from '../app-root.ts';
import { systemClock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { Logger } from '../base/logger.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import { fetchThrough } from '../egress/fetch-through.ts';
import { createProbeChannel } from '../sandbox/relay/probe-channel.ts';
import { createSandboxProviders } from '../sandbox/sandbox-providers.ts';
import type { SandboxProvider } from '../sandbox/types.ts';
import { limitsFrom } from '../sandbox/unified-sandbox-manager.ts';

/** The sandboxes of this platform, the preferred one first. */
export function sandboxProviders(
  dataDir: string,
  parts: {
    readonly settings: () => Settings;
    readonly logger: Logger;
    readonly readSecret: (name: string) => string | null;
    readonly secrets: KnownSecrets;
    readonly egress: AppEgress;
  },
): SandboxProvider[] {
  const { settings, logger, readSecret, secrets, egress } = parts;
  const fromEnvironment = process.env.E2B_API_KEY?.trim() ?? '';
  secrets.register(fromEnvironment);
  return createSandboxProviders(
    {
      stateDir: path.join(dataDir, 'sandbox'),
      dataDir,
      resourcesDir: path.join(appRoot(), 'resources', 'sandbox'),
      environment: process.env,
      home: homedir(),
      limits: () => limitsFrom(settings()),
      probeChannel: () => createProbeChannel(logger),
      clock: systemClock,
      logger,
    },
    {
      readKey: () => readSecret('e2b') ?? fromEnvironment,
      fetch: fetchThrough((target) => egress.appClient('sandbox', [target], { byUser: false })),
    },
  );
}
