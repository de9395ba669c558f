import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Settings } from '#contract/entities.ts';
import type { ModelDownload } from '#contract/local-models.ts';
import { systemClock } from '#main/base/clock.ts';
import { ModelDownloads, type ModelDownloadsParts } from '#main/models/files/model-downloads.ts';
import { parseModelReference, type WantedFile } from '#main/models/files/model-reference.ts';
import { type PartDisk, systemDisk } from '#main/models/files/part-file.ts';
import { testEgress } from '../../../fakes/egress.ts';
import {
  type ModelFileServer,
  modelBytes,
  sha256Of,
  startModelFileServer,
} from '../../../fakes/model-files.ts';

const SIZE = 400_000;
const body = modelBytes(SIZE);
const sha256 = sha256Of(body);

let folder: string;
let server: ModelFileServer;
let completed: string[];
let seen: ModelDownload[];
let opened: ModelDownloads[];
let egress: ReturnType<typeof testEgress>;

beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'hyperagent-models-')), 'models');
  server = await startModelFileServer(body);
  [completed, seen, opened] = [[], [], []];
  egress = testEgress({ names: { 'files.example': ['127.0.0.1'] } });
});

afterEach(async () => {
  for (const downloads of opened) await downloads[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

function open(more: Partial<ModelDownloadsParts> = {}): ModelDownloads {
  const downloads = new ModelDownloads({
    ...{ folder, egress: egress.egress, clock: systemClock, pauseMs: 0 },
    onChange: (download) => seen.push(download),
    onCompleted: (path) => completed.push(path),
    ...more,
  });
  opened.push(downloads);
  return downloads;
}

const wanted = (hash: string | null = sha256): WantedFile => parseModelReference(server.url, hash);
/** As an entry of the app's own table. */
const pinned = (more: Partial<WantedFile> = {}): WantedFile => ({
  ...{ ...wanted(), bytes: SIZE, licence: 'Apache-2.0' },
  ...more,
});

/** The download once it stands still. */
async function settled(downloads: ModelDownloads): Promise<ModelDownload> {
  await expect
    .poll(async () => (await downloads.list())[0]?.status, { timeout: 20_000 })
    .toMatch(/paused|failed|completed/);
  const [download] = await downloads.list();
  if (download === undefined) throw new Error('there is no download');
  return download;
}

const files = (): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
const partSize = (): number =>
  statSync(join(folder, 'model.gguf.part'), { throwIfNoEntry: false })?.size ?? 0;

describe('a download', () => {
  it('becomes a model once its hash was checked, and is on the list of connections', async () => {
    const downloads = open();
    await downloads.start(wanted());

    expect(await settled(downloads)).toMatchObject({
      ...{ status: 'completed', file: 'model.gguf', sha256, licence: null, problem: null },
      ...{ completedBytes: SIZE, totalBytes: SIZE },
    });
    expect(files()).toEqual(['model.gguf']);
    expect(readFileSync(join(folder, 'model.gguf')).equals(body)).toBe(true);
    expect(completed).toEqual([join(folder, 'model.gguf')]);
    expect(seen.map(({ status }) => status)).toContain('checking');
    expect(egress.store.lines).toMatchObject([{ actor: 'model', verdict: 'allowed', runId: null }]);
  });

  it('without a hash tells the hash that the file has', async () => {
    const downloads = open();
    await downloads.start(wanted(null));
    expect(await settled(downloads)).toMatchObject({ status: 'completed', sha256 });
  });

  it('with a wrong hash is deleted, and nothing is left to load', async () => {
    const downloads = open();
    await downloads.start(wanted('0'.repeat(64)));

    const { status, problem } = await settled(downloads);
    expect(status).toBe('failed');
    expect(problem).toContain(sha256);
    expect([files(), completed]).toEqual([[], []]);
  });

  it('that is no model file is deleted', async () => {
    server.behaviour.body = Buffer.from('<html>Please sign in</html>');
    const downloads = open();
    await downloads.start(wanted(null));
    expect(await settled(downloads)).toMatchObject({
      ...{ status: 'failed', problem: 'What arrived is not a model file (GGUF).' },
    });
    expect(files()).toEqual([]);
  });

  it('that is cut goes on where it was, by itself', async () => {
    server.behaviour.cutAfter = 150_000;
    const downloads = open();
    await downloads.start(wanted());

    expect(await settled(downloads)).toMatchObject({ status: 'completed', sha256 });
    const [first, ...others] = server.ranges.map((range) => Number(/\d+/.exec(range ?? '')));
    expect(first).toBe(0);
    expect(others.length).toBeGreaterThanOrEqual(2);
    // What had arrived was never asked for again.
    expect(others.every((start, index) => start > (others[index - 1] ?? 0))).toBe(true);
  });

  it('that is always cut at once fails, keeps what it has, and is resumed by hand', async () => {
    server.behaviour.cutAfter = 150_000;
    server.behaviour.ignoresRange = true;
    const downloads = open();
    const { id } = await downloads.start(wanted());
    const arrived = (await settled(downloads)).completedBytes;
    // How much of what was sent survives a cut is up to the system.
    expect(arrived).toBeGreaterThan(0);
    expect([partSize(), completed, files().includes('model.gguf')]).toEqual([arrived, [], false]);

    server.behaviour.cutAfter = null;
    server.behaviour.ignoresRange = false;
    await downloads.resume(id);
    expect(await settled(downloads)).toMatchObject({ status: 'completed', problem: null });
    expect(server.ranges.at(-1)).toBe(`bytes=${arrived}-`);
  });

  it.each([
    ['ignores ranges', { ignoresRange: true }],
    ['has no version', { etag: null }],
    ['has only a weak version', { etag: 'W/"v1"' }],
  ])('from a server that %s starts over, and is whole', async (_case, behaviour) => {
    server.behaviour.holdAfter = 150_000;
    const downloads = open();
    Object.assign(server.behaviour, behaviour);
    const { id } = await downloads.start(wanted(null));
    await expect.poll(partSize).toBe(150_000);
    await downloads.pause(id);
    server.release();
    await downloads.resume(id);

    expect(await settled(downloads)).toMatchObject({ status: 'completed', sha256 });
  });

  it.each([false, true])(
    'of a file that changed meanwhile starts over (If-Range ignored: %s)',
    async (ignoresIfRange) => {
      server.behaviour.holdAfter = 150_000;
      const downloads = open();
      const { id } = await downloads.start(wanted(null));
      await expect.poll(partSize).toBe(150_000);
      await downloads.pause(id);
      const changed = modelBytes(SIZE + 7);
      Object.assign(server.behaviour, { body: changed, etag: '"v2"', ignoresIfRange });
      server.release();
      await downloads.resume(id);

      expect(await settled(downloads)).toMatchObject({
        ...{ status: 'completed', sha256: sha256Of(changed), totalBytes: SIZE + 7 },
      });
    },
  );

  it('is refused when the server announces another size than the app knows', async () => {
    const downloads = open();
    await downloads.start({ ...pinned({ bytes: SIZE - 1 }), byUser: true });
    // A size that was announced before may change; that of the app's table may not.
    expect((await settled(downloads)).status).toBe('completed');
    egress.settings.current = Settings.parse({ egressPrivateHosts: [new URL(server.url).host] });
    const again = open({ folder: join(folder, 'again') });
    await again.start(pinned({ bytes: SIZE - 1, byUser: false }));
    expect(await settled(again)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining(`announces ${SIZE} bytes instead of ${SIZE - 1}`),
    });
  });

  it('that is longer than the app knows is stopped where its size is not announced', async () => {
    egress.settings.current = Settings.parse({ egressPrivateHosts: [new URL(server.url).host] });
    server.behaviour.chunked = true;
    const downloads = open();
    await downloads.start(pinned({ bytes: SIZE - 1, byUser: false }));
    expect(await settled(downloads)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('sends more than'),
    });
    expect([partSize(), completed]).toEqual([0, []]);
  });

  it.each([
    'http://127.0.0.1:1/model.gguf',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/model.gguf',
    'http://files.example/model.gguf',
    'file:///etc/passwd',
  ])('does not follow a redirect to %s', async (target) => {
    server.behaviour.redirect = target;
    const downloads = open();
    await downloads.start(wanted());

    const { status, problem } = await settled(downloads);
    expect(status).toBe('failed');
    expect(problem).toMatch(/not on the public internet|this computer itself|must begin with http/);
    expect(server.ranges).toHaveLength(1);
    expect([partSize(), completed]).toEqual([0, []]);
  });

  it('without a hash does not leave this computer for an unencrypted address', async () => {
    server.behaviour.redirect = 'http://files.example/model.gguf';
    const downloads = open();
    await downloads.start(wanted(null));
    expect(await settled(downloads)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('redirects to an unencrypted address'),
    });
    expect([server.ranges.length, completed]).toEqual([1, []]);
  });

  it('without a hash follows a redirect on this computer', async () => {
    server.behaviour.redirect = '/other.gguf';
    const downloads = open();
    await downloads.start(wanted(null));
    expect(await settled(downloads)).toMatchObject({ status: 'completed', sha256 });
  });

  it('follows a redirect on its own server', async () => {
    server.behaviour.redirect = '/other.gguf';
    const downloads = open();
    await downloads.start(wanted());
    expect(await settled(downloads)).toMatchObject({ status: 'completed', file: 'model.gguf' });
  });

  it('needs the network', async () => {
    egress.settings.current = Settings.parse({ egress: 'offline' });
    const downloads = open();
    await downloads.start(wanted());
    expect(await settled(downloads)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('switched off'),
    });
    expect(server.ranges).toEqual([]);
  });

  it('never reaches a private address that only the app named', async () => {
    const downloads = open();
    await downloads.start(pinned({ byUser: false }));
    expect(await settled(downloads)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('not on the public internet'),
    });
  });

  it('is given up when the server falls silent, and can be resumed', async () => {
    server.behaviour.holdAfter = 0;
    const downloads = open({ stalledAfterMs: 400 });
    const { id } = await downloads.start(wanted());
    expect(await settled(downloads)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('sent nothing for a while'),
    });
    server.release();
    await downloads.resume(id);
    expect(await settled(downloads)).toMatchObject({ status: 'completed' });
  });
});

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
