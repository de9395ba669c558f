import { lchown, readdir } from 'node:fs/promises';
import path from 'node:path';

/** The host user of programs in a sandbox if the app itself runs as root. */
export const ORDINARY_UID = 1000;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The owner that files of a workspace need so that programs inside can change them. Null if programs run as
 * the app's own user, which they do unless the app runs as root.
 */
export function workspaceOwner(): Owner | null {
  return process.getuid?.() === 0 ? { uid: ORDINARY_UID, gid: ORDINARY_UID } : null;
}

/** Gives `dir` to the programs if they run as another user. Its contents already belong to them. */
export async function giveToPrograms(dir: string): Promise<void> {
  const owner = workspaceOwner();
  if (owner !== null) await lchown(dir, owner.uid, owner.gid);
}

/** The same for everything in a folder that no program sees yet. */
export async function giveTreeToPrograms(dir: string): Promise<void> {
  if (workspaceOwner() === null) return;
  await giveToPrograms(dir);
  const entries = await readdir(dir, { withFileTypes: true, recursive: true });
  for (const { parentPath, name } of entries) await giveToPrograms(path.join(parentPath, name));
}
