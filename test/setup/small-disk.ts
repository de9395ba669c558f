import { execFileSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDir } from '../main/storage/support.ts';

export const canMount = process.platform === 'linux' && process.getuid?.() === 0;
export const whyNoDisk = canMount ? '' : ' (skipped: only root on Linux can mount a small disk)';

/** A separate disk of this size, in a folder of its own, until the test ends. */
export function smallDisk(kilobytes: number): string {
  const dir = temporaryDir();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', dir]);
  onTestFinished(() => void execFileSync('umount', ['-l', dir]));
  return dir;
}

/** Fills a small disk but for `leftBytes`; resolves to the file that takes the room. */
export function fillDisk(dir: string, leftBytes: number): string {
  const { bavail, bsize } = statfsSync(dir);
  const file = join(dir, 'takes-the-room');
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
  return file;
}
