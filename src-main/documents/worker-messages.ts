import type { ErrorEnvelope } from '#contract/errors.ts';
import type { ParsedDocument, ParseJob } from './parse-document.ts';

/** A job for the thread; the bytes are transferred to it. */
export interface WorkerJob extends ParseJob {
  readonly id: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The answer of the thread, one for each job. */
export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly document: ParsedDocument }
  | { readonly id: number; readonly ok: false; readonly error: ErrorEnvelope };
