import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '#main/base/canonical-json.ts';
import { BlobStore } from '#main/sandbox/snapshots/blob-store.ts';
import { captureTree } from '#main/sandbox/snapshots/capture-tree.ts';
import { unpackManifest } from '#main/sandbox/snapshots/manifest.ts';
import { writeRuns } from '#main/storage/run-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';
import { recordingLogger } from '../../storage/support.ts';
import { bench, makePipe } from './support.ts';

const MEGABYTE = 1024 * 1024;
const isRoot = process.getuid?.() === 0;

/** Counts files read from now on. */
function countReads(): { count: number } {
  const reads = { count: 0 };
  const { lease } = BlobStore.prototype;
  vi.spyOn(BlobStore.prototype, 'lease').mockImplementation(function (this: BlobStore) {
    const one = lease.call(this);
    const put: typeof one.put = (source) => {
      reads.count += 1;
      return one.put(source);
    };
    return { ...one, put };
  });
  return reads;
}

describe('what a snapshot holds', () => {
  test('files, folders, permissions and links; each content once, and no second snapshot of an unchanged workspace', async () => {
    const { dir, take, blobs, snapshots } = bench();
    mkdirSync(join(dir, 'a/empty'), { recursive: true });
    writeFileSync(join(dir, 'a/one.txt'), 'same');
    writeFileSync(join(dir, 'two.sh'), 'same', { mode: 0o755 });
    symlinkSync('/usr/bin/python3', join(dir, 'python'));
    const first = await take();
    expect(first).toEqual({
      ...{ id: expect.stringMatching(/^snap_/), threadId: 'thr_1', runId: 'run_1', seq: 1 },
      ...{ at: expect.any(Number), cause: 'step', files: 2, bytes: 8 },
      ...{ created: 3, modified: 0, deleted: 0, leftOut: [], leftOutCount: 0 },
    });
    expect(blobs()).toHaveLength(1);
    expect(await take()).toEqual(first);
    writeFileSync(join(dir, 'a/one.txt'), 'other');
    unlinkSync(join(dir, 'python'));
    expect(await take()).toMatchObject({ seq: 3, created: 0, modified: 1, deleted: 1 });
    expect(snapshots.list('thr_1').map(({ seq }) => seq)).toEqual([3, 1]);
    expect(blobs()).toHaveLength(2);
  });

  test('a change that keeps size and time of a file is seen', async () => {
    const { dir, take } = bench();
    const file = join(dir, 'f');
    writeFileSync(file, 'aaaa');
    const then = new Date(1_000_000);
    utimesSync(file, then, then);
    // Old enough for its hash to be remembered.
    await new Promise((resolve) => setTimeout(resolve, 80));
    await take();
    writeFileSync(file, 'bbbb');
    utimesSync(file, then, then);
    expect(await take()).toMatchObject({ modified: 1 });
  });

  test('an unchanged file is not read again', async () => {
    const reads = countReads();
    const { dir, take, snapshots } = bench();
    writeFileSync(join(dir, 'f'), 'x');
    await new Promise((resolve) => setTimeout(resolve, 80));
    await take();
    expect(reads.count).toBe(1);
    await take();
    expect(reads.count).toBe(1);
    expect(snapshots.list('thr_1')).toHaveLength(1);
  });

  test('an interrupted one is continued, not started over', async () => {
    const reads = countReads();
    const { dir, snapshots, take, blobs } = bench();
    for (let i = 0; i < 200; i += 1) writeFileSync(join(dir, `f${i}`), `content ${i}`);
    await new Promise((resolve) => setTimeout(resolve, 80));
    const stop = new AbortController();
    const taking = snapshots.take({
      ...{ threadId: 'thr_1', step: null, cause: 'step', persist: (work) => work() },
      signal: stop.signal,
    });
    await expect.poll(() => blobs().length, { interval: 1 }).toBeGreaterThan(10);
    stop.abort();
    await expect(taking).rejects.toMatchObject({ name: 'AbortError' });
    const done = blobs().length;
    expect([done < 200, snapshots.list('thr_1')]).toEqual([true, []]);
    reads.count = 0;
    expect(await take()).toMatchObject({ files: 200 });
    expect(blobs()).toHaveLength(200);
    // Those that were being read when it was interrupted may be read twice.
    expect(reads.count).toBeLessThanOrEqual(200 - done + 8);
  });

  test('over the limit the largest files are left out, and folders of tools first, by name', async () => {
    const { dir, take, settings } = bench();
    settings.snapshotLimitMb = 1;
    mkdirSync(join(dir, 'node_modules/p'), { recursive: true });
    writeFileSync(join(dir, 'node_modules/p/small.js'), 'x'.repeat(1000));
    writeFileSync(join(dir, 'node_modules/p/index.js'), 'x'.repeat(0.4 * MEGABYTE));
    writeFileSync(join(dir, 'big.bin'), randomBytes(0.8 * MEGABYTE));
    writeFileSync(join(dir, 'middle.bin'), randomBytes(0.7 * MEGABYTE));
    const { leftOut, files, bytes } = await take();
    expect(leftOut).toEqual([
      { path: 'big.bin', reason: 'over_limit', bytes: Math.floor(0.8 * MEGABYTE) },
      {
        path: 'node_modules',
        reason: 'over_limit',
        bytes: 1000 + Math.floor(0.4 * MEGABYTE),
      },
    ]);
    expect([files, bytes]).toEqual([1, Math.floor(0.7 * MEGABYTE)]);
  });

  test('folders with too many entries are left out completely, those of tools first', async () => {
    const { dir, paths } = bench();
    for (const folder of ['a', 'node_modules', 'z']) {
      mkdirSync(join(dir, folder));
      for (const name of ['1', '2', '3']) writeFileSync(join(dir, folder, name), name);
    }
    const { manifest } = await captureTree(dir, {
      ...{ lease: new BlobStore(paths.snapshots).lease(), cache: new Map() },
      ...{ limitBytes: null, maxEntries: 10, signal: new AbortController().signal },
    });
    expect(manifest.entries.map(({ path }) => path)).toEqual([
      ...['a', 'a/1', 'a/2', 'a/3'],
      ...['z', 'z/1', 'z/2', 'z/3'],
    ]);
    expect(manifest.leftOut).toEqual([{ path: 'node_modules', reason: 'too_many', bytes: 0 }]);
  });

  test('pipes are listed but not opened, unreadable files are listed', async () => {
    const { dir, take } = bench();
    makePipe(join(dir, 'pipe'));
    mkdirSync(join(dir, 'locked/in'), { recursive: true });
    writeFileSync(join(dir, 'secret'), 'x', { mode: 0 });
    chmodSync(join(dir, 'locked'), 0);
    onTestFinished(() => chmodSync(join(dir, 'locked'), 0o755));
    const { leftOut } = await take();
    // Root reads everything.
    const locked = [
      { path: 'locked', reason: 'unreadable', bytes: 0 },
      { path: 'pipe', reason: 'special', bytes: 0 },
      { path: 'secret', reason: 'unreadable', bytes: 1 },
    ];
    expect(leftOut).toEqual(isRoot ? locked.slice(1, 2) : locked);
  });

  test('a file that changes while it is read is consistent or listed, whatever a program does', async () => {
    const { dir, take, store, snapshots } = bench();
    // Each state is one letter over and over.
    writeFileSync(join(dir, 'f'), '0');
    const program = `
      const { writeFileSync, writeSync } = require('node:fs');
      writeSync(1, 'go');
      for (let i = 0; ; i += 1) writeFileSync(process.argv[1], String(i % 10).repeat(200000));`;
    const child = spawn(process.execPath, ['-e', program, join(dir, 'f')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    for (let i = 0; i < 30; i += 1) {
      const { id, leftOut } = await take();
      const [entry] = unpackManifest(store.manifest(id)).entries;
      if (entry === undefined) expect(leftOut.map(({ reason }) => reason)).toEqual(['changing']);
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    const blobs = snapshots
      .list('thr_1')
      .flatMap(({ id }) =>
        unpackManifest(store.manifest(id)).entries.map((entry) =>
          'sha256' in entry ? entry : null,
        ),
      );
    for (const blob of blobs) {
      if (blob === null || blob.size === 0) continue;
      const pieces: Buffer[] = [];
      const blobStore = new BlobStore(join(dir, '../../snapshots'));
      for await (const piece of blobStore.read(blob.sha256)) pieces.push(piece);
      expect(new Set(Buffer.concat(pieces).toString()).size).toBe(1);
    }
  });

  test('nothing outside is read, whatever a program swaps: a folder for a link, over and over', async () => {
    const { dir, take, store, dataDir } = bench();
    mkdirSync(join(dataDir, 'outside'));
    writeFileSync(join(dataDir, 'outside/f'), 'secret');
    mkdirSync(join(dir, 'd'));
    writeFileSync(join(dir, 'd/f'), 'mine!!');
    const program = `
      const { renameSync, symlinkSync, unlinkSync, writeFileSync, writeSync } = require('node:fs');
      process.chdir(process.argv[1]);
      writeSync(1, 'go');
      for (;;) {
        renameSync('d', 'away');
        writeFileSync('away/f', 'mine!!');
        symlinkSync('../../outside', 'd');
        unlinkSync('d');
        renameSync('away', 'd');
      }`;
    const child = spawn(process.execPath, ['-e', program, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const contents = new Set<string>();
    // On a busy computer the program may always win the race for a while: wait until something is seen.
    for (let i = 0; i < 200 || contents.size === 0; i += 1) {
      const { id } = await take();
      for (const entry of unpackManifest(store.manifest(id)).entries) {
        if (entry.kind === 'file' && entry.size > 0) contents.add(entry.sha256);
      }
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([...contents]).toEqual([sha256('mine!!')]);
  });
});

describe('cleaning up', () => {
  test('expired snapshots are removed with their contents, except those that a run needs to resume', async () => {
    const { dir, take, snapshots, clock, database, blobs } = bench();
    writeFileSync(join(dir, 'f'), 'old');
    await take();
    writeFileSync(join(dir, 'f'), 'newer');
    await take();
    clock.time += 25 * 3_600_000;
    await snapshots.reconcile();
    expect(snapshots.list('thr_1').map(({ seq }) => seq)).toEqual([2]);
    expect(blobs()).toHaveLength(1);
    writeRuns(database.connection).end('run_1', { status: 'completed', endedAt: 1, error: null });
    await snapshots.reconcile();
    expect([snapshots.list('thr_1'), blobs()]).toEqual([[], []]);
    // Removed blobs are not assumed to exist.
    await take();
    expect(blobs()).toHaveLength(1);
  });

  test('a task takes its snapshots with it; 0 hours removes all', async () => {
    const { dir, take, snapshots, database, blobs, settings } = bench();
    writeFileSync(join(dir, 'f'), 'x');
    await take();
    settings.snapshotHours = 0;
    expect(snapshots.isOn).toBe(false);
    await snapshots.reconcile();
    expect([snapshots.list('thr_1'), blobs()]).toEqual([[], []]);
    settings.snapshotHours = 24;
    await take();
    writeThreads(database.connection).delete('thr_1');
    snapshots.forget('thr_1');
    await snapshots.reconcile();
    expect(blobs()).toEqual([]);
  });

  test('contents that no row names and half-written ones are removed; a snapshot in progress stays', async () => {
    const { dir, snapshots, paths, blobs } = bench();
    mkdirSync(join(paths.snapshots, 'aside'), { recursive: true });
    writeFileSync(join(paths.snapshots, 'aside/half'), 'half');
    mkdirSync(join(paths.snapshots, 'blobs/ab'), { recursive: true });
    writeFileSync(join(paths.snapshots, `blobs/ab/ab${'0'.repeat(62)}`), 'orphan');
    writeFileSync(join(dir, 'f'), 'x');
    const rows: (() => void)[] = [];
    await snapshots.take({
      ...{ threadId: 'thr_1', step: null, cause: 'step' },
      persist: (work) => rows.push(work),
      signal: new AbortController().signal,
    });
    await snapshots.reconcile();
    expect(readdirSync(join(paths.snapshots, 'aside'))).toEqual([]);
    expect(blobs()).toHaveLength(1);
    for (const work of rows) work();
    await snapshots.reconcile();
    expect(blobs()).toHaveLength(1);
  });

  test('a row that is added during a sweep keeps its contents', async () => {
    const { dir, snapshots, blobs, again, store } = bench();
    writeFileSync(join(dir, 'f'), 'x');
    let row: (() => void) | null = null;
    await snapshots.take({
      ...{ threadId: 'thr_1', step: null, cause: 'step' },
      persist: (work) => {
        row = work;
      },
      signal: new AbortController().signal,
    });
    const sweep = snapshots.reconcile();
    // The ids were read by then, and the lease ends before files are looked at.
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    (row as unknown as () => void)();
    await sweep;
    expect([store.ids().length, blobs().length]).toEqual([1, 1]);
    await again().reconcile();
    expect(blobs()).toHaveLength(1);
  });

  test('an unreadable manifest stops the sweep instead of orphaning its contents', async () => {
    const logger = recordingLogger();
    const { dir, take, snapshots, database, blobs } = bench({ logger });
    writeFileSync(join(dir, 'f'), 'x');
    await take();
    database.connection.sql("UPDATE snapshots SET manifest = x'00'").run();
    await expect(snapshots.reconcile()).rejects.toThrow();
    expect(blobs()).toHaveLength(1);
  });
});

test('blobs are for their owner only', async () => {
  const { dir, take, paths } = bench();
  writeFileSync(join(dir, 'f'), 'x');
  await take();
  const [bucket = ''] = readdirSync(join(paths.snapshots, 'blobs'));
  const [name = ''] = readdirSync(join(paths.snapshots, 'blobs', bucket));
  const modes = ['blobs', `blobs/${bucket}`, `blobs/${bucket}/${name}`].map((path) =>
    (statSync(join(paths.snapshots, path)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['700', '700', '600']);
});
