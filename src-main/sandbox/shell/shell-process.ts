import type { Duplex, Readable, Writable } from 'node:stream';

/** A process behind the wall, as it is seen from outside. */
export interface SeenProcess {
  /** Tells it from every other of its sandbox, later ones too. */
  readonly id: string;
  readonly pid: number;
  /** As it calls itself: not trusted, and cut. */
  readonly command: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** How a shell ended, as the back-end that owns it knows. */
export type ShellEnd =
  /** By itself: `exit`, `exec`, a fatal error of the shell, or a signal from inside (128 + n). */
  | { readonly cause: 'exited'; readonly exitCode: number }
  | { readonly cause: 'out_of_memory' }
  /** By `kill`. */
  | { readonly cause: 'killed' }
  /** It, its wall or its engine went away; `detail` is for the log. */
  | { readonly cause: 'lost'; readonly detail: string };

/** A bash inside a wall, as a back-end hands it over. */
export interface ShellProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The stream to the relay inside, where the back-end started one. */
  readonly relay?: Duplex;
  /** Settles once the shell has ended and its output was handed on. Never rejects. */
  readonly ended: Promise<ShellEnd>;
  /** Told when a command starts and when it ends, for back-ends that look closer meanwhile. */
  onCommand?(running: boolean): void;
  /**
   * How often something inside was killed for lack of memory, by back-ends that know from outside.
   * Others have the shell count; see `ShellLayout.oomCounterFile`.
   */
  memoryKills?(): number;
  /** All processes of the sandbox, the app's own too; absent where nobody outside can see them. */
  processes?(): Promise<readonly SeenProcess[]>;
  /** Kills it and everything it started, and resolves when they are gone. Harmless when it has ended. */
  kill(): Promise<void>;
}
