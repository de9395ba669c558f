import type { Duplex } from 'node:stream';
import type { SeenProcess, ShellEnd, ShellProcess } from '../shell/shell-process.ts';
import { demultiplex } from './frame-demultiplexer.ts';

/** How often the engine is asked whether the shell is alive while a command runs. */
const ASK_EVERY_MS = 500;
/** Exit code of a killed process. */
const KILLED = 137;

export interface ContainerShellParts {
  readonly connection: Duplex;
  readonly relay?: Duplex;
  /** The exit code, or null while it runs. */
  readonly askEnd: () => Promise<number | null>;
  readonly countMemoryKills: () => Promise<number>;
  readonly killAll: () => Promise<void>;
  /** Absent if the engine does not see them from outside. */
  readonly processes?: () => Promise<readonly SeenProcess[]>;
  /** Called when it is unknown whether the shell and its children still run. */
  readonly onLost: () => void;
}

/**
 * A shell over a connection to the engine. The connection may outlive the shell, because background
 * processes hold the streams, and the shell may outlive the connection, because engines restart. So the
 * engine is asked.
 */
export class ContainerShell implements ShellProcess {
  readonly stdin: Duplex;
  readonly stdout: ShellProcess['stdout'];
  readonly stderr: ShellProcess['stderr'];
  readonly relay?: Duplex;
  readonly processes?: () => Promise<readonly SeenProcess[]>;
  readonly ended: Promise<ShellEnd>;
  readonly #parts: ContainerShellParts;
  #settle: (end: ShellEnd) => void = () => undefined;
  #asking: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #killed = false;

  constructor(parts: ContainerShellParts) {
    this.#parts = parts;
    this.stdin = parts.connection;
    if (parts.relay !== undefined) this.relay = parts.relay;
    if (parts.processes !== undefined) this.processes = parts.processes;
    ({ stdout: this.stdout, stderr: this.stderr } = demultiplex(parts.connection));
    this.ended = new Promise((resolve) => {
      this.#settle = (end) => {
        this.#hasEnded = true;
        clearInterval(this.#asking);
        resolve(end);
      };
    });
    parts.connection.once('close', () => void this.#ask(true));
  }

  onCommand(running: boolean): void {
    clearInterval(this.#asking);
    if (running) this.#asking = setInterval(() => void this.#ask(false), ASK_EVERY_MS);
  }

  async kill(): Promise<void> {
    if (this.#killed) return;
    // Its background processes survive its end.
    this.#killed = true;
    try {
      await this.#parts.killAll();
    } catch (error) {
      this.#parts.onLost();
      throw error;
    }
    this.#parts.connection.destroy();
    this.#settle({ cause: 'killed' });
  }

  async #ask(connectionClosed: boolean): Promise<void> {
    if (this.#hasEnded || this.#killed) return;
    try {
      const exitCode = await this.#parts.askEnd();
      if (exitCode === KILLED && (await this.#parts.countMemoryKills()) > 0) {
        this.#settle({ cause: 'out_of_memory' });
      } else if (exitCode !== null) {
        this.#settle({ cause: 'exited', exitCode });
      } else if (connectionClosed) {
        this.#lose('the connection to the shell was lost');
      }
    } catch (error) {
      this.#lose(error instanceof Error ? error.message : String(error));
    }
  }

  #lose(detail: string): void {
    this.#parts.onLost();
    this.#settle({ cause: 'lost', detail });
  }
}
