import { constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { chmod, lchown, mkdir, open, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { FolderHandle } from './confined-path.ts';
import { workspaceOwner } from './owner.ts';
import { isTooDeep } from './tree-bounds.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Copies a workspace to a new folder that no program sees. Programs may change the source meanwhile: each of
 * its folders is kept open, links are copied as links, and everything else that is not a file or folder is
 * left out, as are folders that are nested too deeply. A missing source gives an empty copy.
 */
export async function copyWorkspaceTree(from: string, to: string): Promise<void> {
  if (lstatSync(from, { throwIfNoEntry: false }) === undefined) return;
  using folder = new FolderHandle(from);
  await copyFolder(folder, to, '');
}

async function copyFolder(from: FolderHandle, to: string, prefix: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const owner = workspaceOwner();
  for (const name of readdirSync(from.at())) {
    const info = lstatSync(from.at(name), { throwIfNoEntry: false });
    const target = path.join(to, name);
    if (info === undefined) continue;
    if (info.isSymbolicLink()) {
      await symlink(readlinkSync(from.at(name)), target);
    } else if (info.isDirectory()) {
      const below = `${prefix}${name}/`;
      if (isTooDeep(below)) continue;
      using inner = new FolderHandle(from.at(name));
      await copyFolder(inner, target, below);
    } else if (info.isFile()) {
      await copyFile(from.at(name), target, info.mode & 0o777);
      await utimes(target, info.atime, info.mtime);
    } else {
      continue;
    }
    if (owner !== null) await lchown(target, owner.uid, owner.gid);
  }
  if (owner !== null) await lchown(to, owner.uid, owner.gid);
}

async function copyFile(from: string, to: string, mode: number): Promise<void> {
  await using source = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  // A link or a pipe may have replaced the file since it was checked.
  if (!(await source.stat()).isFile()) return;
  await using target = await open(to, 'wx', mode);
  for await (const chunk of source.createReadStream({ autoClose: false })) {
    await target.write(chunk as Buffer);
  }
  await chmod(to, mode);
}
