import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { type FileRequestParts, fileRequests } from '#main/api/files.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';

const MB = 1024 * 1024;

let dir: string;
let workspace: HostWorkspace;
let server: 'stopped' | 'running';
let saved: unknown[];
let said: unknown[];
let touched: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-write-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  workspace = new HostWorkspace(dir);
  [server, saved, said, touched] = ['stopped', [], [], []];
});

function open(
  files: Pick<HostWorkspace, 'read' | 'write'> & Partial<HostWorkspace> = workspace.withoutLinks(),
) {
  const parts = {
    threads: { get: () => ({ id: 't' }) },
    sandbox: {
      forTask: () => ({
        workspace: {
          pathOf: (path: string, lastLink: 'keep') => workspace.pathOf(path, lastLink),
          read: (path: string, most: number) => workspace.read(path, most),
          watch: (id: string, within: string[]) => workspace.watch(id, within),
          touch: async (path: string) => void touched.push(path),
          withoutLinks: () => files,
          exclusively: <Result>(work: () => Promise<Result>) => workspace.exclusively(work),
        },
      }),
    },
    edits: { saved: (_id: string, edit: unknown) => saved.push(edit) },
    apps: { state: () => ({ server }) },
    broadcast: (notice: unknown) => said.push(notice),
  } as unknown as FileRequestParts;
  const requests = fileRequests(parts);
  return {
    read: async (path: string) => await requests['files.read']({ threadId: 't', path }),
    write: async (path: string, text: string, was: string | null) =>
      await requests['files.write']({ threadId: 't', path, text, was }),
    move: async (path: string, to: string) =>
      await requests['files.move']({ threadId: 't', path, to }),
    remove: async (path: string) => await requests['files.remove']({ threadId: 't', path }),
  };
}

const put = (path: string, data: string | Buffer): void => writeFileSync(join(dir, path), data);
const text = (path: string): string => readFileSync(join(dir, path), 'utf8');
const hash = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

describe('a file that the user saves', () => {
  it('is written where it is the one that was edited, and named to windows and the model', async () => {
    put('a.txt', 'one\n');
    const { read, write } = open();
    const { sha256 } = await read('a.txt');
    expect(sha256).toBe(hash('one\n'));
    expect(await write('a.txt', 'two\n', sha256)).toEqual({ sha256: hash('two\n') });
    expect(text('a.txt')).toBe('two\n');
    expect(saved).toEqual([{ path: 'a.txt', kind: 'modified' }]);
    expect(said).toEqual([{ kind: 'file_changed', threadId: 't', path: 'a.txt' }]);
    expect(touched).toEqual([]);
  });

  it('may be new, in a new folder', async () => {
    expect(await open().write('deep/er/b.txt', 'x', null)).toEqual({ sha256: hash('x') });
    expect(text('deep/er/b.txt')).toBe('x');
    expect(saved).toEqual([{ path: 'deep/er/b.txt', kind: 'created' }]);
  });

  it.each([
    ['was changed', () => put('a.txt', 'theirs'), hash('theirs')],
    ['was deleted', () => rmSync(join(dir, 'a.txt')), null],
    ['has become longer than what is edited', () => put('a.txt', 'x'.repeat(2 * MB)), null],
  ])('is refused where it %s meanwhile, and nothing is lost', async (_what, change, now) => {
    put('a.txt', 'one');
    const { read, write } = open();
    const { sha256 } = await read('a.txt');
    change();
    const left = now === null ? {} : { details: { now } };
    await expect(write('a.txt', 'mine', sha256)).rejects.toMatchObject({
      code: 'CONFLICT',
      ...left,
    });
    await expect(write('a.txt', 'mine', hash('another'))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    if (now !== null) expect(text('a.txt')).toBe('theirs');
    expect([saved, said]).toEqual([[], []]);
  });

  it('is refused as a new one where there is one', async () => {
    put('a.txt', 'theirs');
    await expect(open().write('a.txt', 'mine', null)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { now: hash('theirs') },
    });
    expect(text('a.txt')).toBe('theirs');
  });

  it('is written by one of two windows that save it at once; the other sees that', async () => {
    put('a.txt', 'one');
    const { write } = open();
    const both = await Promise.allSettled([
      write('a.txt', 'first', hash('one')),
      write('a.txt', 'second', hash('one')),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(text('a.txt')).toBe('first');
    expect(both[1]).toMatchObject({
      reason: { code: 'CONFLICT', details: { now: hash('first') } },
    });
  });

  it('keeps its byte order mark, its rights, and that it is the same file', async () => {
    put('run.sh', '\uFEFFecho one');
    chmodSync(join(dir, 'run.sh'), 0o755);
    const before = statSync(join(dir, 'run.sh'));
    const { read, write } = open();
    const { data, sha256 } = await read('run.sh');
    expect(data).toBe('echo one');
    await write('run.sh', 'echo two', sha256);
    expect(text('run.sh')).toBe('\uFEFFecho two');
    const { ino, mode } = statSync(join(dir, 'run.sh'));
    expect({ ino, mode }).toEqual({ ino: before.ino, mode: before.mode });
  });

  it('is what it was where the disk is full', async () => {
    put('a.txt', 'one');
    let isFull = true;
    const real = workspace.withoutLinks();
    const { write } = open({
      read: (path, most) => real.read(path, most),
      write: async (path, data) => {
        if (!isFull) return await real.write(path, data);
        isFull = false;
        await real.write(path, 'ha');
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    });
    await expect(write('a.txt', 'half', hash('one'))).rejects.toThrow('no space');
    expect(text('a.txt')).toBe('one');
    expect(saved).toEqual([]);
  });

  it('is heard of by a server that watches it', async () => {
    put('a.txt', 'one');
    server = 'running';
    await open().write('a.txt', 'two', hash('one'));
    expect(touched).toEqual(['a.txt']);
  });

  it('is no change by a call that runs meanwhile', async () => {
    put('a.txt', 'one');
    using watch = await workspace.watch('call-1');
    await open().write('a.txt', 'two', hash('one'));
    put('b.txt', 'of the call');
    expect((await watch.end()).map(({ path }) => path)).toEqual(['b.txt']);
  });

  it.each([
    ['outside', '../a.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['outside by a link', 'out/a.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['of the app', '.hyperagent/x.py', 'BAD_REQUEST'],
    ['of the app, spelled otherwise', 'x/../.Hyperagent/x.py', 'BAD_REQUEST'],
    ['the workspace itself', '.', undefined],
    ['a folder', 'folder', undefined],
    ['a link', 'link.txt', 'CONFLICT'],
  ])('is not written %s', async (_what, path, code) => {
    const outside = mkdtempSync(join(tmpdir(), 'hyperagent-outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    symlinkSync(outside, join(dir, 'out'));
    put('real.txt', 'real');
    symlinkSync('real.txt', join(dir, 'link.txt'));
    mkdirSync(join(dir, 'folder'));
    await expect(open().write(path, 'mine', null)).rejects.toMatchObject(
      code === undefined ? {} : { code },
    );
    expect(text('real.txt')).toBe('real');
    expect(saved).toEqual([]);
  });

  it('is not longer than what is edited here', async () => {
    await expect(open().write('a.txt', '数'.repeat(MB / 2), null)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });

  it('has no hash to be edited by where it is reached by a link', async () => {
    put('real.txt', 'one');
    symlinkSync('real.txt', join(dir, 'link.txt'));
    expect(await open().read('link.txt')).toMatchObject({ data: 'one', sha256: null });
  });

  it.each([
    ['no text', Buffer.from([0, 1, 2])],
    ['too long', Buffer.alloc(MB + 1, 'a')],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x41])],
  ])('has no hash to be edited by where it is %s', async (_what, data) => {
    put('a.txt', data);
    expect((await open().read('a.txt')).sha256).toBeNull();
  });
});

describe('a file that the user renames or deletes', () => {
  it('has its new name, in a new folder too', async () => {
    put('a.txt', 'one');
    await open().move('a.txt', 'notes/b.txt');
    expect(text('notes/b.txt')).toBe('one');
    expect(existsSync(join(dir, 'a.txt'))).toBe(false);
    expect(saved).toEqual([
      { path: 'a.txt', kind: 'deleted' },
      { path: 'notes/b.txt', kind: 'created' },
    ]);
    expect(said).toMatchObject([{ path: 'a.txt' }, { path: 'notes/b.txt' }]);
  });

  it.each(['taken.txt', 'folder', 'link.txt', 'broken.txt'])(
    'takes no name that is taken: %s',
    async (to) => {
      put('a.txt', 'one');
      put('taken.txt', 'theirs');
      mkdirSync(join(dir, 'folder'));
      symlinkSync('taken.txt', join(dir, 'link.txt'));
      symlinkSync('nowhere', join(dir, 'broken.txt'));
      await expect(open().move('a.txt', to)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect([text('a.txt'), text('taken.txt')]).toEqual(['one', 'theirs']);
      expect(saved).toEqual([]);
    },
  );

  it('is gone', async () => {
    put('a.txt', 'one');
    await open().remove('a.txt');
    expect(existsSync(join(dir, 'a.txt'))).toBe(false);
    expect(saved).toEqual([{ path: 'a.txt', kind: 'deleted' }]);
  });

  it.each(['', '..', '../x', '.hyperagent/x', 'folder', 'link.txt', 'nothing.txt'])(
    'is neither %j, nor what lies outside',
    async (path) => {
      const outside = join(dirname(dir), 'x');
      mkdirSync(join(dir, 'folder'));
      put('folder/kept.txt', 'kept');
      mkdirSync(join(dir, '.hyperagent'));
      put('.hyperagent/x', 'ours');
      put('a.txt', 'one');
      symlinkSync('a.txt', join(dir, 'link.txt'));
      await expect(open().remove(path)).rejects.toBeInstanceOf(AppError);
      await expect(open().move(path, 'b.txt')).rejects.toBeInstanceOf(AppError);
      if (path.startsWith('.')) {
        await expect(open().move('a.txt', path)).rejects.toBeInstanceOf(AppError);
      }
      expect(existsSync(outside)).toBe(false);
      expect([text('folder/kept.txt'), text('.hyperagent/x'), text('a.txt')]).toEqual([
        ...['kept', 'ours', 'one'],
      ]);
      expect([saved, said]).toEqual([[], []]);
    },
  );
});
