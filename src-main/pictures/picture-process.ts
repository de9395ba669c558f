import { toErrorEnvelope } from '#contract/errors.ts';
import { pictureDecoding } from './decode-picture.ts';
import type { PictureLimits, ProcessAnswer, ProcessJob } from './types.ts';

/**
 * The process in which pictures are decoded. Decoders need nothing but bytes, so network APIs are removed before the
 * first decoder is loaded.
 */
for (const name of ['fetch', 'WebSocket', 'EventSource', 'navigator']) {
  Reflect.deleteProperty(globalThis, name);
}

/** Electron's utility process; Node has `process.send`. */
interface ParentPort {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const decode = pictureDecoding(JSON.parse(process.argv[2] ?? '') as PictureLimits);

async function answer({ id, bytes, ...job }: ProcessJob): Promise<ProcessAnswer> {
  try {
    return { id, ok: true, picture: await decode(bytes, job) };
  } catch (error) {
    return { id, ok: false, error: toErrorEnvelope(error) };
  }
}

const { parentPort } = process as unknown as { parentPort?: ParentPort };
if (parentPort !== undefined) {
  parentPort.on('message', ({ data }) => {
    void answer(data as ProcessJob).then((made) => parentPort.postMessage(made));
  });
} else {
  process.on('message', (job: ProcessJob) => {
    void answer(job).then((made) => process.send?.(made));
  });
}
