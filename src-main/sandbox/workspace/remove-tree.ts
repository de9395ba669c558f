import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { errorCode, FolderHandle, tooDeep } from './confined-path.ts';
import { isTooManyFolders } from './tree-bounds.ts';

/** Longest path to which any name can still be added; systems allow 4,096 bytes, some 1,024. */
const LONGEST_PATH_BYTES = 700;

/**
 * Removes `name` and everything below it. Programs may swap a folder for a link meanwhile (removal by path
 * would then empty another folder of the host), so each folder is kept open while it is emptied. Throws
 * `BAD_REQUEST` if folders are nested too deeply; those above them remain.
 */
export function removeConfined(folder: FolderHandle, name: string, depth = 1): void {
  if (!lstatSync(folder.at(name)).isDirectory()) {
    unlinkSync(folder.at(name));
    return;
  }
  if (isTooManyFolders(depth)) throw tooDeep(name);
  {
    using inner = new FolderHandle(folder.at(name));
    for (const entry of readdirSync(inner.at())) removeConfined(inner, entry, depth + 1);
  }
  rmdirSync(folder.at(name));
}

/**
 * Removes the whole workspace once nothing runs in it, including read-only folders and folders nested so
 * deeply that their path is too long for the system.
 */
export async function removeWorkspace(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'ENAMETOOLONG', 'EMFILE'].includes(errorCode(error) ?? '')) throw error;
    await makeRemovable(dir);
    await rm(dir, { recursive: true, force: true });
  }
}

/** Makes every folder writable, and moves those with too long a path to the top. */
async function makeRemovable(dir: string): Promise<void> {
  // Names need not be valid text.
  const top = Buffer.from(`${dir}/`);
  const waiting = [top];
  for (const folder of waiting) {
    for (const entry of await foldersIn(folder)) {
      let inner = Buffer.concat([folder, entry, Buffer.from('/')]);
      if (inner.length > LONGEST_PATH_BYTES + top.length) {
        const moved = Buffer.concat([top, Buffer.from(`${randomUUID()}/`)]);
        await rename(inner, moved);
        inner = moved;
      }
      waiting.push(inner);
    }
  }
}

/** Makes a folder writable and lists the folders in it; none if it was already removed. */
async function foldersIn(folder: Buffer): Promise<Buffer[]> {
  try {
    await chmod(folder, 0o700);
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
