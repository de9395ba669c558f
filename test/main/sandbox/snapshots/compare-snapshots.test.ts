import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bench } from './support.ts';

/** A workspace in three states. */
async function threeStates() {
  const made = bench();
  const { dir, take } = made;
  writeFileSync(join(dir, 'a.txt'), 'one\n');
  writeFileSync(join(dir, 'gone.bin'), Buffer.of(0, 1, 2));
  mkdirSync(join(dir, 'empty'));
  const first = await take();
  writeFileSync(join(dir, 'a.txt'), 'two\n');
  unlinkSync(join(dir, 'gone.bin'));
  const second = await take();
  symlinkSync('/etc/passwd', join(dir, 'link'));
  rmSync(join(dir, 'a.txt'));
  mkdirSync(join(dir, 'a.txt'));
  writeFileSync(join(dir, 'a.txt/inside'), 'three\n');
  const third = await take();
  const of = (snapshotId: string, since: string | null = null) => ({
    ...{ threadId: 'thr_1', snapshotId, since },
  });
  return { ...made, first, second, third, of };
}

describe('what differs between two snapshots', () => {
  test('the one before, or any other; a file that became a folder is gone', async () => {
    const { snapshots, first, second, third, of } = await threeStates();
    expect(snapshots.changes(of(first.id))).toEqual([
      { path: 'a.txt', kind: 'created', size: 4 },
      { path: 'gone.bin', kind: 'created', size: 3 },
    ]);
    expect(snapshots.changes(of(second.id))).toEqual([
      { path: 'a.txt', kind: 'modified', size: 4 },
      { path: 'gone.bin', kind: 'deleted', size: 0 },
    ]);
    expect(snapshots.changes(of(third.id))).toEqual([
      { path: 'a.txt', kind: 'deleted', size: 0 },
      { path: 'a.txt/inside', kind: 'created', size: 6 },
      { path: 'link', kind: 'created', size: 0 },
    ]);
    expect(third).toMatchObject({ created: 2, modified: 0, deleted: 1 });
    expect(snapshots.changes(of(third.id, first.id)).map(({ path }) => path)).toEqual([
      ...['a.txt', 'a.txt/inside', 'gone.bin', 'link'],
    ]);
    expect(snapshots.changes(of(first.id, first.id))).toEqual([]);
  });

  test('both sides of a file: texts, other contents, links as links', async () => {
    const { snapshots, first, second, third, of } = await threeStates();
    expect(await snapshots.diff('a.txt', of(second.id))).toEqual({
      before: { kind: 'text', text: 'one\n', truncated: false },
      after: { kind: 'text', text: 'two\n', truncated: false },
    });
    expect(await snapshots.diff('gone.bin', of(second.id))).toEqual({
      before: { kind: 'binary', bytes: 3 },
      after: { kind: 'absent' },
    });
    expect(await snapshots.diff('link', of(third.id))).toEqual({
      before: { kind: 'absent' },
      after: { kind: 'text', text: 'Link to /etc/passwd', truncated: false },
    });
    expect((await snapshots.diff('a.txt', of(first.id))).before).toEqual({ kind: 'absent' });
    for (const nowhere of ['b.txt', 'empty', '../a.txt', '/etc/passwd']) {
      await expect(snapshots.diff(nowhere, of(second.id))).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
  });

  test('snapshots of other tasks are not there', async () => {
    const { snapshots, first, of } = await threeStates();
    const other = { ...of(first.id), threadId: 'thr_2' };
    expect(() => snapshots.changes(other)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    expect(() => snapshots.changes(of(first.id, 'snap_none'))).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
    await expect(snapshots.diff('a.txt', other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a long text is cut; a content that was damaged says so', async () => {
    const { dir, take, snapshots, of, blobs, paths } = await threeStates();
    writeFileSync(join(dir, 'long.txt'), 'line\n'.repeat(6_000));
    const { id } = await take();
    const { after } = await snapshots.diff('long.txt', of(id));
    expect(after).toMatchObject({ kind: 'text', truncated: true });
    expect(after.kind === 'text' && after.text.split('\n').length).toBe(5_000);
    const before = new Set(blobs());
    writeFileSync(join(dir, 'more.txt'), 'x'.repeat(2_000));
    const more = await take();
    const [name = ''] = blobs().filter((one) => !before.has(one));
    writeFileSync(join(paths.snapshots, 'blobs', name.slice(0, 2), name), Buffer.of(0, 65));
    await expect(snapshots.diff('more.txt', of(more.id))).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
    });
  });
});
