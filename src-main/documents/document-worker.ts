import { parentPort } from 'node:worker_threads';
import { toErrorEnvelope } from '#contract/errors.ts';
import { parseDocument } from './parse-document.ts';
import type { WorkerAnswer, WorkerJob } from './worker-messages.ts';

/**
 * The thread in which documents are parsed. Parsers need nothing but bytes, so network APIs are removed
 * before the first parser is loaded.
 */
for (const name of ['fetch', 'WebSocket', 'EventSource', 'navigator']) {
  Reflect.deleteProperty(globalThis, name);
}

const port = parentPort;
if (port === null) throw new Error('This file must run as a worker thread.');

port.on('message', (job: WorkerJob) => {
  parseDocument(job.bytes, job)
    .then(
      (document): WorkerAnswer => ({ id: job.id, ok: true, document }),
      (error: unknown): WorkerAnswer => ({ id: job.id, ok: false, error: toErrorEnvelope(error) }),
    )
    .then((answer) => port.postMessage(answer));
});
