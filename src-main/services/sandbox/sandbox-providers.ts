import { DockerProvider } from './docker-provider/docker-provider.ts';
import { E2bProvider, type E2bProviderParts } from './e2b-provider/e2b-provider.ts';
import { BubblewrapProvider } from './os-provider/bubblewrap-provider.ts';
import type { SandboxProviderParts } from './provider-parts.ts';
import { SeatbeltProvider } from './seatbelt-provider/seatbelt-provider.ts';
import type { SandboxProvider } from './types.ts';

/** The providers of this platform, in order of preference; the cloud's is only used when named. */
export function createSandboxProviders(
  parts: SandboxProviderParts,
  cloud: Pick<E2bProviderParts, 'readKey' | 'fetch'>,
): SandboxProvider[] {
  const own =
    process.platform === 'darwin' ? new SeatbeltProvider(parts) : new BubblewrapProvider(parts);
  return [new DockerProvider(parts), own, new E2bProvider({ ...parts, ...cloud })];
}
