import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { RunStores } from '#main/run/run-record.ts';
import type { RunContext } from '#main/run/types.ts';
import { DiskReserve } from '#main/storage/disk-reserve.ts';
import { canMount, smallDisk, whyNoDisk } from '../../setup/small-disk.ts';
import { thrownBy } from '../storage/support.ts';
import { answered, bench, type TestBench, turn } from './support.ts';

/** Emits until it is stopped. */
async function talk({ emit, signal }: RunContext): Promise<never> {
  for (let i = 0; ; i += 1) {
    signal.throwIfAborted();
    emit({ type: 'token', messageId: `m${i}`, text: 'x'.repeat(20_000) });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const WAITS = { status: 'queued', endedAt: null, error: { code: 'DISK_FULL' } };

async function runUntilFull({ service }: TestBench): Promise<{ runId: string; heard: RunEvent[] }> {
  const { run } = await service.start(turn);
  const heard: RunEvent[] = [];
  service.listen(run.id, (events) => heard.push(...events));
  expect(await service.settled(run.id)).toMatchObject(WAITS);
  return { runId: run.id, heard };
}

/** Stores that accept nothing while `disk.isFull`. */
function throughDisk(disk: { isFull: boolean }): (stores: RunStores) => RunStores {
  const guard = (): void => {
    if (disk.isFull) throw new AppError('DISK_FULL', 'There is no space left.');
  };
  return (stores) => ({
    ...stores,
    transaction: (work) => {
      guard();
      return stores.transaction(work);
    },
    runs: {
      ...stores.runs,
      setStatus: (...given) => {
        guard();
        stores.runs.setStatus(...given);
      },
    },
  });
}

describe.skipIf(!canMount)(`a disk that fills up in the middle of a run${whyNoDisk}`, () => {
  test('makes it wait for space with every published event, and continue when there is some', async () => {
    const dataDir = smallDisk(12 * 1024);
    const photos = join(dataDir, 'photos');
    writeFileSync(photos, Buffer.alloc(6 * 1024 * 1024, 1));
    const reserve = new DiskReserve(join(dataDir, 'reserve'), silentLogger);
    await reserve.take();
    const full = bench(talk, { dataDir, releaseReserve: () => reserve.release() });
    const { runId, heard } = await runUntilFull(full);
    expect(full.service.events(runId, 0, 100_000)).toEqual(heard);
    expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, i) => i + 1));
    expect(full.service.get(runId)).toMatchObject(WAITS);
    full.database.close();
    rmSync(photos);
    const again = bench(async () => answered, { dataDir });
    expect(again.service.recoverInterrupted()).toMatchObject([{ id: runId, ...WAITS }]);
    expect(again.service.resume(runId)).toMatchObject({ status: 'running', error: null });
    expect(await again.service.settled(runId)).toMatchObject({ status: 'completed', error: null });
    const log = again.service.events(runId, 0, 100_000);
    expect([log.slice(0, heard.length), log.at(-1)?.type]).toEqual([heard, 'complete']);
    expect(again.database.connection.pragma('integrity_check')).toBe('ok');
  });
});

describe('a disk that accepts nothing at all', () => {
  test('shows in the run, which is stored, and continues, when there is space', async () => {
    const disk = { isFull: false };
    const counted: number[] = [];
    let lives = 0;
    const full = bench(
      async (context) => {
        lives += 1;
        return lives === 1 ? talk(context) : answered;
      },
      { releaseReserve: () => counted.push(1), throughStores: throughDisk(disk) },
    );
    const { service, notices, stores } = full;
    setTimeout(() => {
      disk.isFull = true;
    }, 60);
    const { runId, heard } = await runUntilFull(full);
    expect(heard).toEqual(stores.events.page(runId, 0, 100_000));
    expect([counted.length, heard.some(({ type }) => type === 'error')]).toEqual([1, false]);
    expect(notices).toContainEqual({
      kind: 'run_changed',
      run: expect.objectContaining({ id: runId, ...WAITS, error: expect.anything() }),
    });
    expect(thrownBy(() => service.resume(runId))).toMatchObject({ code: 'DISK_FULL' });
    disk.isFull = false;
    service.resume(runId);
    expect(await service.settled(runId)).toMatchObject({ status: 'completed' });
    expect(service.events(runId, 0, 100_000).slice(0, heard.length)).toEqual(heard);
  });

  test('loses no answer: the run waits with it', async () => {
    const disk = { isFull: false };
    const { service } = bench(
      async ({ resumed }) => {
        disk.isFull = !resumed;
        return answered;
      },
      { throughStores: throughDisk(disk) },
    );
    const { run } = await service.start(turn);
    expect(await service.settled(run.id)).toMatchObject(WAITS);
    disk.isFull = false;
    service.resume(run.id);
    expect(await service.settled(run.id)).toMatchObject({ status: 'completed' });
    expect(service.events(run.id, 0, 100).map(({ type }) => type)).toEqual(['complete']);
  });

  test('does not resume a run that was stopped meanwhile', async () => {
    const disk = { isFull: false };
    const { service, stores } = bench(talk, { throughStores: throughDisk(disk) });
    setTimeout(() => {
      disk.isFull = true;
    }, 60);
    const { run } = await service.start(turn);
    await service.settled(run.id);
    service.cancel(run.id);
    expect(thrownBy(() => service.resume(run.id))).toMatchObject({ code: 'DISK_FULL' });
    disk.isFull = false;
    await service.start(turn);
    expect(stores.runs.get(run.id)).toMatchObject({ status: 'cancelled' });
  });
});

test.each([
  ['of a file', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  [
    'behind what a sandbox says of it',
    new AppError('SANDBOX_UNAVAILABLE', 'It did not start.', {
      cause: Object.assign(new Error('mkdir'), { code: 'EDQUOT' }),
    }),
  ],
])('a full disk %s makes the run wait for space as well', async (_where, error) => {
  const { service } = bench(async () => {
    throw error;
  });
  const { run } = await service.start(turn);
  expect(await service.settled(run.id)).toMatchObject(WAITS);
});
