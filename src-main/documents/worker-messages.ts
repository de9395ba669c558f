import type { ErrorEnvelope } from '#contract/errors.ts';
import type { ParseJob } from './parse-document.ts';
import type { ExtractedDocument } from './types.ts';

/** What the thread is given; the bytes become its own. */
export interface WorkerJob extends ParseJob {
  readonly id: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What it says, once for each job. */
export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly document: ExtractedDocument }
  | { readonly id: number; readonly ok: false; readonly error: ErrorEnvelope };
