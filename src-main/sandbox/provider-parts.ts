import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { RuntimeChannel, RuntimeSpec, SandboxLimits } from './types.ts';

/** Largest file that a program may write. */
const FILE_LIMIT_BYTES = 2 * 1024 ** 3;

/** The limits that the user has set for sandboxes. */
export function limitsFrom(settings: Settings): SandboxLimits {
  return {
    memoryBytes: settings.sandboxMemoryMb * 1024 * 1024,
    cpus: settings.sandboxCpus,
    pids: settings.sandboxPids,
    fileBytes: FILE_LIMIT_BYTES,
    diskBytes: settings.sandboxDiskMb * 1024 * 1024,
  };
}

/** What every provider needs from the app and this computer. */
export interface SandboxProviderParts {
  /** Private folder of the app that no sandbox sees: generated files, cached host facts. */
  readonly stateDir: string;
  /** The app's data folder; probes put a secret there and try to read it from inside. */
  readonly dataDir: string;
  /** `resources/sandbox` of the app. */
  readonly resourcesDir: string;
  /** The app's environment; none of it reaches programs inside. */
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** The current limits for new runtimes. */
  readonly limits: () => SandboxLimits;
  /**
   * The channel of a runtime under probes: its policy allows everything, so only the address check stops
   * private addresses.
   */
  readonly probeChannel?: () => RuntimeChannel;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The probe channel as part of a runtime's specification. */
export function channelOfProbes({ probeChannel }: Pick<SandboxProviderParts, 'probeChannel'>): {
  channel?: RuntimeChannel;
} {
  return probeChannel === undefined ? {} : { channel: probeChannel() };
}

/** For a provider that can open no folder of the host. Throws `SANDBOX_UNAVAILABLE` where one is to be opened. */
export function refuseFolders({ folders = [] }: Pick<RuntimeSpec, 'folders'>, where: string): void {
  if (folders.length === 0) return;
  throw new AppError(
    'SANDBOX_UNAVAILABLE',
    `The sandbox of ${where} cannot open folders of this computer to programs. Start Docker, and select it in Settings.`,
  );
}
