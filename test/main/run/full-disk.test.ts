import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { RunContext } from '#main/run/types.ts';
import { DiskReserve } from '#main/storage/disk-reserve.ts';
import { temporaryDir } from '../storage/support.ts';
import { answered, bench, type TestBench, turn } from './support.ts';

/** Talks until it is stopped. */
async function talk({ emit, signal }: RunContext): Promise<never> {
  for (let i = 0; ; i += 1) {
    signal.throwIfAborted();
    emit({ type: 'token', messageId: `m${i}`, text: 'x'.repeat(20_000) });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function runUntilFull({ service }: TestBench): Promise<{ runId: string; heard: RunEvent[] }> {
  const { run } = await service.start(turn);
  const heard: RunEvent[] = [];
  service.subscribe(run.id, 0, (events) => heard.push(...events));
  const ended = await service.settled(run.id);
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'DISK_FULL' } });
  return { runId: run.id, heard };
}

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
const why = canMount ? '' : ' (skipped: only root on Linux can mount a small disk)';

describe.skipIf(!canMount)(`a disk that fills up in the middle of a run${why}`, () => {
  test('ends the run with DISK_FULL in its log, and every event that was told is kept', async () => {
    const dataDir = temporaryDir();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dataDir]);
    onTestFinished(() => {
      execFileSync('umount', ['-l', dataDir]);
    });
    const photos = join(dataDir, 'photos');
    writeFileSync(photos, Buffer.alloc(1024 * 1024, 1));
    const reserve = new DiskReserve(join(dataDir, 'reserve'), silentLogger);
    await reserve.take();
    const full = bench(talk, { dataDir, releaseReserve: () => reserve.release() });
    const { runId, heard } = await runUntilFull(full);
    expect(full.service.events(runId, 0, 100_000)).toEqual(heard);
    expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, i) => i + 1));
    expect(heard.at(-1)).toMatchObject({ type: 'error', code: 'DISK_FULL' });
    expect(full.service.get(runId).status).toBe('failed');
    full.database.close();
    rmSync(photos);
    const again = bench(async () => answered, { dataDir });
    expect(again.service.recoverInterrupted()).toEqual([]);
    expect(again.database.connection.pragma('integrity_check')).toBe('ok');
  });
});

test('where not even the end can be stored, the run ends for all who look, and is stored later', async () => {
  let isFull = false;
  let released = 0;
  const full = bench(talk, {
    releaseReserve: () => {
      released += 1;
    },
    throughStores: (stores) => ({
      ...stores,
      events: {
        ...stores.events,
        append: (events) => {
          if (isFull) throw new AppError('DISK_FULL', 'There is no space left.');
          stores.events.append(events);
        },
      },
    }),
  });
  const { service, notices, stores } = full;
  setTimeout(() => {
    isFull = true;
  }, 60);
  const { runId, heard } = await runUntilFull(full);
  const end = heard.at(-1);
  const stored = stores.events.page(runId, 0, 100_000);
  expect(end).toMatchObject({ type: 'error', code: 'DISK_FULL', seq: stored.length + 1 });
  expect(heard).toEqual([...stored, end]);
  expect(released).toBe(1);
  expect(notices).toContainEqual({
    kind: 'run_changed',
    run: expect.objectContaining({ id: runId, status: 'failed' }),
  });
  isFull = false;
  await service.start(turn);
  const { status, lastSeq, error } = service.get(runId);
  expect([status, error?.code, lastSeq]).toEqual(['failed', 'DISK_FULL', end?.seq]);
  // Stored as it was told, and not told again.
  expect(service.events(runId, 0, 100_000)).toEqual(heard);
});
