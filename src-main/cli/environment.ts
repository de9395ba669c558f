import type { Compose } from '../compose/app.ts';
import type { PolicyState } from '../policy/types.ts';

/** What the CLI needs from its surroundings. */
export interface CliEnvironment {
  readonly version: string;
  /** The folder of the built window, for `serve`. */
  readonly rendererDir: string;
  /** The policy of this computer; it is read unless given. */
  readonly policy?: PolicyState;
  /** Loaded only by the commands that need the app. */
  readonly loadCompose: () => Promise<Compose>;
}
