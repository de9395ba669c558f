import { parentPort } from 'node:worker_threads';
import { type ErrorEnvelope, toErrorEnvelope } from '#contract/errors.ts';
import type { JobAnswer, JobMessage } from '../base/job-thread.ts';
import type { DocumentJob } from './document-thread.ts';
import { type ParsedDocument, parseDocument } from './parse-document.ts';

/**
 * The thread in which documents are parsed. Parsers need nothing but bytes, so network APIs are removed
 * before the first parser is loaded.
 */
for (const name of ['fetch', 'WebSocket', 'EventSource', 'navigator']) {
  Reflect.deleteProperty(globalThis, name);
}

const port = parentPort;
if (port === null) throw new Error('This file must run as a worker thread.');

type Answer = JobAnswer<ParsedDocument, ErrorEnvelope>;

port.on('message', ({ id, job }: JobMessage<DocumentJob>) => {
  parseDocument(job.bytes, job)
    .then(
      (result): Answer => ({ id, ok: true, result }),
      (error: unknown): Answer => ({ id, ok: false, failure: toErrorEnvelope(error) }),
    )
    .then((answer) => port.postMessage(answer));
});
