import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { readUserFile } from '#main/cli/user-file.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hyperagent-given-'));
  const made = dir;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

it('reads a regular file, also through a link, up to the limit', async () => {
  writeFileSync(join(dir, 'a'), '12345');
  symlinkSync('a', join(dir, 'link'));
  expect((await readUserFile(join(dir, 'link'), 5)).toString()).toBe('12345');
  await expect(readUserFile(join(dir, 'a'), 4)).rejects.toMatchObject({ bytes: 5 });
  await expect(readUserFile(dir, 4)).rejects.toThrow('it is a folder');
  await expect(readUserFile(join(dir, 'none'), 4)).rejects.toThrow('the file does not exist');
});

it.skipIf(process.platform === 'win32')(
  'waits for no pipe, and reads no device without end (not run: Windows has none by name)',
  async () => {
    const [pipe, socket] = [join(dir, 'pipe'), join(dir, 'socket')];
    execFileSync('mkfifo', [pipe]);
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    for (const file of [pipe, socket, '/dev/zero']) {
      await expect(readUserFile(file, 1_000)).rejects.toThrow('it is not a regular file');
    }
  },
);

it.skipIf(process.platform !== 'linux')(
  'reads a file of the system, which has no size, to its end (not run: Linux only)',
  async () => {
    expect((await readUserFile('/proc/self/status', 100_000)).toString()).toContain('Name:');
    await expect(readUserFile('/proc/self/status', 10)).rejects.toThrow('too large');
  },
);
