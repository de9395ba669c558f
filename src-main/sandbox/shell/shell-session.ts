import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { MarkerScanner } from './marker-scanner.ts';
import { ReadingPace } from './reading-pace.ts';
import type { ShellEnd, ShellProcess } from './shell-process.ts';
import { type ShellLayout, type ShellProgram, shellPrologue, shellRequest } from './shell-text.ts';

/** How a command ended: it returned an exit code, or its shell ended. */
export type SessionEnd =
  | { readonly kind: 'returned'; readonly exitCode: number; readonly memoryKills: number }
  | { readonly kind: 'shell_ended'; readonly end: ShellEnd };

export interface OutputSink {
  stdout(bytes: Buffer): void;
  stderr(bytes: Buffer): void;
}

/** How long to wait for the last output after the shell has ended. */
const DRAIN_MS = 200;

/**
 * A bash that runs one command after the other, so that variables, directory and functions survive. Its
 * streams are read all the time, at a bounded pace; output of background processes goes to the current
 * command, or is dropped.
 */
export class ShellSession {
  readonly #process: ShellProcess;
  readonly #layout: ShellLayout;
  #running: RunningCommand | null = null;

  constructor(process: ShellProcess, layout: ShellLayout, clock: Clock) {
    this.#process = process;
    this.#layout = layout;
    const pace = new ReadingPace(clock);
    this.#read(process.stdout, pace, (running, chunk) => running.onStdout(chunk));
    this.#read(process.stderr, pace, (running, chunk) => running.onStderr(chunk));
    // A dying shell closes its input while we write; `ended` reports its end.
    process.stdin.on('error', () => undefined);
    process.stdin.write(shellPrologue(layout));
  }

  /** Runs `program` to its end or the end of the shell. One at a time. */
  run(program: ShellProgram, sink: OutputSink): Promise<SessionEnd> {
    const nonce = randomBytes(16).toString('hex');
    return new Promise((resolve) => {
      const finish = (end: SessionEnd): void => {
        if (this.#running !== running) return;
        this.#running = null;
        this.#process.onCommand?.(false);
        resolve(end);
      };
      const killsSeen = (): number => this.#process.memoryKills?.() ?? 0;
      const running = new RunningCommand(nonce, { sink, finish, killsSeen });
      this.#running = running;
      this.#process.onCommand?.(true);
      this.#process.stdin.write(shellRequest(program, nonce, this.#layout));
      void this.#process.ended.then(async (end) => {
        if (this.#running !== running) return;
        await this.#drained();
        running.flushPending();
        finish({ kind: 'shell_ended', end });
      });
    });
  }

  #read(
    stream: Readable,
    pace: ReadingPace,
    take: (running: RunningCommand, chunk: Buffer) => void,
  ): void {
    stream.on('data', (chunk: Buffer) => {
      if (this.#running !== null) take(this.#running, chunk);
      pace.count(chunk.length, stream);
    });
    // A broken stream means that the shell has ended; `ended` reports the cause.
    stream.on('error', () => undefined);
  }

  /** Waits for the ends of the streams, but not long: a process detached from the shell may keep them open. */
  async #drained(): Promise<void> {
    const { stdout, stderr } = this.#process;
    const ends = [stdout, stderr].map(
      (stream) =>
        new Promise<void>((resolve) => {
          if (stream.readableEnded || stream.destroyed) resolve();
          else stream.once('close', resolve).once('end', resolve);
        }),
    );
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([Promise.all(ends), limit]);
    clearTimeout(timer);
  }
}

/** The current command: looks for the end mark in both streams. */
class RunningCommand {
  readonly #sink: OutputSink;
  readonly #finish: (end: SessionEnd) => void;
  readonly #killsSeen: () => number;
  readonly #stdoutScanner: MarkerScanner;
  readonly #stderrScanner: MarkerScanner;
  #stdoutWords: readonly string[] | null = null;
  #stderrWords: readonly string[] | null = null;

  constructor(
    nonce: string,
    parts: {
      readonly sink: OutputSink;
      readonly finish: (end: SessionEnd) => void;
      /** Out-of-memory kills that are known from outside. */
      readonly killsSeen: () => number;
    },
  ) {
    this.#sink = parts.sink;
    this.#finish = parts.finish;
    this.#killsSeen = parts.killsSeen;
    this.#stdoutScanner = new MarkerScanner(nonce);
    this.#stderrScanner = new MarkerScanner(nonce);
  }

  onStdout(chunk: Buffer): void {
    if (this.#stdoutWords !== null) return;
    this.#stdoutWords = this.#stdoutScanner.push(chunk, (bytes) => this.#sink.stdout(bytes));
    this.#finishWhenMarked();
  }

  onStderr(chunk: Buffer): void {
    if (this.#stderrWords !== null) return;
    this.#stderrWords = this.#stderrScanner.push(chunk, (bytes) => this.#sink.stderr(bytes));
    this.#finishWhenMarked();
  }

  /** Passes on output that looked like the beginning of a mark. */
  flushPending(): void {
    if (this.#stdoutWords === null) this.#sink.stdout(this.#stdoutScanner.takePending());
    if (this.#stderrWords === null) this.#sink.stderr(this.#stderrScanner.takePending());
  }

  #finishWhenMarked(): void {
    if (this.#stdoutWords === null || this.#stderrWords === null) return;
    const exitCode = Number(this.#stdoutWords[0]);
    const memoryKills = this.#killsSeen() + Number(this.#stdoutWords[1]);
    if (!Number.isInteger(exitCode) || !Number.isInteger(memoryKills)) {
      const detail = 'the end mark of the shell was broken';
      this.#finish({ kind: 'shell_ended', end: { cause: 'lost', detail } });
      return;
    }
    this.#finish({ kind: 'returned', exitCode, memoryKills });
  }
}
