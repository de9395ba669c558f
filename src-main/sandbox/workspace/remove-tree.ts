import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { errorCode, HeldFolder, tooDeep } from './confined-path.ts';
import { isTooManyFolders } from './tree-bounds.ts';

/** Bytes of a path to which any name can be added still; systems take 4,096, some 1,024. */
const LONGEST_PATH_BYTES = 700;

/**
 * Removes `name` and all below it. Programs may swap a folder for a link while this works (removal by
 * path would then empty another folder of the host), so each folder is held while it is emptied. Throws
 * `BAD_REQUEST` where folders lie too deep; what is above them is there still.
 */
export function removeConfined(folder: HeldFolder, name: string, depth = 1): void {
  if (!lstatSync(folder.at(name)).isDirectory()) {
    unlinkSync(folder.at(name));
    return;
  }
  if (isTooManyFolders(depth)) throw tooDeep(name);
  {
    using inner = new HeldFolder(folder.at(name));
    for (const entry of readdirSync(inner.at())) removeConfined(inner, entry, depth + 1);
  }
  rmdirSync(folder.at(name));
}

/**
 * Removes the whole workspace once nothing runs in it: folders that tools made read-only included, and
 * those that lie so deep that the system takes no path to them.
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

/** Every folder writable, and none deeper than a path can name: such ones come to the top. */
async function makeRemovable(dir: string): Promise<void> {
  // Names need not be text.
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

/** The folders in one, which is made writable; none where the first attempt at removal was quicker. */
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
