import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { RunFeed } from '#main/run/run-feed.ts';
import { RunLog } from '#main/run/run-log.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { writeRuns } from '#main/storage/run-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';

/**
 * What the event log costs: from `emit` to a listener, with every event on disk before it is told.
 *
 *   npm run bench event-log
 *
 * The floor of the same run writes the same events as lines of JSON to a file and syncs it as often.
 */

const BURST = 100_000;
const STEADY_PER_SECOND = 2_000;
const STEADY_SECONDS = 3;
const BATCH = 500;
const folder = mkdtempSync(path.join(os.tmpdir(), 'hyperagent-bench-log-'));
const dataDir = path.join(folder, 'data');

function open() {
  return openDatabase({
    dataDir,
    logger: silentLogger,
    clock: systemClock,
    entryPoint: 'terminal',
  });
}

function timed<T>(work: () => T): { ms: number; value: T } {
  const began = performance.now();
  const value = work();
  return { ms: performance.now() - began, value };
}

const report = (what: string, figure: string): void => {
  process.stdout.write(`${what.padEnd(52)} ${figure}\n`);
};
const perSecond = (count: number, ms: number): string =>
  `${Math.round(count / (ms / 1000)).toLocaleString('en')}/s`;
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Cannot be joined: each piece belongs to a message of its own. */
const single = (i: number): RunEventDraft => ({
  type: 'token',
  messageId: `message_${i}`,
  text: `piece ${i} of an answer, about as long as models make them`,
});
/** Is joined with its neighbours. */
const piece = (i: number): RunEventDraft => ({
  type: 'token',
  messageId: 'message',
  text: `piece ${i} `,
});

function floor(): number {
  const handle = openSync(path.join(folder, 'floor.jsonl'), 'a');
  const { ms } = timed(() => {
    for (let i = 0; i < BURST; i += BATCH) {
      const lines: string[] = [];
      for (let j = i; j < i + BATCH; j += 1) {
        lines.push(JSON.stringify({ ...single(j), runId: 'run_1', seq: j + 1, at: Date.now() }));
      }
      writeSync(handle, `${lines.join('\n')}\n`);
      fsyncSync(handle);
    }
  });
  closeSync(handle);
  return ms;
}

/** Emits at a steady rate, as a model streams; how late listeners hear, and how much of the time it takes. */
async function steady(log: RunLog, heard: Map<number, number>): Promise<void> {
  const sent: number[] = [];
  const total = STEADY_PER_SECOND * STEADY_SECONDS;
  const first = log.lastSeq + 1;
  const began = performance.now();
  const load = performance.eventLoopUtilization();
  while (sent.length < total) {
    const due = Math.min(
      total,
      Math.floor(((performance.now() - began) / 1000) * STEADY_PER_SECOND),
    );
    while (sent.length < due) {
      sent.push(performance.now());
      log.emit(single(BURST + sent.length));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { utilization } = performance.eventLoopUtilization(load);
  const lags = sent
    .map((time, i) => (heard.get(first + i) ?? Number.NaN) - time)
    .sort((a, b) => a - b);
  report(
    `${STEADY_PER_SECOND.toLocaleString('en')} events/s for ${STEADY_SECONDS} s, emit to listener`,
    `median ${at(lags, 0.5).toFixed(1)} ms, p99 ${at(lags, 0.99).toFixed(1)} ms, event loop busy ${(utilization * 100).toFixed(1)} %`,
  );
}

try {
  const fresh = timed(open);
  fresh.value.close();
  const again = timed(open);
  report('open a fresh data folder (lock, WAL, schema)', `${fresh.ms.toFixed(1)} ms`);
  report('open it again', `${again.ms.toFixed(1)} ms`);

  const database = again.value;
  const { connection } = database;
  writeThreads(connection).insert({ id: 'thr_1', title: 'Bench', createdAt: 1 });
  writeRuns(connection).insert({
    id: 'run_1',
    threadId: 'thr_1',
    status: 'running',
    prompt: 'bench',
    options: {
      mode: 'task',
      model: { provider: 'demo', name: 'demo' },
      sandbox: 'auto',
      network: 'offline',
      allowHosts: [],
      executionMode: 'standard',
      approve: 'never',
      timeoutSeconds: null,
    },
    createdAt: 1,
    startedAt: 1,
    endedAt: null,
    error: null,
    origin: null,
  });
  const events = writeEvents(connection);
  const feed = new RunFeed(silentLogger);
  const heard = new Map<number, number>();
  feed.listen('run_1', (batch: readonly RunEvent[]) => {
    const now = performance.now();
    for (const { seq } of batch) heard.set(seq, now);
  });
  const log = new RunLog({
    runId: 'run_1',
    lastSeq: 0,
    clock: systemClock,
    store: (batch) => events.append(batch),
    publish: (batch) => feed.publish('run_1', batch),
    onFailure: (error) => {
      throw error;
    },
  });

  const floorMs = floor();
  const burst = timed(() => {
    for (let i = 0; i < BURST; i += 1) log.emit(single(i));
    log.flush();
  });
  report(
    `${BURST.toLocaleString('en')} events at once, each stored and told`,
    `${perSecond(BURST, burst.ms)}   (floor ${perSecond(BURST, floorMs)}: ${(burst.ms / floorMs).toFixed(1)} x)`,
  );
  const before = log.lastSeq;
  const joined = timed(() => {
    for (let i = 0; i < BURST * 10; i += 1) log.emit(piece(i));
    log.flush();
  });
  report(
    `${(BURST * 10).toLocaleString('en')} pieces of one answer at once`,
    `${perSecond(BURST * 10, joined.ms)}, as ${log.lastSeq - before} events`,
  );
  await steady(log, heard);

  const replay = timed(() => events.page('run_1', 0, 10_000));
  report('10,000 events read back', `${replay.ms.toFixed(1)} ms`);
  database.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
