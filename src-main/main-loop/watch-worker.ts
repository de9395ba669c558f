import { writeSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { createFileLogger } from '../base/file-logger.ts';
import { Redactor } from '../base/redactor.ts';
import type { WatchStart } from './watch-main-loop.ts';

const { beats, logsDir, logMs, endMs } = workerData as WatchStart;

const TICK_MS = 100;
/** A tick later than this means that the whole process was suspended, or the computer slept. */
const LATE_MS = 500;
/** How long the debugger waits: code that is not JavaScript never answers. */
const ASK_MS = 1_000;
const FRAMES = 20;

const log = createFileLogger({
  dir: logsDir,
  level: 'warn',
  maxBytes: Number.POSITIVE_INFINITY,
  files: 1,
  redactor: new Redactor(),
  clock: systemClock,
});

interface Stall {
  readonly beat: number;
  /** When the last beat was seen, plus the time for which the whole process was suspended since. */
  since: number;
  readonly cpu: NodeJS.CpuUsage;
  isLogged: boolean;
}

let stall = stallAt(0);
let lastTick = performance.now();

setInterval(() => {
  const now = performance.now();
  const gap = now - lastTick;
  lastTick = now;
  const beat = Atomics.load(beats, 0);
  if (beat !== stall.beat) {
    if (stall.isLogged) log.warn('The main thread continues', { blockedMs: blockedFor(now) });
    stall = stallAt(beat);
    return;
  }
  if (gap > LATE_MS) stall.since += gap;
  if (!stall.isLogged && now - stall.since >= logMs) {
    stall.isLogged = true;
    void logStack();
  }
  if (now - stall.since >= endMs && computedMs() >= endMs / 2) end();
}, TICK_MS);

function stallAt(beat: number): Stall {
  return { beat, since: performance.now(), cpu: process.cpuUsage(), isLogged: false };
}

function blockedFor(now: number): number {
  return Math.round(now - stall.since);
}

/** CPU time of the process since the last beat, nearly all of it on the blocked thread. */
function computedMs(): number {
  const { user, system } = process.cpuUsage(stall.cpu);
  return (user + system) / 1_000;
}

async function logStack(): Promise<void> {
  const blocked = stall;
  const stack = await stackOfMain();
  log.error('The main thread is blocked', {
    blockedMs: Math.round(performance.now() - blocked.since),
    computedMs: Math.round(computedMs()),
    stack: stack ?? 'unknown: it waits for the system, or runs code that is not JavaScript',
  });
}

function end(): void {
  const seconds = Math.round(blockedFor(performance.now()) / 1_000);
  log.error('The main thread stayed blocked; ending the process', { seconds });
  try {
    const why = `HyperAgent was blocked for ${seconds} s and was ended. Start it again: running tasks continue from their last step. The log in ${logsDir} says where it was blocked.\n`;
    writeSync(2, why);
  } catch {
    // Nobody reads stderr.
  }
  process.kill(process.pid, 'SIGKILL');
}

/** The stack of the main thread, innermost frame first; null if it does not answer. */
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
    // Another debugger is attached, or this runtime has none.
    return null;
  } finally {
    // Resumes the thread.
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
