import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { CONTROL, type FromWorker, type ToWorker, type WorkerStart } from '../worker-messages.ts';
import { Guest } from './guest.ts';
import { inspectSource } from './inspect-source.ts';

/**
 * The thread in which dynamic skills run, one after another, each in an engine of its own. A skill that
 * escaped its engine would find little: network APIs are removed first, and there is no environment.
 */
const engine = new WebAssembly.Module(readFileSync((workerData as WorkerStart).engine));
for (const name of ['fetch', 'WebSocket', 'EventSource', 'navigator']) {
  Reflect.deleteProperty(globalThis, name);
}

const port = parentPort;
if (port === null) throw new Error('This file is the start of a thread.');
const { control } = workerData as WorkerStart;
const send = (message: FromWorker): void => port.postMessage(message);
let current: { readonly job: number; readonly guest: Guest } | null = null;

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'inspect':
      void turn(() => inspect(message));
      return;
    case 'run':
      void turn(() => run(message));
      return;
    case 'answer': {
      const { job, answer } = message;
      // An execution that has ended gets no answer.
      if (current?.job === job) void turn(async () => current?.guest.answer(answer));
      return;
    }
  }
});

/** Runs one turn and counts it, so that the watchdog outside can tell whether it is still the same one. */
async function turn(work: () => Promise<void>): Promise<void> {
  Atomics.add(control, CONTROL.turn, 1);
  try {
    await work();
  } finally {
    Atomics.add(control, CONTROL.turn, 1);
  }
  const end = current?.guest.end;
  if (current === null || end === null || end === undefined) return;
  const { job } = current;
  current = null;
  send({ kind: 'ended', job, end });
}

async function inspect({ job, ...given }: ToWorker & { kind: 'inspect' }): Promise<void> {
  send({ kind: 'inspected', job, inspection: await inspectSource(engine, given) });
}

async function run({ job, execution }: ToWorker & { kind: 'run' }): Promise<void> {
  const { javascript, params, limits, start } = execution;
  const guest = await Guest.open({
    engine,
    limits,
    start,
    isStopped: () => Atomics.load(control, CONTROL.stop) !== 0,
    onCall: (call) => send({ kind: 'call', job, call }),
  });
  current = { job, guest };
  guest.run(javascript, params);
}
