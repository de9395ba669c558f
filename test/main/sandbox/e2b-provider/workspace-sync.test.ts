import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from 'tar-stream';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delay } from '#main/base/abort.ts';
import { type Logger, silentLogger } from '#main/base/logger.ts';
import type { SyncedMachine } from '#main/sandbox/e2b-provider/workspace-sync.ts';
import { WorkspaceSync } from '#main/sandbox/e2b-provider/workspace-sync.ts';
import type { SandboxRuntime } from '#main/sandbox/types.ts';
import { e2bObstacle } from '../../../fakes/e2b/fake-e2b.ts';
import { startE2b } from './open-e2b.ts';

const never = new AbortController().signal;
let dir: string;
let workspaceDir: string;
let logged: string[];
const logger: Logger = {
  ...silentLogger,
  warn: (message, fields) => {
    const names = Array.isArray(fields?.names) ? (fields.names as string[]) : [];
    logged.push(`${message}: ${names.join(' | ')}`);
  },
};
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hyperagent-sync-'));
  workspaceDir = join(dir, 'workspace');
  await mkdir(workspaceDir);
  logged = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));
const at = (path: string): string => join(workspaceDir, path);
const names = async (): Promise<string[]> =>
  (await readdir(workspaceDir, { recursive: true })).sort();

const { fake, open } = await startE2b();
afterAll(() => fake.close());
const obstacle = await e2bObstacle();
const name = obstacle === null ? 'files of a machine' : `files of a machine (not run: ${obstacle})`;

describe.skipIf(obstacle !== null)(name, () => {
  let runtime: SandboxRuntime;
  const start = async (syncLimits?: { fileBytes: number; totalBytes: number }): Promise<void> => {
    const limits = { memoryBytes: 2 ** 28, cpus: 1, pids: 64, fileBytes: 2 ** 24 };
    const provider = open(dir, { logger, ...(syncLimits === undefined ? {} : { syncLimits }) });
    runtime = await provider.start({ key: 'k', workspaceDir, limits }, never);
  };
  afterEach(() => runtime[Symbol.asyncDispose]());
  const sh = async (code: string): Promise<string> => {
    const command = { commandId: 'c', language: 'bash', code, timeoutMs: 20_000 } as const;
    const result = await runtime.run(command, { signal: never, onOutput: () => undefined });
    expect(result).toMatchObject({ outcome: 'completed', stderr: '' });
    return result.stdout;
  };
  const list = "find . -mindepth 1 -printf '%y %m %P %l\\n' | LC_ALL=C sort -k 3";

  test('there: content, kind, mode and emptiness are the same', async () => {
    await mkdir(at('deep/empty'), { recursive: true });
    await writeFile(at('deep/run me'), '#!/bin/sh\necho ran\n');
    await chmod(at('deep/run me'), 0o755);
    await writeFile(at('-rf ü "$x'), 'odd\n');
    await writeFile(at('two\nlines'), 'lines\n');
    await symlink('deep/run me', at('link'));
    await writeFile(at('zero'), '');
    await start();
    expect(await sh(`./link; cat ./-rf* two*; rm two*; ${list}`)).toBe(
      [
        ...['ran', 'odd', 'lines', 'f 644 -rf ü "$x ', 'd 755 deep ', 'd 755 deep/empty '],
        ...['f 755 deep/run me ', 'l 777 link deep/run me', 'f 644 zero ', ''],
      ].join('\n'),
    );
  });

  test('here: what was created, changed, moved and deleted', async () => {
    await mkdir(at('old'));
    await writeFile(at('old/gone'), 'x');
    await writeFile(at('changed'), 'before');
    await writeFile(at('kept'), 'kept');
    await start();
    const { mtimeMs } = await lstat(at('kept'));
    await sh(
      'rm -r old; echo after >changed; mkdir -p new/deep; echo 1 >new/deep/file; chmod 750 new/deep/file; ln -s new/deep/file link; ln changed hard; : >"$(printf "a\\nb")"',
    );
    expect(await names()).toEqual([
      ...['a\nb', 'changed', 'hard', 'kept', 'link', 'new', 'new/deep', 'new/deep/file'],
    ]);
    expect(await readFile(at('changed'), 'utf8')).toBe('after\n');
    expect(await readFile(at('hard'), 'utf8')).toBe('after\n');
    expect(await readlink(at('link'))).toBe('new/deep/file');
    expect((await lstat(at('new/deep/file'))).mode & 0o777).toBe(0o750);
    expect((await lstat(at('kept'))).mtimeMs).toBe(mtimeMs);
    expect(logged).toEqual([]);
  });

  test('unchanged files are not transferred again', async () => {
    await writeFile(at('file'), 'x');
    await start();
    await sh('echo made >made');
    fake.requests.length = 0;
    await sh('cat file made');
    expect(fake.requests.filter((request) => request.endsWith('/files'))).toEqual([]);
    await sh('cat file made');
    expect(fake.requests.filter((request) => request.endsWith('/files'))).toEqual([]);
  });

  test('a change here between two commands, and a deletion', async () => {
    await writeFile(at('file'), 'one');
    await writeFile(at('doomed'), 'x');
    await start();
    expect(await sh('cat file; ls')).toBe('onedoomed\nfile\n');
    await writeFile(at('file'), 'two');
    await rm(at('doomed'));
    expect(await sh('cat file; ls')).toBe('twofile\n');
  });

  test('a file that a command deletes while it changes here stays, and is sent again', async () => {
    await writeFile(at('file'), 'one');
    await writeFile(at('other'), 'x');
    await start();
    const running = sh('rm file other; sleep 0.6');
    await delay(300, never);
    await writeFile(at('file'), 'changed meanwhile');
    await running;
    expect(await names()).toEqual(['file']);
    expect(await sh('cat file')).toBe('changed meanwhile');
  });

  test('a file takes the place of a folder, and a folder that of a file', async () => {
    await mkdir(at('folder'));
    await writeFile(at('folder/inner'), 'x');
    await writeFile(at('file'), 'x');
    await start();
    await sh('rm -r folder file; echo file >folder; mkdir file; echo inner >file/inner');
    expect(await readFile(at('folder'), 'utf8')).toBe('file\n');
    expect(await readFile(at('file/inner'), 'utf8')).toBe('inner\n');
    await rm(at('file'), { recursive: true });
    await writeFile(at('file'), 'again');
    expect(await sh('cat file')).toBe('again');
  });

  test('dangerous names and kinds are left out and logged', async () => {
    await start();
    await sh(
      'ln -s /etc/passwd absolute; ln -s ../../etc climbing; mkdir d; ln -s ../../x d/up; ln -s /workspace/ok d/fine; mkfifo pipe; : >"$(printf "bad\\377")"; echo ok >ok',
    );
    expect(await names()).toEqual(['d', 'd/fine', 'ok']);
    const message = logged.join('\n');
    for (const part of ['absolute', 'climbing', 'd/up', 'pipe', 'bad']) {
      expect(message).toContain(part);
    }
  });

  test('a local link that leads out is replaced, and never written through', async () => {
    const outside = join(dir, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'file'), 'untouched');
    await symlink(outside, at('folder'));
    await symlink(join(outside, 'file'), at('file'));
    await start();
    await sh('rm folder file; mkdir folder; echo mine >folder/file; echo mine >file');
    expect(await readdir(outside)).toEqual(['file']);
    expect(await readFile(join(outside, 'file'), 'utf8')).toBe('untouched');
    expect(await readFile(at('folder/file'), 'utf8')).toBe('mine\n');
    expect(await readFile(at('file'), 'utf8')).toBe('mine\n');
  });

  test('a file that is too large stays in place, is logged, and is not treated as deleted', async () => {
    await writeFile(at('large here'), 'x'.repeat(2_001));
    await start({ fileBytes: 2_000, totalBytes: 3_000 });
    expect(logged.join()).toMatch(/not sent to E2B: large here: 2001 bytes exceed the limit/);
    expect(await sh('ls; head -c 2001 /dev/zero >"large there"; echo x >small')).toBe('');
    expect(await names()).toEqual(['large here', 'small']);
    expect(logged.join()).toMatch(/not fetched from E2B: large there: 2001 bytes exceed the limit/);
    expect(await sh('ls')).toBe('large there\nsmall\n');
    expect(await names()).toEqual(['large here', 'small']);
  });

  test('what does not fit at once comes with the next command', async () => {
    await start({ fileBytes: 2_000, totalBytes: 3_000 });
    await sh('for n in 1 2 3; do head -c 1400 /dev/zero >$n; done');
    expect((await names()).length).toBe(2);
    expect(logged.join()).toMatch(/not fetched from E2B: \d: over the limit for one transfer/);
    await sh('true');
    expect(await names()).toEqual(['1', '2', '3']);
  });
});

/** A machine that answers anything. */
function hostileMachine(listing: () => string, archive: Buffer): SyncedMachine {
  const done = { exitCode: 0, stderr: '', stdout: Buffer.alloc(0) };
  return {
    envd: {
      run: async ([program]) =>
        program.endsWith('find') ? { ...done, stdout: Buffer.from(listing(), 'latin1') } : done,
      upload: async () => undefined,
      download: async () => new Blob([new Uint8Array(archive)]).stream(),
    },
  };
}

describe('a machine that lies', () => {
  const line = (kind: string, path: string, { size = 3, target = '' } = {}): string =>
    `${kind} ${size} 644 1.5 7 ${path}\0${target}\0`;
  const archiveOf = async (entries: readonly (readonly [object, string?])[]): Promise<Buffer> => {
    const archive = pack();
    for (const [header, data] of entries) {
      archive.entry(header as Parameters<typeof archive.entry>[0], data ?? '');
    }
    archive.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const pull = async (listing: string, archive: Buffer): Promise<void> => {
    const sync = new WorkspaceSync({ dir: workspaceDir, logger });
    const machine = hostileMachine(() => listing, archive);
    await sync.push(machine, never);
    await sync.pull(machine, never);
  };

  test('in names: nothing appears above the workspace', async () => {
    const paths = ['../evil', 'a/../../evil', '/evil', 'a//b', './a', '', '..', 'x/.', 'y/..'];
    const archive = await archiveOf(paths.map((path) => [{ name: path || 'none' }, 'evil']));
    await pull(paths.map((path) => line('f', path)).join('') + line('f', 'good'), archive);
    expect([await readdir(dir), await names()]).toEqual([['workspace'], []]);
    expect(logged.join()).toContain('../evil: not a path in the workspace');
  });

  test('in the archive: only what was asked for, as plain files, is taken', async () => {
    const archive = await archiveOf([
      [{ name: '../evil' }, 'evil'],
      [{ name: 'unasked' }, 'evil'],
      [{ name: 'good', type: 'symlink', linkname: '/etc/passwd' }],
      [{ name: './good' }, 'yes'],
      [{ name: 'good' }, 'twice'],
    ]);
    await pull(line('f', 'good'), archive);
    expect([await readdir(dir), await names()]).toEqual([['workspace'], ['good']]);
    expect(await readFile(at('good'), 'utf8')).toBe('yes');
    expect((await lstat(at('good'))).isFile()).toBe(true);
  });

  test('a link that it made, and a file below it: the file stays inside', async () => {
    const archive = await archiveOf([[{ name: 'link/file' }, 'yes']]);
    const listing =
      line('d', 'real') + line('l', 'link', { target: 'real' }) + line('f', 'link/file');
    await pull(listing, archive);
    expect(await readFile(at('real/file'), 'utf8')).toBe('yes');
  });

  test('links that only lead out together: neither is followed', async () => {
    const archive = await archiveOf([[{ name: 'a/b/file' }, 'evil']]);
    // Each of them alone stays inside: a/b leads to a's parent's parent once a is a link.
    const listing =
      line('d', 'x') +
      line('d', 'x/y') +
      line('l', 'a', { target: 'x' }) +
      line('l', 'x/b', { target: '../../../outside' }) +
      line('l', 'a/y/up', { target: '../../..' }) +
      line('f', 'a/b/file');
    await mkdir(join(dir, 'outside'));
    await pull(listing, archive);
    expect(await readdir(join(dir, 'outside'))).toEqual([]);
    expect((await readdir(dir)).sort()).toEqual(['outside', 'workspace']);
  });

  test('in size: an archive that holds more than was listed is not read further', async () => {
    const archive = await archiveOf([[{ name: 'good' }, 'x'.repeat(3 * 1024 * 1024)]]);
    await expect(pull(line('f', 'good', { size: 3 }), archive)).rejects.toThrow(
      'holds more than was requested',
    );
    expect(await names()).toEqual([]);
  });

  test('in number: entries over the cap are ignored, and nothing counts as deleted', async () => {
    await writeFile(at('mine'), 'x');
    const sync = new WorkspaceSync({ dir: workspaceDir, logger });
    const answers = [line('f', 'mine'), line('f', 'mine')];
    const many = Array.from({ length: 10_050 }, (_, n) => line('d', `d${n}`)).join('');
    const machine = hostileMachine(() => answers.shift() ?? many, await archiveOf([]));
    await sync.push(machine, never);
    await sync.pull(machine, never);
    await sync.pull(machine, never);
    expect((await names()).length).toBe(10_001);
    expect(await names()).toContain('mine');
  });
});

test('push and pull wait for each other', async () => {
  let running = 0;
  let most = 0;
  const slow = async <T>(value: T): Promise<T> => {
    running += 1;
    most = Math.max(most, running);
    await delay(20, never);
    running -= 1;
    return value;
  };
  await writeFile(at('file'), 'x');
  const sync = new WorkspaceSync({ dir: workspaceDir, logger });
  const done = { exitCode: 0, stderr: '', stdout: Buffer.alloc(0) };
  const machine: SyncedMachine = {
    envd: {
      run: () => slow(done),
      upload: () => slow(undefined),
      download: () => slow(new Blob([]).stream()),
    },
  };
  await Promise.all([
    sync.push(machine, never),
    sync.pull(machine, never),
    sync.pull(machine, never),
  ]);
  expect(most).toBe(1);
});
