import {
  existsSync,
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
  restoreArtifacts,
  sweepTransfers,
} from '#main/sandbox/artifacts/artifact-transfer.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { temporaryDir } from '../../storage/support.ts';

function setUp() {
  const base = temporaryDir();
  const [from, to, transfersDir] = ['from', 'to', 'transfers'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(from);
  let time = 1_000_000;
  const put = (name: string, content: string): void => {
    mkdirSync(dirname(join(from, name)), { recursive: true });
    writeFileSync(join(from, name), content);
    time += 1000;
    utimesSync(join(from, name), time, time);
  };
  return {
    ...{ base, from, to, transfersDir, put },
    source: new HostWorkspace(from),
    target: new HostWorkspace(to),
  };
}

test('the defaults', () => {
  expect([ARTIFACT_FILES, ARTIFACT_BYTES, ARTIFACT_PATTERNS]).toEqual([
    10,
    52_428_800,
    ['*.py', '*.csv', '*.json', '*.txt', '*.md', '*.html', '*.js', '*.ts'],
  ]);
});

test('matching files arrive under unused names, and nothing is left of the transfer', async () => {
  const { source, target, to, transfersDir, put } = setUp();
  put('a/data.csv', '1');
  put('b/data.csv', '2');
  put('picture.png', 'x');
  put('node_modules/p/index.js', 'x');
  mkdirSync(to);
  writeFileSync(join(to, 'data.csv'), 'mine');
  const transfer = await collectArtifacts(source, { transfersDir });
  expect(transfer.artifacts.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['b/data.csv', 1],
    ['a/data.csv', 1],
  ]);
  expect(statSync(transfer.dir).mode & 0o777).toBe(0o700);
  const { arrived, leftBehind, summary } = await restoreArtifacts(target, transfer);
  expect(arrived.map(({ as }) => as)).toEqual(['data-2.csv', 'data-3.csv']);
  expect(leftBehind).toEqual([]);
  expect(summary).toBe(
    'Files that were handed over:\n- data-2.csv (1 bytes; it was "b/data.csv")\n- data-3.csv (1 bytes; it was "a/data.csv")',
  );
  expect(
    ['data.csv', 'data-2.csv', 'data-3.csv'].map((f) => readFileSync(join(to, f), 'utf8')),
  ).toEqual(['mine', '2', '1']);
  await cleanupArtifacts(transfer);
  await cleanupArtifacts(transfer);
  expect(readdirSync(transfersDir)).toEqual([]);
});

test('the limits, with the newest files first; the others are listed', async () => {
  const { source, target, transfersDir, put } = setUp();
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
  expect((await restoreArtifacts(target, few)).summary).toContain(
    '- "large.txt": over the limit of files',
  );
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

test('hostile names and links: nothing outside is read, nothing outside is written', async () => {
  const { base, source, target, from, to, transfersDir, put } = setUp();
  writeFileSync(join(base, 'secret.txt'), 'secret');
  symlinkSync('../secret.txt', join(from, 'out.txt'));
  symlinkSync('/etc', join(from, 'etc.txt'));
  put('-rf.txt', 'a');
  put('new\nline "quoted" \u202etxt.exe.txt', 'b');
  put('..\\..\\up.txt', 'c');
  put(`${'é'.repeat(120)}.txt`, 'd');
  const transfer = await collectArtifacts(source, { transfersDir });
  // The paths in a transfer are untrusted.
  const lying = {
    ...transfer,
    artifacts: transfer.artifacts.map((one, i) => ({
      ...one,
      path: ['../../up.txt', '/etc/passwd', 'a/../../up.txt', '..'][i] ?? one.path,
    })),
  };
  expect(transfer.leftBehind).toEqual([
    { path: 'etc.txt', reason: 'outside' },
    { path: 'out.txt', reason: 'outside' },
  ]);
  const before = readdirSync(base);
  const first = await restoreArtifacts(target, transfer);
  const second = await restoreArtifacts(target, lying);
  expect(readdirSync(base).sort()).toEqual([...new Set([...before, 'to'])].sort());
  for (const { as } of [...first.arrived, ...second.arrived]) {
    expect(as).toMatch(/^[^/\\\p{Cc}\p{Cf}]+$/u);
    expect(existsSync(join(to, as))).toBe(true);
  }
  expect(first.arrived.length + second.arrived.length).toBe(8);
  expect(new Set([...first.arrived, ...second.arrived].map(({ as }) => as)).size).toBe(8);
  expect(first.summary.split('\n')).toHaveLength(1 + 4 + 1 + 2);
  expect(
    readdirSync(to)
      .map((name) => readFileSync(join(to, name), 'utf8'))
      .sort(),
  ).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']);
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

test('a file that changed during the transfer does not arrive', async () => {
  const { source, target, transfersDir, put, to } = setUp();
  put('a.txt', 'x');
  const transfer = await collectArtifacts(source, { transfersDir });
  writeFileSync(join(transfer.dir, readdirSync(transfer.dir)[0] ?? ''), 'y');
  const { arrived, leftBehind } = await restoreArtifacts(target, transfer);
  expect([arrived, leftBehind]).toEqual([[], [{ path: 'a.txt', reason: 'damaged' }]]);
  expect(existsSync(join(to, 'a.txt'))).toBe(false);
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
