import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CheckItem } from '#contract/entities.ts';

/** Space that a task with files, and the image of the sandbox, may need. */
const COMFORTABLE_BYTES = 5e9;
const TOO_LITTLE_BYTES = 5e8;

/** Whether the data folder is writable, and how much space is free. A missing folder is not created. */
export async function checkDataFolder(dataDir: string): Promise<CheckItem> {
  const item = { id: 'data-folder', label: 'Data folder' };
  try {
    await tryToWrite(dataDir);
    const { bavail, bsize } = await statfs(existingPart(dataDir));
    const free = bavail * bsize;
    const detail = `${dataDir}, ${describeBytes(free)} free`;
    if (free >= COMFORTABLE_BYTES) return { ...item, status: 'ok', detail, remedy: null };
    const remedy = 'Free some space on that disk, or choose another folder with --data-dir.';
    const status = free < TOO_LITTLE_BYTES ? 'failed' : 'ok';
    return { ...item, status, detail, remedy };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return {
      ...item,
      status: 'failed',
      detail: `${dataDir} cannot be written (${code})`,
      remedy: 'Make it writable for you, or choose another folder with --data-dir.',
    };
  }
}

/** Permissions are not enough (read-only or full disks, access lists), so a file is written. */
async function tryToWrite(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return access(existingPart(dataDir), constants.W_OK);
  const probe = join(dataDir, `.writable-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(probe, 'x', { flag: 'wx', mode: 0o600 });
  } finally {
    await rm(probe, { force: true });
  }
}

function existingPart(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingPart(dirname(path));
}

function describeBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
