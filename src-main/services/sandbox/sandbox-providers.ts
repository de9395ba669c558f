import { DockerProvider } from './docker-provider/docker-provider.ts';
import { BubblewrapProvider } from './os-provider/bubblewrap-provider.ts';
import type { SandboxProviderParts } from './provider-parts.ts';
import { SeatbeltProvider } from './seatbelt-provider/seatbelt-provider.ts';
import type { SandboxProvider } from './types.ts';

/** The providers of this platform, in order of preference. */
export function createSandboxProviders(parts: SandboxProviderParts): SandboxProvider[] {
  const own =
    process.platform === 'darwin' ? new SeatbeltProvider(parts) : new BubblewrapProvider(parts);
  return [new DockerProvider(parts), own];
}
