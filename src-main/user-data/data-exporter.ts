import { randomBytes } from 'node:crypto';
import { AppError, toErrorEnvelope } from '#contract/errors.ts';
import type { DataExport } from '#contract/user-data.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { WriteBytes } from '../base/zip-writer.ts';
import { writeWholeFile } from '../storage/whole-file.ts';
import type { ExportOptions, ExportParts, ExportProgress } from './export-data.ts';

export interface DataExporterParts {
  readonly data: ExportParts;
  readonly clock: Clock;
  /** Asks the user where to save a file; null if nowhere. Null: a browser downloads it. */
  readonly chooseFile: ((suggestedName: string) => Promise<string | null>) | null;
  /** Called when the export changed, a few times a second while it runs. */
  readonly onChange: (state: DataExport) => void;
}

/** An export that a browser loads. */
export interface DataDownload {
  readonly fileName: string;
  /** Writes all of it. Rejects if it is not whole; the export says why. */
  send(write: WriteBytes, closed: AbortSignal): Promise<void>;
}

/** The first part of the path of a download; the rest is known only to who asked for the export. */
export const DOWNLOAD_PATH = '/export/';

const SHOW_EVERY_MS = 200;
const NOTHING: ExportProgress = { doneTasks: 0, tasks: 0, files: 0, bytes: 0, leftOut: 0 };

/** Exports all data, once at a time. Disposing stops an export and removes its file. */
export class DataExporter implements AsyncDisposable {
  readonly #parts: DataExporterParts;
  #state: DataExport | null = null;
  #stopping = new AbortController();
  /** Of the export that a browser does not load yet. */
  #ticket: string | null = null;
  #isAsking = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(parts: DataExporterParts) {
    this.#parts = parts;
  }

  /** The export that runs, or the last one. */
  get state(): DataExport | null {
    return this.#state;
  }

  /**
   * Starts an export, to a place that the user chooses or for a browser to load. Throws `CONFLICT` while another one
   * runs.
   */
  async start(): Promise<{ export: DataExport | null; download: string | null }> {
    if (this.#isAsking || this.#state?.status === 'running') {
      throw new AppError('CONFLICT', 'An export is running. Wait for its end, or stop it.');
    }
    const { chooseFile } = this.#parts;
    if (chooseFile === null) {
      this.#ticket = randomBytes(32).toString('base64url');
      const state = this.#begin('waiting', null);
      return { export: state, download: DOWNLOAD_PATH + this.#ticket };
    }
    this.#isAsking = true;
    const file = await chooseFile(this.#fileName()).finally(() => {
      this.#isAsking = false;
    });
    if (file === null) return { export: null, download: null };
    const state = this.#begin('running', file);
    void this.#run(({ signal }) => this.toFile(file, { signal, onProgress: this.#show }));
    return { export: state, download: null };
  }

  /** Stops the export. Resolves when its file is removed. */
  async cancel(): Promise<void> {
    this.#stopping.abort();
    this.#ticket = null;
    if (this.#state?.status === 'waiting') this.#change({ status: 'cancelled' });
    await this.#ended;
  }

  /** The download of a path, which works once; null for any other path. */
  takeDownload(path: string): DataDownload | null {
    if (this.#ticket === null || path !== DOWNLOAD_PATH + this.#ticket) return null;
    this.#ticket = null;
    const send = async (write: WriteBytes, closed: AbortSignal): Promise<void> => {
      this.#change({ status: 'running' });
      await this.#run(async (stopping) => {
        const signal = AbortSignal.any([stopping.signal, closed]);
        return await this.#write(write, { signal, onProgress: this.#show });
      });
      if (this.#state?.status !== 'completed') throw new Error('The export is not whole');
    };
    return { fileName: this.#fileName(), send };
  }

  /**
   * Exports all data to a file, which is complete or does not exist. Throws `DISK_FULL`, `CANCELLED`, and
   * `BAD_REQUEST` for an unusable path.
   */
  async toFile(file: string, options: Omit<ExportOptions, 'now'>): Promise<ExportProgress> {
    try {
      return await writeWholeFile(file, (write) => this.#write(write, options));
    } catch (error) {
      throw options.signal.aborted ? stopped(error) : error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel();
  }

  async #write(write: WriteBytes, options: Omit<ExportOptions, 'now'>): Promise<ExportProgress> {
    const { data, clock } = this.#parts;
    const { exportData } = await import('./export-data.ts');
    return await exportData(data, write, { ...options, now: clock.now() });
  }

  #begin(status: 'waiting' | 'running', file: string | null): DataExport {
    this.#stopping = new AbortController();
    const state: DataExport = {
      ...{ id: newId('export', this.#parts.clock.now()), status, ...NOTHING },
      ...{ file, problem: null },
    };
    this.#state = state;
    this.#parts.onChange(state);
    return state;
  }

  /** Does the work of the current export and notes its end. Never rejects. */
  async #run(work: (stopping: AbortController) => Promise<ExportProgress>): Promise<void> {
    const stopping = this.#stopping;
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    try {
      this.#change({ ...(await work(stopping)), status: 'completed' });
    } catch (error) {
      if (stopping.signal.aborted) this.#change({ status: 'cancelled' });
      else this.#change({ status: 'failed', problem: toErrorEnvelope(error).message });
    } finally {
      ended.resolve();
    }
  }

  readonly #show = throttled((progress: ExportProgress) => this.#change(progress), SHOW_EVERY_MS);

  #change(changes: Partial<DataExport>): void {
    if (this.#state === null) return;
    this.#state = { ...this.#state, ...changes };
    this.#parts.onChange(this.#state);
  }

  #fileName(): string {
    return `hyperagent-export-${new Date(this.#parts.clock.now()).toISOString().slice(0, 10)}.zip`;
  }
}

function stopped(cause: unknown): AppError {
  return new AppError('CANCELLED', 'The export was stopped. Its file was removed.', { cause });
}

/** Calls `call` with the newest value, at most once in so many milliseconds. What comes in between is dropped. */
function throttled<Value>(call: (value: Value) => void, everyMs: number): (value: Value) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (value) => {
    if (performance.now() - last < everyMs) return;
    last = performance.now();
    call(value);
  };
}
