import { lchown } from 'node:fs/promises';

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
