import { DockerProvider } from './docker-provider/docker-provider.ts';
import { BubblewrapProvider } from './os-provider/bubblewrap-provider.ts';
import type { SandboxProviderParts } from './provider-parts.ts';
import type { SandboxProvider } from './types.ts';

/** The providers of this platform, in order of preference. */
export function createSandboxProviders(parts: SandboxProviderParts): SandboxProvider[] {
  return [new DockerProvider(parts), new BubblewrapProvider(parts)];
}
