import { AppError, type ErrorEnvelope } from '#contract/errors.ts';
import { JobThread } from '../base/job-thread.ts';
import type { ParsedDocument, ParseJob } from './parse-document.ts';
import type { DocumentLimits } from './types.ts';
import { unreadable } from './unreadable.ts';

/** A job for the thread; the bytes are transferred to it. */
export interface DocumentJob extends ParseJob {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface ThreadJob extends ParseJob {
  /** Time limit of the parsing alone, without the time in the queue. */
  readonly timeMs: number;
}

/** One thread that parses one document at a time. */
export class DocumentThread implements AsyncDisposable {
  readonly #thread: JobThread<DocumentJob, ParsedDocument, ErrorEnvelope>;

  constructor(file: string, { memoryBytes }: DocumentLimits) {
    this.#thread = new JobThread(file, {
      ...{ name: 'documents', memoryBytes },
      errors: {
        failed: asError,
        // A file that ends the thread counts as unreadable.
        ended: (cause) => unreadable('The parser for its format failed.', cause),
        timeExceeded,
        memoryExceeded,
        closing: () => new AppError('CANCELLED', 'The app is closing.'),
      },
    });
  }

  /** Parses in the thread, in the order of the calls. `bytes` is detached afterwards. */
  parse(
    bytes: Uint8Array<ArrayBuffer>,
    { timeMs, ...job }: ThreadJob,
    signal?: AbortSignal,
  ): Promise<ParsedDocument> {
    return this.#thread.run({ ...job, bytes }, { timeMs, transfer: [bytes.buffer], signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}

function asError({ code, message, details }: ErrorEnvelope): AppError {
  // An error without a code of ours comes from a library that met unexpected input.
  return code === 'INTERNAL'
    ? unreadable('It is damaged: the parser for its format failed.', new Error(message))
    : new AppError(code, message, { details });
}

function timeExceeded(timeMs: number): AppError {
  const seconds = Math.round(timeMs / 100) / 10;
  return new AppError('FILE_TOO_LARGE', `Reading it took longer than ${seconds} seconds.`);
}

function memoryExceeded(): AppError {
  return new AppError('FILE_TOO_LARGE', 'Reading it takes more memory than allowed.');
}
