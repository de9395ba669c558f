import type { Compose } from '../compose/app.ts';

/** What the CLI needs from its surroundings. */
export interface CliEnvironment {
  readonly version: string;
  /** The folder of the built window, for `serve`. */
  readonly rendererDir: string;
  /** Loaded only by the commands that need the app. */
  readonly loadCompose: () => Promise<Compose>;
}
