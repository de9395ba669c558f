import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { LOG_LEVELS, type LogLevel, renderLogLine } from './log-line.ts';
import type { LogFields, Logger } from './logger.ts';
import type { Redactor } from './redactor.ts';

export interface FileLoggerOptions {
  /** Folder of the files; created with the first line. */
  readonly dir: string;
  /** Lines below this level are not written. */
  readonly level: LogLevel;
  /** Size in bytes at which a new file starts. */
  readonly maxBytes: number;
  /** How many files are kept, including the current one. */
  readonly files: number;
  readonly redactor: Redactor;
  readonly clock: Clock;
}

export interface FileLogger extends Logger {
  close(): void;
}

/**
 * A logger that writes JSON lines to `hyperagent.log` and keeps older files as `hyperagent.1.log` and so on.
 * Never throws: lines that cannot be written are counted, and the next line that can be reports how many.
 */
export function createFileLogger(options: FileLoggerOptions): FileLogger {
  const file = new RotatingFile(options);
  const threshold = LOG_LEVELS.indexOf(options.level);
  const write = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const entry = { at: options.clock.now(), level, message, fields: fields ?? {} };
    file.append(renderLogLine(entry, options.redactor));
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    close: () => file.close(),
  };
}

class RotatingFile {
  readonly #options: FileLoggerOptions;
  #handle: number | null = null;
  #size = 0;
  #lost = 0;
  #closed = false;

  constructor(options: FileLoggerOptions) {
    this.#options = options;
  }

  append(line: string): void {
    if (this.#closed) return;
    try {
      const note =
        this.#lost > 0
          ? `{"level":"warn","message":"Lines were lost","lines":${this.#lost}}\n`
          : '';
      const bytes = Buffer.from(`${note}${line}\n`);
      if (this.#handle !== null && this.#size + bytes.length > this.#options.maxBytes) {
        this.#rotate();
      }
      // Synchronous, so that the lines before a crash are on disk; it costs microseconds.
      writeSync(this.#open(), bytes);
      this.#size += bytes.length;
      this.#lost = 0;
    } catch {
      // A failing log must not stop the work that it is about.
      this.#lost += 1;
    }
  }

  close(): void {
    this.#closed = true;
    this.#closeHandle();
  }

  #open(): number {
    if (this.#handle !== null) return this.#handle;
    mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 });
    this.#handle = openSync(this.#path(0), 'a', 0o600);
    this.#size = fstatSync(this.#handle).size;
    return this.#handle;
  }

  #rotate(): void {
    this.#closeHandle();
    rmSync(this.#path(this.#options.files - 1), { force: true });
    for (let age = this.#options.files - 2; age >= 0; age -= 1) {
      try {
        renameSync(this.#path(age), this.#path(age + 1));
      } catch (error) {
        // Fewer files than the maximum exist yet.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  #closeHandle(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
    this.#size = 0;
  }

  #path(age: number): string {
    return join(this.#options.dir, age === 0 ? 'hyperagent.log' : `hyperagent.${age}.log`);
  }
}
