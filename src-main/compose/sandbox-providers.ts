import { homedir } from 'node:os';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import { appRoot } from '../app-root.ts';
import { systemClock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { Logger } from '../base/logger.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import { fetchThrough } from '../egress/fetch-through.ts';
import type { PolicyLimits } from '../policy/limits.ts';
import { DockerProvider } from '../sandbox/docker-provider/docker-provider.ts';
import type { E2bProviderParts } from '../sandbox/e2b-provider/e2b-provider.ts';
import { LandlockProvider } from '../sandbox/landlock-provider/landlock-provider.ts';
import { BubblewrapProvider } from '../sandbox/os-provider/bubblewrap-provider.ts';
import { limitsFrom, type SandboxProviderParts } from '../sandbox/provider-parts.ts';
import { createProbeChannel } from '../sandbox/relay/probe-channel.ts';
import { SeatbeltProvider } from '../sandbox/seatbelt-provider/seatbelt-provider.ts';
import type { SandboxProvider } from '../sandbox/types.ts';
import { dataPaths } from '../storage/data-paths.ts';

/** The providers of this platform, the preferred one first; the cloud provider is only used if selected. */
export function sandboxProviders(
  dataDir: string,
  {
    settings,
    logger,
    readSecret,
    secrets,
    egress,
    limits,
  }: {
    readonly settings: () => Settings;
    readonly logger: Logger;
    readonly readSecret: (name: string) => string | null;
    readonly secrets: KnownSecrets;
    readonly egress: AppEgress;
    readonly limits: Pick<PolicyLimits, 'sandbox'>;
  },
): SandboxProvider[] {
  const fromEnvironment = process.env.E2B_API_KEY?.trim() ?? '';
  secrets.register(fromEnvironment);
  const parts: SandboxProviderParts = {
    stateDir: dataPaths(dataDir).sandbox,
    dataDir,
    resourcesDir: path.join(appRoot(), 'resources', 'sandbox'),
    environment: process.env,
    home: homedir(),
    limits: () => limitsFrom(settings()),
    probeChannel: () => createProbeChannel(logger),
    clock: systemClock,
    logger,
  };
  const own =
    process.platform === 'darwin' ? new SeatbeltProvider(parts) : new BubblewrapProvider(parts);
  const cloud = cloudProvider({
    ...parts,
    readKey: () => readSecret('e2b') ?? fromEnvironment,
    fetch: fetchThrough((target) => egress.appClient('sandbox', [target], { byUser: false })),
  });
  const builtIn = process.platform === 'linux' ? [new LandlockProvider(parts)] : [];
  return [new DockerProvider(parts), own, ...builtIn, cloud].map((provider) => {
    const why = limits.sandbox(provider.kind);
    return why === null ? provider : forbidden(provider, why);
  });
}

/** In place of a provider that the policy forbids: it says so, and starts nothing. */
function forbidden({ kind, isOptIn }: SandboxProvider, why: string): SandboxProvider {
  const refuse = (): Promise<never> => Promise.reject(new AppError('MANAGED', why));
  return {
    ...(isOptIn === undefined ? {} : { isOptIn }),
    ...{ kind, prepare: refuse, probe: refuse, start: refuse },
    inspect: async () => ({
      status: 'unavailable',
      detail: why,
      remedy: 'Use another sandbox.',
    }),
  };
}

/** The cloud provider, loaded on first use. */
function cloudProvider(parts: E2bProviderParts): SandboxProvider {
  let loading: Promise<SandboxProvider> | null = null;
  const load = (): Promise<SandboxProvider> => {
    loading ??= import('../sandbox/e2b-provider/e2b-provider.ts').then(
      ({ E2bProvider }) => new E2bProvider(parts),
    );
    return loading;
  };
  return {
    kind: 'e2b',
    isOptIn: true,
    inspect: async (signal) => (await load()).inspect(signal),
    prepare: async (onProgress, signal) => (await load()).prepare(onProgress, signal),
    probe: async (signal) => (await load()).probe(signal),
    start: async (spec, signal) => (await load()).start(spec, signal),
  };
}
