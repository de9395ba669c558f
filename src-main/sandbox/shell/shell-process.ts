import type { Duplex, Readable, Writable } from 'node:stream';

/** A process in the sandbox, as seen from outside. */
export interface SeenProcess {
  /** Unique among all processes of its sandbox, also later ones. */
  readonly id: string;
  readonly pid: number;
  /** Its own name for itself: not trusted, and truncated. */
  readonly command: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** How a shell ended, as far as its provider knows. */
export type ShellEnd =
  /** By itself: `exit`, `exec`, a fatal error of the shell, or a signal from inside (128 + n). */
  | { readonly cause: 'exited'; readonly exitCode: number }
  | { readonly cause: 'out_of_memory' }
  /** By `kill`. */
  | { readonly cause: 'killed' }
  /** The shell, its sandbox or its engine disappeared; `detail` is for the log. */
  | { readonly cause: 'lost'; readonly detail: string };

/** A bash inside a sandbox, as started by a provider. */
export interface ShellProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The stream to the relay inside, if the provider started one. */
  readonly relay?: Duplex;
  /** Resolves once the shell has ended and its output was passed on. Never rejects. */
  readonly ended: Promise<ShellEnd>;
  /** Called when a command starts and ends, for providers that watch more closely in between. */
  onCommand?(running: boolean): void;
  /**
   * Number of out-of-memory kills inside, for providers that see them from outside. With others the shell
   * counts; see `ShellLayout.oomCounterFile`.
   */
  memoryKills?(): number;
  /** All processes of the sandbox, including the app's own; absent if they cannot be seen from outside. */
  processes?(): Promise<readonly SeenProcess[]>;
  /** Kills it and everything it started, and resolves when they are gone. Harmless if it has ended. */
  kill(): Promise<void>;
}
