import { writeSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { createFileLogger } from '../base/file-logger.ts';
import { Redactor } from '../base/redactor.ts';
import type { WatchStart } from './watch-main-loop.ts';

const { beats, logsDir, tellMs, endMs } = workerData as WatchStart;

const TICK_MS = 100;
/** A tick that comes later than this tells that the whole process stood: a stop, a sleep of the computer. */
const LATE_MS = 500;
/** The debugger gets no answer from code that is not JavaScript. */
const ASK_MS = 1_000;
const FRAMES = 20;

const log = createFileLogger({
  ...{ dir: logsDir, level: 'warn', maxBytes: Number.POSITIVE_INFINITY, files: 1 },
  ...{ redactor: new Redactor(), clock: systemClock },
});

interface Stand {
  readonly beat: number;
  /** When the last beat was seen; later by what the whole process stood since. */
  since: number;
  readonly cpu: NodeJS.CpuUsage;
  isTold: boolean;
}

let stand = standAt(0);
let lastTick = performance.now();

setInterval(() => {
  const now = performance.now();
  const gap = now - lastTick;
  lastTick = now;
  const beat = Atomics.load(beats, 0);
  if (beat !== stand.beat) {
    if (stand.isTold) log.warn('The main thread goes on', { stoodMs: stoodFor(now) });
    stand = standAt(beat);
    return;
  }
  if (gap > LATE_MS) stand.since += gap;
  if (!stand.isTold && now - stand.since >= tellMs) {
    stand.isTold = true;
    void tell();
  }
  if (now - stand.since >= endMs && computedMs() >= endMs / 2) end();
}, TICK_MS);

function standAt(beat: number): Stand {
  return { beat, since: performance.now(), cpu: process.cpuUsage(), isTold: false };
}

function stoodFor(now: number): number {
  return Math.round(now - stand.since);
}

/** What the process computed since the last beat, nearly all of it on the thread that stands. */
function computedMs(): number {
  const { user, system } = process.cpuUsage(stand.cpu);
  return (user + system) / 1_000;
}

async function tell(): Promise<void> {
  const stood = stand;
  const stack = await stackOfMain();
  log.error('The main thread stands', {
    stoodMs: Math.round(performance.now() - stood.since),
    computedMs: Math.round(computedMs()),
    stack: stack ?? 'not known: it waits for the system, or is in code that is not JavaScript',
  });
}

function end(): void {
  const seconds = Math.round(stoodFor(performance.now()) / 1_000);
  log.error('The main thread did not go on; the process was ended', { seconds });
  try {
    const why = `HyperAgent stood still for ${seconds} s and was ended. Start it again: what was at work goes on from its last step. Where it stood is in ${logsDir}.\n`;
    writeSync(2, why);
  } catch {
    // Nobody reads it.
  }
  process.kill(process.pid, 'SIGKILL');
}

/** Where the main thread is, innermost first; null where it gives no answer. */
async function stackOfMain(): Promise<string[] | null> {
  const session = new Session();
  try {
    session.connectToMainThread();
    const { promise, resolve } = Promise.withResolvers<string[] | null>();
    const files = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url));
    session.once('Debugger.paused', ({ params }) => {
      resolve(params.callFrames.slice(0, FRAMES).map((frame) => describeFrame(frame, files)));
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
    setTimeout(() => resolve(null), ASK_MS);
    return await promise;
  } catch {
    // Another debugger is there, or this runtime has none.
    return null;
  } finally {
    // Lets the thread go on.
    session.disconnect();
  }
}

function describeFrame(
  { functionName, location }: Debugger.CallFrame,
  files: ReadonlyMap<string, string>,
): string {
  const { scriptId, lineNumber, columnNumber = 0 } = location;
  const place = `${files.get(scriptId) ?? 'unknown'}:${lineNumber + 1}:${columnNumber + 1}`;
  return `${functionName || 'anonymous'} (${place})`;
}
