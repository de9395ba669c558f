import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Run } from '#contract/entities.ts';
import type { Clock } from '#main/base/clock.ts';
import { type Logger, silentLogger } from '#main/base/logger.ts';
import {
  type OpenDatabase,
  type OpenDatabaseOptions,
  openDatabase,
} from '#main/storage/open-database.ts';
import { writeRuns } from '#main/storage/run-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';

/** A folder that is gone when the test is over. */
export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hyperagent-storage-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Time that the test moves. */
export class HandClock implements Clock {
  time = Date.UTC(2026, 0, 1);
  now(): number {
    return this.time;
  }
  monotonic(): number {
    return this.time;
  }
}

export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function recordingLogger(): Logger & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const at =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      lines.push({ level, message, fields });
    };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Opens a database and closes it with the test. */
export function open(dataDir: string, changes: Partial<OpenDatabaseOptions> = {}): OpenDatabase {
  const database = openDatabase({
    dataDir,
    logger: silentLogger,
    clock: new HandClock(),
    entryPoint: 'terminal',
    ...changes,
  });
  onTestFinished(() => database.close());
  return database;
}

export const someOptions: Run['options'] = {
  mode: 'task',
  model: { provider: 'ollama', name: 'small' },
  sandbox: 'auto',
  network: 'offline',
  allowHosts: [],
  executionMode: 'standard',
  approve: 'ask',
  timeoutSeconds: null,
};

/** A task with a run in it, so that events have where to belong. */
export function insertRun({ connection }: OpenDatabase, runId = 'run_1', threadId = 'thr_1'): void {
  // Also in databases of earlier versions.
  if (connection.sql('SELECT id FROM threads WHERE id = ?').get(threadId) === undefined) {
    writeThreads(connection).insert({ id: threadId, title: 'A task', createdAt: 1 });
  }
  writeRuns(connection).insert({
    id: runId,
    threadId,
    status: 'running',
    prompt: 'Do it',
    options: someOptions,
    createdAt: 1,
    startedAt: 1,
    endedAt: null,
    error: null,
    origin: null,
  });
}

/** What a call throws. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}
