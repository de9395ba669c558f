import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ARTIFACT_PAGE_SIZE } from '#contract/artifacts.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { type ArtifactFilter, openArtifacts } from '#main/storage/artifact-store.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { openDatabase } from '#main/storage/open-database.ts';

/**
 * What the list of all artifacts costs, with 10,000 of them in 1,000 tasks and 100 other events around each:
 *
 *   npm run bench artifacts [-- ARTIFACTS]
 *
 * The floor of a query in the same run is SQLite alone: the newest page of ids. The floor of storing events is
 * the same batches without the trigger.
 */

const ARTIFACTS = Number(process.argv[2] ?? 10_000);
const PER_TASK = 10;
const OTHERS = 100;
const REPEATS = 25;
const ENDINGS = ['png', 'csv', 'py', 'md', 'pdf', 'pptx', 'docx', 'json', 'svg', 'bin'];

const folder = mkdtempSync(path.join(os.tmpdir(), 'hyperagent-bench-artifacts-'));
const { connection, close } = openDatabase({
  ...{ dataDir: folder, logger: silentLogger, clock: systemClock, entryPoint: 'terminal' },
});
const events = writeEvents(connection);
const store = openArtifacts(connection);

function fill(task: number): void {
  const [threadId, runId] = [`thr_${task}`, `run_${task}`];
  connection
    .sql(
      'INSERT INTO threads (id, title, title_folded, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
    )
    .run(threadId, `Task ${task}`, `task ${task}`, task, task);
  connection
    .sql(
      `INSERT INTO runs (id, thread_id, status, prompt, options, created_at, ended_at)
       VALUES (?, ?, 'completed', 'Go', '{}', ?, ?)`,
    )
    .run(runId, threadId, task, task);
  let seq = 0;
  const batch: RunEvent[] = [];
  for (let file = 0; file < PER_TASK; file += 1) {
    for (let other = 0; other < OTHERS; other += 1) {
      seq += 1;
      const text = 'Some words of an answer, as models stream them. '.repeat(4);
      batch.push({ runId, seq, at: task, type: 'token', messageId: 'm', text });
    }
    seq += 1;
    const ending = ENDINGS[file % ENDINGS.length];
    batch.push({
      ...{ runId, seq, at: task, type: 'workspace_update', operation: 'create' },
      ...{ path: `results/${task}/summary-${file}.${ending}`, size: 1000, origin: 'call' },
    });
  }
  events.append(batch);
}

const millis = (value: number): string => `${value.toFixed(1)} ms`;
const share = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;

function times(work: () => unknown): readonly number[] {
  return Array.from({ length: REPEATS }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
}

function report(what: string, work: () => unknown): void {
  const all = times(work);
  process.stdout.write(
    `${what.padEnd(52)} ${millis(share(all, 0.5)).padStart(10)} ${millis(share(all, 1)).padStart(10)}\n`,
  );
}

for (let task = 0; task < ARTIFACTS / PER_TASK; task += 1) fill(task);
const count = (table: string): number =>
  connection.sql<{ n: number }>(`SELECT count(*) n FROM ${table}`).get()?.n ?? 0;
process.stdout.write(
  `${count('artifacts')} artifacts, ${count('events')} events\n${''.padEnd(52)}     median    longest\n`,
);

const floor = connection.sql('SELECT id FROM artifacts ORDER BY id DESC LIMIT ?');
report('floor: the newest page of ids', () => floor.all(ARTIFACT_PAGE_SIZE));
const QUERIES: Readonly<Record<string, Omit<ArtifactFilter, 'limit'>>> = {
  'the newest page': {},
  'the page in the middle': { beforeId: ARTIFACTS / 2 },
  'of one kind': { kind: 'slides' },
  'of one kind, with words': { kind: 'image', words: `results/${ARTIFACTS / 20} summary` },
  'of words that are in one path': { words: '/7/summary-3' },
  'of words that are in none': { words: 'übersicht' },
  'of one task': { threadId: 'thr_7' },
};
for (const [name, filter] of Object.entries(QUERIES)) {
  report(name, () => store.list({ ...filter, limit: ARTIFACT_PAGE_SIZE }));
}
const log = connection.sql(
  "SELECT body ->> 'path' FROM events WHERE type = 'workspace_update' ORDER BY at DESC LIMIT ?",
);
report('instead, from the log: the newest page of paths', () => log.all(ARTIFACT_PAGE_SIZE));

let next = ARTIFACTS;
const store1000 = (): void => {
  connection.exec('BEGIN');
  fill(next);
  connection.exec('ROLLBACK');
  next += 1;
};
report(`storing ${PER_TASK * (OTHERS + 1)} events, ${PER_TASK} of them files`, store1000);
connection.exec('DROP TRIGGER new_files_are_artifacts');
report('floor: the same without the trigger', store1000);
close();
rmSync(folder, { recursive: true, force: true });
