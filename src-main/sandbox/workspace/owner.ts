import { lchown } from 'node:fs/promises';

/** Who the programs in a sandbox are on the host when the app itself runs as root. */
export const ORDINARY_UID = 1000;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Whom files of a workspace must be given to so that programs inside can change them. Null if they
 * are the app's own user, which is so unless the app runs as root: programs never do.
 */
export function workspaceOwner(): Owner | null {
  return process.getuid?.() === 0 ? { uid: ORDINARY_UID, gid: ORDINARY_UID } : null;
}

/** Makes `dir` theirs, if programs are somebody else. What lies in it was made by them or for them. */
export async function giveToPrograms(dir: string): Promise<void> {
  const owner = workspaceOwner();
  if (owner !== null) await lchown(dir, owner.uid, owner.gid);
}
