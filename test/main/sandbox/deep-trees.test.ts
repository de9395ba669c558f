import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BlobStore } from '#main/sandbox/snapshots/blob-store.ts';
import { captureTree } from '#main/sandbox/snapshots/capture-tree.ts';
import { restoreTree } from '#main/sandbox/snapshots/restore-tree.ts';
import { copyWorkspaceTree } from '#main/sandbox/workspace/copy-tree.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { removeWorkspace } from '#main/sandbox/workspace/remove-tree.ts';

/** What a program creates quickly: nested folders, deeper than any path can name. */
const MAKE = `
import os, sys
root, depth, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
os.makedirs(root, exist_ok=True)
os.chdir(root)
for _ in range(depth):
    os.mkdir(name)
    os.chdir(name)
open("last", "w").close()
os.chmod(".", 0o500)
`;
const LONG = 'd'.repeat(200);

let base: string;
let dir: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'hyperagent-deep-'));
  dir = join(base, 'workspace');
  for (const [name, depth] of [
    [LONG, 60],
    ['e', 300],
  ] as const) {
    execFileSync('python3', ['-c', MAKE, dir, String(depth), name]);
  }
  await writeFile(join(dir, 'file.txt'), 'text');
});
afterEach(() => removeWorkspace(base));

const capture = async () => {
  const blobs = new BlobStore(join(base, 'blobs'));
  using lease = blobs.lease();
  const { signal } = new AbortController();
  const options = { lease, cache: new Map<string, string>(), limitBytes: null, signal };
  return { blobs, ...(await captureTree(dir, options)) };
};

test('a snapshot lists what is nested too deeply and holds the rest; restoring leaves that in place', async () => {
  const { blobs, manifest, cache } = await capture();
  const files = manifest.entries.filter(({ kind }) => kind === 'file');
  expect(files.map(({ path }) => path)).toEqual(['file.txt']);
  expect(manifest.leftOut.map(({ path, reason }) => [path[0], reason])).toEqual([
    ['d', 'too_deep'],
    ['e', 'too_deep'],
  ]);
  // Few enough, and short enough, to be stored for every step.
  expect(JSON.stringify(manifest).length).toBeLessThan(100_000);
  const keep = new Set(manifest.leftOut.map(({ path }) => path));
  const nothing = { entries: [], leftOut: [] };
  const kept = await restoreTree(dir, nothing, { blobs, cache, keep });
  expect(kept.map((path) => path[0]).sort()).toEqual(['d', 'e']);
  expect((await readdir(dir)).sort()).toEqual([LONG, 'e']);
});

test('a listing stays short and says that it is incomplete; the same folders can be copied', async () => {
  const workspace = new HostWorkspace(dir);
  const { entries, truncated } = await workspace.list('', { recursive: true });
  expect(truncated).toBe(true);
  expect(entries.length).toBeLessThan(200);
  expect(entries.filter(({ kind }) => kind === 'file').map(({ path }) => path)).toEqual([
    'file.txt',
  ]);
  await copyWorkspaceTree(dir, join(base, 'copy'));
  expect((await readdir(join(base, 'copy'))).sort()).toEqual([LONG, 'e', 'file.txt']);
});

test('a path that would create endless folders is refused before most of them exist', async () => {
  const workspace = new HostWorkspace(dir);
  const file = `new/${'n/'.repeat(5_000)}file.txt`;
  await expect(workspace.write(file, 'x')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(workspace.remove('e')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  // Any realistic depth works.
  const usual = `${'n/'.repeat(60)}file.txt`;
  await workspace.write(usual, 'x');
  expect((await workspace.read(usual, 10)).data.toString()).toBe('x');
});

test('a task is removed with all folders, however deep and whatever their permissions and names', async () => {
  execFileSync('python3', ['-c', MAKE, join(dir, 'again', 'x'), '60', `${LONG}ü`]);
  // A name that is not valid text, and permissions that nobody can read.
  const strange =
    'import os, sys; at = sys.argv[1].encode() + b"/\\xff\\xfe"; os.makedirs(at + b"/in"); os.chmod(at, 0)';
  execFileSync('python3', ['-c', strange, dir]);
  await removeWorkspace(dir);
  expect(existsSync(dir)).toBe(false);
});
