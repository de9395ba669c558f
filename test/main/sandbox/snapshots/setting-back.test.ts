import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeRuns } from '#main/storage/run-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';
import { bench, filesBelow, look } from './support.ts';

const MEGABYTE = 1024 * 1024;
const isRoot = process.getuid?.() === 0;

describe('setting back', () => {
  test('the files are exactly those of the snapshot, and the restore can be undone', async () => {
    const { dir, take, snapshots, quieted } = bench();
    mkdirSync(join(dir, 'src/deep'), { recursive: true });
    writeFileSync(join(dir, 'src/deep/a.py'), 'print(1)');
    writeFileSync(join(dir, 'run.sh'), '#!', { mode: 0o755 });
    symlinkSync('../../outside', join(dir, 'src/out'));
    mkdirSync(join(dir, 'read-only'));
    writeFileSync(join(dir, 'read-only/f'), 'x', { mode: 0o400 });
    chmodSync(join(dir, 'read-only'), 0o555);
    onTestFinished(() => chmodSync(join(dir, 'read-only'), 0o755));
    const then = look(dir);
    const first = await take();
    // Everything has another kind now.
    chmodSync(join(dir, 'read-only'), 0o755);
    rmSync(join(dir, 'read-only'), { recursive: true });
    writeFileSync(join(dir, 'read-only'), 'now a file');
    rmSync(join(dir, 'src'), { recursive: true });
    symlinkSync('..', join(dir, 'src'));
    chmodSync(join(dir, 'run.sh'), 0o600);
    mkdirSync(join(dir, 'new/er'), { recursive: true });
    writeFileSync(join(dir, 'new/er/f'), 'n');
    chmodSync(join(dir, 'new/er'), 0o555);
    const now = look(dir);
    // Old enough to be known by their state: unchanged files are not written again.
    await new Promise((resolve) => setTimeout(resolve, 80));
    const restored = await snapshots.restore('thr_1', first.id);
    expect(look(dir)).toEqual(then);
    expect(quieted).toEqual(['thr_1']);
    expect(restored).toMatchObject({
      before: { cause: 'before_restore', runId: null, seq: null },
      now: { cause: 'restore', files: 3 },
      kept: [],
    });
    chmodSync(join(dir, 'read-only'), 0o755);
    await snapshots.restore('thr_1', restored.before.id);
    expect(look(dir)).toEqual(now);
    chmodSync(join(dir, 'new/er'), 0o755);
  });

  test('what no snapshot holds is not lost: it stays, or is renamed', async () => {
    const { dir, take, snapshots, settings } = bench();
    settings.snapshotLimitMb = 1;
    writeFileSync(join(dir, 'data.bin'), 'small');
    mkdirSync(join(dir, 'folder'));
    writeFileSync(join(dir, 'was-file'), 'w');
    const first = await take();
    writeFileSync(join(dir, 'data.bin'), 'L'.repeat(2 * MEGABYTE));
    rmSync(join(dir, 'folder'), { recursive: true });
    mkdirSync(join(dir, 'more/deep'), { recursive: true });
    writeFileSync(join(dir, 'more/deep/large'), 'M'.repeat(2 * MEGABYTE));
    writeFileSync(join(dir, 'more/small'), 'gone');
    unlinkSync(join(dir, 'was-file'));
    mkdirSync(join(dir, 'was-file'));
    writeFileSync(join(dir, 'was-file/large'), 'N'.repeat(2 * MEGABYTE));
    const { kept } = await snapshots.restore('thr_1', first.id);
    expect(kept.sort()).toEqual([
      'data.kept.bin',
      'more/deep/large',
      'was-file.kept',
      'was-file/large',
    ]);
    expect(filesBelow(dir)).toEqual(['data.bin', 'data.kept.bin', 'large', 'large', 'was-file']);
    expect(readFileSync(join(dir, 'data.bin'), 'utf8')).toBe('small');
    expect(statSync(join(dir, 'data.kept.bin')).size).toBe(2 * MEGABYTE);
    expect(readFileSync(join(dir, 'was-file'), 'utf8')).toBe('w');
    // A second restore changes nothing.
    const again = await snapshots.restore('thr_1', first.id);
    expect(again.kept.sort()).toEqual(['data.kept.bin', 'more/deep/large', 'was-file.kept/large']);
  });

  test('a folder that a snapshot could not read is not treated as empty', async () => {
    const { dir, take, snapshots } = bench();
    mkdirSync(join(dir, 'locked'));
    writeFileSync(join(dir, 'locked/f'), 'x');
    if (isRoot) return;
    chmodSync(join(dir, 'locked'), 0);
    const first = await take();
    writeFileSync(join(dir, 'g'), 'x');
    expect((await snapshots.restore('thr_1', first.id)).kept).toEqual(['locked']);
    chmodSync(join(dir, 'locked'), 0o755);
    expect(Object.keys(look(dir))).toEqual(['locked', 'locked/f']);
  });

  test.each([
    ['is missing', (at: string) => unlinkSync(at)],
    ['was cut off', (at: string) => truncateSync(at, 100)],
    ['was changed', (at: string) => writeFileSync(at, 'x'.repeat(1000))],
  ])('a content that %s is noticed before anything is touched', async (_what, damage) => {
    const { dir, take, snapshots, paths } = bench();
    writeFileSync(join(dir, 'a'), 'text '.repeat(1000));
    writeFileSync(join(dir, 'b'), randomBytes(1000));
    const first = await take();
    writeFileSync(join(dir, 'a'), 'now');
    writeFileSync(join(dir, 'b'), 'now');
    const now = look(dir);
    const blobs = join(paths.snapshots, 'blobs');
    for (const bucket of readdirSync(blobs)) {
      for (const name of readdirSync(join(blobs, bucket))) damage(join(blobs, bucket, name));
    }
    await expect(snapshots.restore('thr_1', first.id)).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
    });
    expect(look(dir)).toEqual(now);
  });

  test('a snapshot of another task is not found', async () => {
    const { dir, take, snapshots, database } = bench();
    writeFileSync(join(dir, 'a'), 'x');
    const { id } = await take();
    writeThreads(database.connection).insert({ id: 'thr_2', title: 'Other', createdAt: 1 });
    await expect(snapshots.restore('thr_2', id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a large file comes back, packed or not', async () => {
    const { dir, take, snapshots, paths } = bench();
    writeFileSync(join(dir, 'text'), 'abc\n'.repeat(MEGABYTE));
    writeFileSync(join(dir, 'random'), randomBytes(3 * MEGABYTE));
    const random = readFileSync(join(dir, 'random'));
    const first = await take();
    rmSync(join(dir, 'text'));
    rmSync(join(dir, 'random'));
    await snapshots.restore('thr_1', first.id);
    expect(readFileSync(join(dir, 'text'), 'utf8')).toBe('abc\n'.repeat(MEGABYTE));
    expect(readFileSync(join(dir, 'random')).equals(random)).toBe(true);
    const blobs = join(paths.snapshots, 'blobs');
    const sizes = readdirSync(blobs, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(blobs, name)))
      .filter((info) => info.isFile())
      .map(({ size }) => size);
    expect(Math.min(...sizes)).toBeLessThan(100_000);
    expect(Math.max(...sizes)).toBe(3 * MEGABYTE + 1);
  });
});

describe('at other times and places', () => {
  test('a workspace that is gone or empty gets its newest files; one with files keeps them', async () => {
    const { dir, take, again } = bench();
    writeFileSync(join(dir, 'a'), 'x');
    await take();
    expect(await again().recover('thr_1')).toBeNull();
    rmSync(dir, { recursive: true });
    expect(await again().recover('thr_1')).toMatchObject({ files: 1 });
    expect(look(dir)).toEqual({ a: expect.stringMatching(/^6\d\d x$/) });
    rmSync(join(dir, 'a'));
    await again().recover('thr_1');
    expect(existsSync(join(dir, 'a'))).toBe(true);
    expect(await again().recover('thr_none')).toBeNull();
  });

  test('a task that was emptied on purpose stays empty', async () => {
    const { dir, take, again } = bench();
    writeFileSync(join(dir, 'a'), 'x');
    await take();
    rmSync(join(dir, 'a'));
    await take();
    expect(await again().recover('thr_1')).toBeNull();
  });

  test('the files at an event: of the newest step at or before it, and of before the run', async () => {
    const { dir, database, snapshots, clock, paths } = bench();
    const take = (runId: string, seq: number) =>
      snapshots.take({
        ...{ threadId: 'thr_1', step: { runId, seq }, cause: 'step', persist: (work) => work() },
        signal: new AbortController().signal,
      });
    const state = (text: string) => writeFileSync(join(dir, 'f'), text);
    const runs = writeRuns(database.connection);
    state('one');
    await take('run_1', 10);
    state('two');
    await take('run_1', 20);
    // The run was interrupted after further changes, and repeated the same step.
    state('two and a half');
    await take('run_1', 20);
    clock.time += 1000;
    const first = runs.get('run_1');
    runs.insert({ ...first, id: 'run_2', createdAt: clock.time });
    clock.time += 1000;
    state('three');
    await take('run_2', 5);
    const at = async (runId: string, seq: number): Promise<string | null> => {
      const to = `copy_${runId}_${seq}`;
      if (!(await snapshots.copyAt({ threadId: 'thr_1', runId, seq }, to))) return null;
      return readFileSync(join(paths.workspace(to), 'f'), 'utf8');
    };
    expect([
      await at('run_1', 9),
      await at('run_1', 10),
      await at('run_1', 19),
      await at('run_1', 99),
      await at('run_2', 4),
      await at('run_2', 5),
    ]).toEqual([null, 'one', 'one', 'two', 'two and a half', 'three']);
  });
});
