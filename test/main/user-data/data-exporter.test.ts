import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DataExport } from '#contract/user-data.ts';
import { systemClock } from '#main/base/clock.ts';
import { DataExporter } from '#main/user-data/data-exporter.ts';
import { canMount, smallDisk, whyNoDisk } from '../../setup/small-disk.ts';
import { unpack } from '../base/unpack.ts';
import { temporaryDir } from '../storage/support.ts';
import { type Bench, bench } from './support.ts';

const never = new AbortController().signal;

function exporterOf(
  { parts }: Bench,
  chooseFile: ((name: string) => Promise<string | null>) | null = null,
): { exporter: DataExporter; states: DataExport[]; ended: Promise<DataExport> } {
  const states: DataExport[] = [];
  const end = Promise.withResolvers<DataExport>();
  const exporter = new DataExporter({
    ...{ data: parts, clock: systemClock, chooseFile },
    onChange: (state) => {
      states.push(state);
      if (!['waiting', 'running'].includes(state.status)) end.resolve(state);
    },
  });
  return { exporter, states, ended: end.promise };
}

/** A file of a task that takes a while to compress. */
function addLargeFile({ stores }: Bench): void {
  const files = stores.paths.workspace('thr_1');
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, 'large.bin'), Buffer.alloc(64 * 1024 * 1024));
}

it('saves where the user says, and publishes how far it is', async () => {
  using all = bench();
  const dir = temporaryDir();
  const { exporter, states, ended } = exporterOf(all, async (name) => join(dir, name));
  const started = await exporter.start();
  expect(started).toMatchObject({ export: { status: 'running' }, download: null });
  const done = await ended;
  expect(done).toMatchObject({ status: 'completed', doneTasks: 1, tasks: 1, leftOut: 0 });
  expect(readdirSync(dir)).toEqual([done.file?.split('/').at(-1)]);
  expect((await unpack(done.file ?? '')).size).toBe(done.files);
  expect(states[0]?.status).toBe('running');
  expect(exporter.state).toEqual(done);
});

it('asks one question at a time, and starts nothing without a place', async () => {
  using all = bench();
  const answer = Promise.withResolvers<string | null>();
  const { exporter, states } = exporterOf(all, () => answer.promise);
  const first = exporter.start();
  await expect(exporter.start()).rejects.toMatchObject({ code: 'CONFLICT' });
  answer.resolve(null);
  expect(await first).toEqual({ export: null, download: null });
  expect(states).toEqual([]);
});

it('leaves no file behind when it is stopped, or the place cannot be written', async () => {
  using all = bench();
  addLargeFile(all);
  const dir = temporaryDir();
  writeFileSync(join(dir, 'all.zip'), 'what was there');
  const { exporter, ended } = exporterOf(all, async () => join(dir, 'all.zip'));
  await exporter.start();
  await expect.poll(() => readdirSync(dir).length).toBe(2);
  await exporter.cancel();
  expect(await ended).toMatchObject({ status: 'cancelled' });
  expect(readdirSync(dir)).toEqual(['all.zip']);
  const lost = exporterOf(all, async () => join(dir, 'none', 'all.zip'));
  await lost.exporter.start();
  expect(await lost.ended).toMatchObject({
    status: 'failed',
    problem: expect.stringContaining('exists and that you may write'),
  });
});

it.runIf(canMount)(`says that the disk is full, and takes the file back${whyNoDisk}`, async () => {
  using all = bench();
  const files = all.stores.paths.workspace('thr_1');
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, 'random.bin'), randomBytes(2_000_000));
  const disk = smallDisk(512);
  const file = join(disk, 'all.zip');
  const { exporter } = exporterOf(all);
  await expect(exporter.toFile(file, { signal: never })).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringContaining('another disk'),
  });
  expect(readdirSync(disk)).toEqual([]);
});

it('is loaded by a browser once, from a path that only the asking window knows', async () => {
  using all = bench();
  const { exporter, ended } = exporterOf(all);
  const { download } = await exporter.start();
  expect(exporter.takeDownload('/export/')).toBeNull();
  expect(exporter.takeDownload(`${download}x`)).toBeNull();
  const taken = exporter.takeDownload(download ?? '');
  expect(taken?.fileName).toMatch(/^hyperagent-export-[\d-]+\.zip$/);
  expect(exporter.takeDownload(download ?? '')).toBeNull();
  let bytes = 0;
  await taken?.send(async (piece) => {
    bytes += piece.length;
  }, never);
  expect(await ended).toMatchObject({ status: 'completed', bytes, file: null });
});

it('fails for a browser that goes away, so that it keeps no half file', async () => {
  using all = bench();
  addLargeFile(all);
  const { exporter, ended } = exporterOf(all);
  const { download } = await exporter.start();
  const closed = new AbortController();
  const send = exporter.takeDownload(download ?? '')?.send(async () => {
    closed.abort();
  }, closed.signal);
  await expect(send).rejects.toThrow('not whole');
  expect((await ended).status).toBe('failed');
});
