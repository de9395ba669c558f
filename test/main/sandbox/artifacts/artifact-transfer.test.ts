import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ARTIFACT_BYTES,
  ARTIFACT_FILES,
  ARTIFACT_PATTERNS,
  cleanupArtifacts,
  collectArtifacts,
  describeLeftBehind,
  sweepTransfers,
} from '#main/sandbox/artifacts/artifact-transfer.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { temporaryDir } from '../../storage/support.ts';

function setUp() {
  const base = temporaryDir();
  const [from, transfersDir] = [join(base, 'from'), join(base, 'transfers')];
  mkdirSync(from);
  let time = 1_000_000;
  const put = (name: string, content: string): void => {
    mkdirSync(dirname(join(from, name)), { recursive: true });
    writeFileSync(join(from, name), content);
    time += 1000;
    utimesSync(join(from, name), time, time);
  };
  return {
    ...{ base, from, transfersDir, put },
    source: new HostWorkspace(from),
  };
}

test('the defaults', () => {
  expect([ARTIFACT_FILES, ARTIFACT_BYTES, ARTIFACT_PATTERNS]).toEqual([
    10,
    52_428_800,
    ['*.py', '*.csv', '*.json', '*.txt', '*.md', '*.html', '*.js', '*.ts'],
  ]);
});

test('matching files are collected for their owner alone, and nothing is left of the transfer', async () => {
  const { source, transfersDir, put } = setUp();
  put('a/data.csv', '1');
  put('b/data.csv', '2');
  put('research/report.md', 'x');
  put('picture.png', 'x');
  put('node_modules/p/index.js', 'x');
  const transfer = await collectArtifacts(source, { transfersDir, without: ['research/**'] });
  expect(transfer.artifacts.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['b/data.csv', 1],
    ['a/data.csv', 1],
  ]);
  expect(statSync(transfer.dir).mode & 0o777).toBe(0o700);
  const stored = transfer.artifacts.map(({ sha256 }) => join(transfer.dir, sha256));
  expect(stored.map((file) => readFileSync(file, 'utf8'))).toEqual(['2', '1']);
  await cleanupArtifacts(transfer);
  await cleanupArtifacts(transfer);
  expect(readdirSync(transfersDir)).toEqual([]);
});

test('the limits, with the newest files first; the others are listed', async () => {
  const { source, transfersDir, put } = setUp();
  put('large.txt', 'x'.repeat(900));
  for (let i = 1; i <= 4; i += 1) put(`f${i}.txt`, 'x'.repeat(100));
  const transfer = await collectArtifacts(source, { transfersDir, maxFiles: 3, maxBytes: 250 });
  expect(transfer.artifacts.map(({ path }) => path)).toEqual(['f4.txt', 'f3.txt']);
  expect(transfer.leftBehind).toEqual([
    { path: 'f2.txt', reason: 'too_large' },
    { path: 'f1.txt', reason: 'too_large' },
    { path: 'large.txt', reason: 'too_large' },
  ]);
  const few = await collectArtifacts(source, { transfersDir, maxFiles: 3 });
  expect(few.leftBehind).toEqual([
    { path: 'f1.txt', reason: 'too_many' },
    { path: 'large.txt', reason: 'too_many' },
  ]);
  expect(describeLeftBehind(few)).toEqual([
    '"f1.txt": over the limit of files',
    '"large.txt": over the limit of files',
  ]);
});

test('patterns over names and over paths', async () => {
  const { source, transfersDir, put } = setUp();
  for (const name of ['a.txt', 'out/b.txt', 'out/deep/c.txt', 'out/d.bin']) put(name, 'x');
  const paths = async (patterns: string[]): Promise<string[]> =>
    (await collectArtifacts(source, { transfersDir, patterns })).artifacts.map(({ path }) => path);
  expect(await paths(['*.txt'])).toEqual(['out/deep/c.txt', 'out/b.txt', 'a.txt']);
  expect(await paths(['out/*'])).toEqual(['out/d.bin', 'out/b.txt']);
  expect(await paths(['out/**'])).toEqual(['out/d.bin', 'out/deep/c.txt', 'out/b.txt']);
});

test('hostile names and links: nothing outside is read, nothing is written under a name', async () => {
  const { base, source, from, transfersDir, put } = setUp();
  writeFileSync(join(base, 'secret.txt'), 'secret');
  symlinkSync('../secret.txt', join(from, 'out.txt'));
  symlinkSync('/etc', join(from, 'etc.txt'));
  put('-rf.txt', 'a');
  put('new\nline "quoted" \u202etxt.exe.txt', 'b');
  put('..\\..\\up.txt', 'c');
  put(`${'é'.repeat(120)}.txt`, 'd');
  const transfer = await collectArtifacts(source, { transfersDir });
  expect(transfer.leftBehind).toEqual([
    { path: 'etc.txt', reason: 'outside' },
    { path: 'out.txt', reason: 'outside' },
  ]);
  expect(describeLeftBehind(transfer)).toHaveLength(2);
  // Stored under their hashes, whatever they are called.
  expect(readdirSync(transfer.dir).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
  expect(readdirSync(base).sort()).toEqual(['from', 'secret.txt', 'transfers']);
});

test('a file that is swapped for a link out between listing and reading stays behind', async () => {
  const { base, source, transfersDir, put } = setUp();
  writeFileSync(join(base, 'secret.txt'), 'secret');
  put('a.txt', 'x');
  const swapping = {
    list: async (...args: Parameters<HostWorkspace['list']>) => {
      const listed = await source.list(...args);
      await source.remove('a.txt');
      symlinkSync('../secret.txt', join(source.dir, 'a.txt'));
      return listed;
    },
    read: (...args: Parameters<HostWorkspace['read']>) => source.read(...args),
  };
  const transfer = await collectArtifacts(swapping, { transfersDir });
  expect([transfer.artifacts, transfer.leftBehind]).toEqual([
    [],
    [{ path: 'a.txt', reason: 'outside' }],
  ]);
});

test('a file that grew past the limit since it was listed stays behind', async () => {
  const { source, transfersDir, put } = setUp();
  put('a.txt', 'x');
  const growing = {
    list: async (...args: Parameters<HostWorkspace['list']>) => {
      const listed = await source.list(...args);
      put('a.txt', 'x'.repeat(1000));
      return listed;
    },
    read: (...args: Parameters<HostWorkspace['read']>) => source.read(...args),
  };
  const transfer = await collectArtifacts(growing, { transfersDir, maxBytes: 100 });
  expect(transfer.leftBehind).toEqual([{ path: 'a.txt', reason: 'too_large' }]);
});

test('a start removes leftovers, but no transfer that begins meanwhile', async () => {
  const { source, transfersDir, put } = setUp();
  put('a.txt', 'x');
  await collectArtifacts(source, { transfersDir });
  const sweeping = sweepTransfers(transfersDir);
  const fresh = await collectArtifacts(source, { transfersDir });
  await sweeping;
  expect(readdirSync(transfersDir)).toEqual([fresh.dir.split('/').at(-1)]);
  await sweepTransfers(join(transfersDir, 'nowhere'));
});
