import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, HeldFolder } from './confined-path.ts';

/**
 * Removes `name` and all below it. Programs may swap a folder for a link while this works (removal by
 * path would then empty another folder of the host), so each folder is held while it is emptied.
 */
export function removeConfined(folder: HeldFolder, name: string): void {
  if (!lstatSync(folder.at(name)).isDirectory()) {
    unlinkSync(folder.at(name));
    return;
  }
  {
    using inner = new HeldFolder(folder.at(name));
    for (const entry of readdirSync(inner.at())) removeConfined(inner, entry);
  }
  rmdirSync(folder.at(name));
}

/** Removes the whole workspace once nothing runs in it, folders that tools made read-only included. */
export async function removeWorkspace(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    await makeWritable(dir);
    await rm(dir, { recursive: true, force: true });
  }
}

async function makeWritable(dir: string): Promise<void> {
  await chmod(dir, 0o700);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(dir, entry.name));
  }
}
