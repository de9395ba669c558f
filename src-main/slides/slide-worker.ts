import { parentPort } from 'node:worker_threads';
import { type ErrorEnvelope, toErrorEnvelope } from '#contract/errors.ts';
import type { JobAnswer, JobMessage } from '../base/job-thread.ts';
import { type SlideJob, type SlideJobResult, SlideJobs } from './do-slide-job.ts';

/** The thread in which decks are laid out, drawn and written. It needs no network. */
for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);

const port = parentPort;
if (port === null) throw new Error('This file must run as a worker thread.');

type Answer = JobAnswer<SlideJobResult, ErrorEnvelope>;

const jobs = new SlideJobs();
port.on('message', ({ id, job }: JobMessage<SlideJob>) => {
  jobs
    .do(job)
    .then(
      (result): Answer => ({ id, ok: true, result }),
      (error: unknown): Answer => ({ id, ok: false, failure: toErrorEnvelope(error) }),
    )
    .then((answer) => port.postMessage(answer));
});
