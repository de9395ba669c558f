import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { modelBytes, sha256Of } from '../../../fakes/model-files.ts';
import {
  body,
  completed,
  egress,
  files,
  folder,
  open,
  partSize,
  pinned,
  registerDownloads,
  SIZE,
  seen,
  server,
  settled,
  sha256,
  wanted,
} from './support.ts';

registerDownloads();

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
    expect(egress.store.lines).toMatchObject([{ actor: 'app', verdict: 'allowed', runId: null }]);
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
