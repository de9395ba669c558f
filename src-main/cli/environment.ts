import type { Compose } from '../ipc/types.ts';

/** What the CLI is given of the world around it. */
export interface CliEnvironment {
  readonly version: string;
  /** Where the built window lies, for `serve`. */
  readonly rendererDir: string;
  /** Loaded only by the commands that need the app. */
  readonly loadCompose: () => Promise<Compose>;
}
