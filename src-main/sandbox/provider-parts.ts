import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { RuntimeChannel, SandboxLimits } from './types.ts';

/** What every provider needs of the app and of this computer. */
export interface SandboxProviderParts {
  /** Folder of the app's own that no sandbox sees: generated files, answers of the host. */
  readonly stateDir: string;
  /** The app's data folder; probes put a secret there and try to read it from inside. */
  readonly dataDir: string;
  /** `resources/sandbox` of the app. */
  readonly resourcesDir: string;
  /** Of the app; nothing of it reaches programs inside. */
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** Limits of new runtimes, as they are set now. */
  readonly limits: () => SandboxLimits;
  /**
   * The channel that a runtime gets to be probed with: it lets out whatever the policy is, and must
   * stop what is not public by its address alone.
   */
  readonly probeChannel?: () => RuntimeChannel;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** As a part of a runtime's specification. */
export function channelOfProbes({ probeChannel }: Pick<SandboxProviderParts, 'probeChannel'>): {
  channel?: RuntimeChannel;
} {
  return probeChannel === undefined ? {} : { channel: probeChannel() };
}
