import { DockerProvider } from './docker-provider/docker-provider.ts';
import type { E2bProviderParts } from './e2b-provider/e2b-provider.ts';
import { BubblewrapProvider } from './os-provider/bubblewrap-provider.ts';
import type { SandboxProviderParts } from './provider-parts.ts';
import { SeatbeltProvider } from './seatbelt-provider/seatbelt-provider.ts';
import type { SandboxProvider } from './types.ts';

/** The providers of this platform, in order of preference; the cloud provider is only used if selected. */
export function createSandboxProviders(
  parts: SandboxProviderParts,
  cloud: Pick<E2bProviderParts, 'readKey' | 'fetch'>,
): SandboxProvider[] {
  const own =
    process.platform === 'darwin' ? new SeatbeltProvider(parts) : new BubblewrapProvider(parts);
  return [new DockerProvider(parts), own, cloudProvider({ ...parts, ...cloud })];
}

/** The cloud provider, loaded on first use. */
function cloudProvider(parts: E2bProviderParts): SandboxProvider {
  let loading: Promise<SandboxProvider> | null = null;
  const load = (): Promise<SandboxProvider> => {
    loading ??= import('./e2b-provider/e2b-provider.ts').then(
      ({ E2bProvider }) => new E2bProvider(parts),
    );
    return loading;
  };
  return {
    ...{ kind: 'e2b', isOptIn: true },
    inspect: async (signal) => (await load()).inspect(signal),
    prepare: async (onProgress, signal) => (await load()).prepare(onProgress, signal),
    probe: async (signal) => (await load()).probe(signal),
    start: async (spec, signal) => (await load()).start(spec, signal),
  };
}
