import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PartDisk, systemDisk } from '#main/models/files/part-file.ts';
import { modelBytes } from '../../../fakes/model-files.ts';
import {
  completed,
  files,
  folder,
  open,
  partSize,
  pinned,
  registerDownloads,
  SIZE,
  server,
  settled,
  sha256,
  wanted,
} from './support.ts';

registerDownloads();

describe('the disk', () => {
  const withFree = (free: () => number): PartDisk => ({
    ...systemDisk,
    freeBytes: () => Promise.resolve(free()),
  });

  it('is asked before the first byte of the file', async () => {
    const downloads = open({ disk: withFree(() => 500e6 + SIZE - 1) });
    await downloads.start(wanted());
    expect(await settled(downloads)).toMatchObject({
      status: 'failed',
      problem: expect.stringMatching(/not enough space.*resume/),
    });
    expect([partSize(), completed]).toEqual([0, []]);
  });

  it('that fills up on the way fails the download, which is resumed when there is space', async () => {
    let isFull = true;
    const disk: PartDisk = {
      freeBytes: () => Promise.resolve(1e12),
      open: async (path) => {
        const handle = await systemDisk.open(path);
        const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
        Object.assign(handle, {
          write: async (...args: [Buffer, number, number, number]) => {
            const [, , length, position] = args;
            if (isFull && position + length > 200_000) {
              throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
            }
            return await write(...args);
          },
        });
        return handle;
      },
    };
    const downloads = open({ disk });
    const { id } = await downloads.start(wanted());
    expect(await settled(downloads)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('not enough space'),
    });
    expect([files().includes('model.gguf'), completed]).toEqual([false, []]);

    isFull = false;
    await downloads.resume(id);
    expect(await settled(downloads)).toMatchObject({ status: 'completed', sha256 });
  });

  it.each(['read', 'open'] as const)(
    'that cannot %s the part for its hash keeps it, and it is checked again',
    async (step) => {
      let fails = true;
      let opened = 0;
      const failure = Object.assign(new Error('i/o error'), { code: 'EIO' });
      const disk: PartDisk = {
        freeBytes: () => Promise.resolve(1e12),
        open: async (path) => {
          opened += 1;
          // The first time, it is opened to be written.
          const breaks = fails && opened === 2;
          if (breaks && step === 'open') throw failure;
          const handle = await systemDisk.open(path);
          if (breaks) Object.assign(handle, { read: () => Promise.reject(failure) });
          return handle;
        },
      };
      const downloads = open({ disk });
      const { id } = await downloads.start(wanted());
      expect(await settled(downloads)).toMatchObject({
        ...{ status: 'failed', completedBytes: SIZE },
        problem: expect.stringMatching(/cannot be read \(EIO\).*is kept/),
      });
      expect(partSize()).toBe(SIZE);
      fails = false;
      await downloads.resume(id);
      expect(await settled(downloads)).toMatchObject({ status: 'completed', sha256 });
      expect(server.ranges).toHaveLength(1);
    },
  );

  it('has another file of that name meanwhile, which stays', async () => {
    server.behaviour.holdAfter = 150_000;
    const downloads = open();
    const { id } = await downloads.start(wanted());
    await expect.poll(partSize).toBe(150_000);
    await writeFile(join(folder, 'model.gguf'), 'mine');
    server.release();
    expect(await settled(downloads)).toMatchObject({
      ...{ status: 'failed', completedBytes: SIZE },
      problem: expect.stringContaining('Move that file, then resume'),
    });
    expect([readFileSync(join(folder, 'model.gguf'), 'utf8'), partSize()]).toEqual(['mine', SIZE]);
    rmSync(join(folder, 'model.gguf'));
    await downloads.resume(id);
    expect(await settled(downloads)).toMatchObject({ status: 'completed' });
    expect(files()).toEqual(['model.gguf']);
  });

  it('has the file under both names, because the app ended in between', async () => {
    server.behaviour.holdAfter = 150_000;
    const downloads = open();
    await downloads.start(wanted());
    await expect.poll(partSize).toBe(150_000);
    linkSync(join(folder, 'model.gguf.part'), join(folder, 'model.gguf'));
    server.release();
    expect(await settled(downloads)).toMatchObject({ status: 'completed', sha256 });
    expect(files()).toEqual(['model.gguf']);
  });

  it('is not written through a link that waits where the part belongs', async () => {
    const victim = join(folder, '..', 'victim');
    await mkdir(folder);
    await writeFile(victim, 'mine');
    await symlink(victim, join(folder, 'model.gguf.part'));
    const downloads = open();
    await downloads.start(wanted());
    expect(await settled(downloads)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('ELOOP'),
    });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });
});

describe('a pause', () => {
  it('keeps what has arrived, over a restart of the app', async () => {
    server.behaviour.holdAfter = 150_000;
    const first = open();
    const { id } = await first.start(wanted());
    await expect.poll(partSize).toBe(150_000);
    expect(await first.pause(id)).toMatchObject({ status: 'paused', completedBytes: 150_000 });
    await first[Symbol.asyncDispose]();
    server.release();

    const second = open();
    expect(await second.list()).toMatchObject([
      { id, status: 'paused', completedBytes: 150_000, totalBytes: SIZE, sha256 },
    ]);
    await second.resume(id);
    expect(await settled(second)).toMatchObject({ status: 'completed' });
    expect(server.ranges).toEqual([null, 'bytes=150000-']);
    expect(files()).toEqual(['model.gguf']);
  });

  it('of an app that ended in the middle is the same', async () => {
    server.behaviour.holdAfter = 150_000;
    const first = open();
    await first.start(wanted());
    await expect.poll(partSize).toBe(150_000);
    await first[Symbol.asyncDispose]();
    server.release();

    const second = open();
    await second.start(wanted());
    expect(await settled(second)).toMatchObject({ status: 'completed' });
    expect(server.ranges).toEqual([null, 'bytes=150000-']);
  });

  it('of a part that was changed on the disk meanwhile ends without a model', async () => {
    server.behaviour.holdAfter = 150_000;
    const downloads = open();
    const { id } = await downloads.start(wanted());
    await expect.poll(partSize).toBe(150_000);
    await downloads.pause(id);
    await writeFile(join(folder, 'model.gguf.part'), modelBytes(150_000));
    server.release();
    await downloads.resume(id);
    expect((await settled(downloads)).status).toBe('failed');
    expect([files(), completed]).toEqual([[], []]);
  });

  it('and a removal leave nothing behind', async () => {
    server.behaviour.holdAfter = 150_000;
    const downloads = open();
    const { id } = await downloads.start(wanted());
    await expect.poll(partSize).toBe(150_000);
    await downloads.remove(id);
    expect([files(), await downloads.list()]).toEqual([[], []]);
  });

  it.each(['{', '[]', '{"file":"../../evil.gguf"}', `{"file":"${'a'.repeat(40_000)}.gguf"}`])(
    'is not read from a record like %.30s',
    async (text) => {
      await mkdir(folder);
      await writeFile(join(folder, 'model.gguf.part.json'), text);
      expect(await open().list()).toEqual([]);
    },
  );
});

// Windows has no pipes with a path.
it.skipIf(process.platform === 'win32')(
  'reads no record from a pipe, or from a file that is too large for memory',
  async () => {
    await mkdir(folder, { recursive: true });
    execFileSync('mkfifo', [join(folder, 'pipe.gguf.part.json')]);
    const large = join(folder, 'large.gguf.part.json');
    await writeFile(large, '');
    truncateSync(large, 8e9);
    const record = { ...wanted(), id: 'dl_1', file: 'other.gguf', etag: null };
    await writeFile(join(folder, 'other.gguf.part.json'), JSON.stringify(record));
    expect((await open().list()).map(({ id }) => id)).toEqual(['dl_1']);
  },
);

it('takes another name where a file has its own', async () => {
  const downloads = open();
  await downloads.start(wanted());
  await settled(downloads);
  await downloads.start(wanted());
  await expect.poll(files).toEqual(['model-2.gguf', 'model.gguf']);
  await expect(downloads.start(pinned({ byUser: false }))).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

it('two unfinished files whose names differ in case only have parts of their own', async () => {
  const downloads = open();
  const files: string[] = [];
  for (const file of ['Model.gguf', 'model.gguf']) {
    const url = `https://files.example/${file}`;
    files.push((await downloads.start({ ...wanted(null), url, file })).file.toLowerCase());
  }
  expect(new Set(files).size).toBe(2);
});

it.each(['folder', 'link'])('a %s in the place of a part hides no other download', async (kind) => {
  await mkdir(folder, { recursive: true });
  for (const [id, file] of [
    ['dl_1', 'broken.gguf'],
    ['dl_2', 'other.gguf'],
  ] as const) {
    const record = { ...wanted(), id, file, etag: null };
    await writeFile(join(folder, `${file}.part.json`), JSON.stringify(record));
  }
  const place = join(folder, 'broken.gguf.part');
  await (kind === 'folder' ? mkdir(place) : symlink(join(folder, 'elsewhere'), place));
  const listed = await open().list();
  expect(listed.map(({ id, status }) => `${id} ${status}`).sort()).toEqual([
    'dl_1 paused',
    'dl_2 paused',
  ]);
});
