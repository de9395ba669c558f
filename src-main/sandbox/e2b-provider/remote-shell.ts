import { PassThrough, Writable } from 'node:stream';
import type { ShellEnd, ShellProcess } from '../shell/shell-process.ts';
import type { EnvdClient, StartedProcess } from './envd-client.ts';

/** Input is sent as base64 messages; pieces of this size keep them small. */
const INPUT_BYTES = 512 * 1024;

export interface RemoteShellParts {
  readonly envd: EnvdClient;
  readonly started: StartedProcess;
  /** Ends the stream of events, but nothing on the machine. */
  readonly disconnect: AbortController;
  /** Ends all programs of the machine. Called once, even after the shell has ended by itself. */
  readonly killPrograms: () => Promise<void>;
}

/** A shell on a remote machine: a stream of events, and requests that carry its input. */
export class RemoteShell implements ShellProcess {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly ended: Promise<ShellEnd>;
  readonly #parts: RemoteShellParts;
  #settle: (end: ShellEnd) => void = () => undefined;
  #killing: Promise<void> | null = null;

  constructor(parts: RemoteShellParts) {
    this.#parts = parts;
    this.ended = new Promise((resolve) => {
      this.#settle = (end) => {
        this.stdout.end();
        this.stderr.end();
        this.stdin.destroy();
        parts.disconnect.abort();
        resolve(end);
      };
    });
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => void this.#send(chunk).then(() => done(), done),
      writev: (chunks, done) => {
        const all = Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer));
        void this.#send(all).then(() => done(), done);
      },
    });
    void this.#read();
  }

  kill(): Promise<void> {
    this.#killing ??= this.#kill();
    return this.#killing;
  }

  /** Its machine is gone, which a broken connection may take long to show. Harmless if it has ended. */
  abandon(detail: string): void {
    this.#settle({ cause: 'lost', detail });
  }

  async #kill(): Promise<void> {
    await this.#parts.killPrograms();
    this.#settle({ cause: 'killed' });
  }

  async #send(bytes: Buffer): Promise<void> {
    const { envd, started, disconnect } = this.#parts;
    try {
      for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
        const piece = bytes.subarray(at, at + INPUT_BYTES);
        await envd.sendInput(started.pid, piece, disconnect.signal);
      }
    } catch (error) {
      this.#lose(error);
      throw error;
    }
  }

  async #read(): Promise<void> {
    try {
      for await (const event of this.#parts.started.events) {
        if (event.type === 'end') {
          this.#settle({ cause: 'exited', exitCode: event.exitCode });
          return;
        }
        if (event.type !== 'output') continue;
        const stream = this[event.stream];
        // A stream that nobody reads blocks the others too, as on a single connection.
        if (!stream.write(event.bytes)) await this.#drained(stream);
      }
      this.#lose(new Error('the stream ended before the shell'));
    } catch (error) {
      this.#lose(error);
    }
  }

  #drained(stream: PassThrough): Promise<void> {
    const { signal } = this.#parts.disconnect;
    return new Promise((resolve) => {
      const done = (): void => {
        stream.off('drain', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      if (signal.aborted) done();
      stream.once('drain', done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #lose(error: unknown): void {
    this.abandon(error instanceof Error ? error.message : String(error));
  }
}
