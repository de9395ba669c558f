import { toErrorEnvelope } from '#contract/errors.ts';
import type { ConfinedAnswer } from './confined-process.ts';

/** Electron's utility process; Node has `process.send`. */
interface ParentPort {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/**
 * Answers the jobs of a `ConfinedProcess`, in that process. What it reads needs nothing but bytes, so network APIs are
 * removed; call this before any decoder is loaded.
 */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'navigator']) {
    Reflect.deleteProperty(globalThis, name);
  }
  const answer = async (job: Job & { readonly id: number }): Promise<ConfinedAnswer<Result>> => {
    const { id } = job;
    try {
      return { id, ok: true, result: await work(job) };
    } catch (error) {
      return { id, ok: false, error: toErrorEnvelope(error) };
    }
  };
  const { parentPort } = process as unknown as { parentPort?: ParentPort };
  if (parentPort !== undefined) {
    parentPort.on('message', ({ data }) => {
      void answer(data as Job & { id: number }).then((made) => parentPort.postMessage(made));
    });
    return;
  }
  process.on('message', (job: Job & { id: number }) => {
    void answer(job).then((made) => process.send?.(made));
  });
}
