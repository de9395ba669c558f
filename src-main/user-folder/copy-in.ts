import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import {
  FOLDER_LEFT_OUT_LIMIT,
  type FolderContents,
  type FolderLeftOut,
} from '#contract/user-folder.ts';
import type { Entry, Manifest } from '../sandbox/snapshots/manifest.ts';
import { type Found, scanTree } from '../sandbox/snapshots/tree-scan.ts';
import { errorCode } from '../sandbox/workspace/confined-path.ts';
import { copyAndHash, openFile } from './confined-files.ts';
import { FOLDER_BYTES_LIMIT, FOLDER_FILES_LIMIT, isExcluded } from './folder-rules.ts';

export interface ListedFolder {
  readonly files: readonly (Found & { readonly bytes: number })[];
  readonly folders: readonly Found[];
  readonly bytes: number;
  readonly leftOut: readonly FolderLeftOut[];
}

/**
 * Lists a folder as it is copied: plain files and folders. Links and what `isExcluded` names are left out. Throws
 * `BAD_REQUEST` if it holds more than a task takes.
 */
export async function listFolder(dir: string): Promise<ListedFolder> {
  const leftOut: FolderLeftOut[] = [];
  const scan = await scanTree(dir, {
    // Folders count too, and links.
    limit: FOLDER_FILES_LIMIT * 2,
    isExcluded: (found) => {
      if (!isExcluded(found)) return false;
      leftOut.push({ path: found, reason: 'excluded' });
      return true;
    },
  });
  leftOut.push(...scan.leftOut.map(({ path: found, reason }) => ({ path: found, reason })));
  if (leftOut.some(({ reason }) => reason === 'too_many')) throw tooLarge(dir);
  const files: (Found & { readonly bytes: number })[] = [];
  const folders: Found[] = [];
  let bytes = 0;
  for (const found of scan.found) {
    if (found.what.kind === 'file') {
      files.push({ ...found, bytes: found.what.size });
      bytes += found.what.size;
    } else if (found.what.kind === 'folder') folders.push(found);
    else leftOut.push({ path: found.path, reason: 'link' });
  }
  if (files.length > FOLDER_FILES_LIMIT || bytes > FOLDER_BYTES_LIMIT) throw tooLarge(dir);
  return { files, folders, bytes, leftOut };
}

/** The listing as it is shown. */
export function describeContents({ files, bytes, leftOut }: ListedFolder): FolderContents {
  return {
    files: files.length,
    bytes,
    leftOut: leftOut.slice(0, FOLDER_LEFT_OUT_LIMIT),
    leftOutCount: leftOut.length,
  };
}

/**
 * Copies a folder to `to`, which no program sees yet. The manifest holds exactly what was copied; a file that is gone
 * or unreadable by then is left out. Throws `BAD_REQUEST` if the folder is too large, and what writing throws.
 */
export async function copyFolderIn(
  dir: string,
  to: string,
): Promise<{ readonly baseline: Manifest; readonly contents: FolderContents }> {
  const listed = await listFolder(dir);
  const leftOut = [...listed.leftOut];
  await mkdir(to, { recursive: true, mode: 0o755 });
  for (const { path: folder } of listed.folders) await mkdir(path.join(to, folder));
  const entries: Entry[] = listed.folders.map(({ path: folder, mode }) => ({
    ...{ path: folder, kind: 'folder', mode },
  }));
  let bytes = 0;
  for (const { path: file } of listed.files) {
    const copied = await copyFile(dir, file, path.join(to, file));
    if (copied === null) {
      leftOut.push({ path: file, reason: 'unreadable' });
      continue;
    }
    bytes += copied.size;
    // It may grow while it is copied.
    if (bytes > FOLDER_BYTES_LIMIT) throw tooLarge(dir);
    entries.push(copied);
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const files = listed.files.slice(0, entries.length - listed.folders.length);
  return {
    baseline: { entries, leftOut: [] },
    contents: describeContents({ ...listed, files, bytes, leftOut }),
  };
}

/** Null for a file that cannot be read, or is none any more. */
async function copyFile(
  root: string,
  file: string,
  to: string,
): Promise<Extract<Entry, { kind: 'file' }> | null> {
  await using source = await openReadable(root, file);
  if (source.kind !== 'file') return null;
  const mode = source.info.mode & 0o777;
  await using target = await open(to, 'wx', 0o600);
  const { sha256, bytes } = await copyAndHash(source.handle, target);
  // Programs inside must be able to change it, whatever the user's own file allows.
  await target.chmod(mode | 0o600);
  return { path: file, kind: 'file', mode, size: bytes, sha256 };
}

async function openReadable(root: string, file: string): ReturnType<typeof openFile> {
  try {
    return await openFile({ root, path: file });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EIO'].includes(errorCode(error) ?? '')) throw error;
    return { kind: 'other', [Symbol.asyncDispose]: async () => undefined };
  }
}

function tooLarge(dir: string): AppError {
  const gigabytes = FOLDER_BYTES_LIMIT / 1024 ** 3;
  return new AppError(
    'BAD_REQUEST',
    `${dir} is too large for a task: the limit is ${FOLDER_FILES_LIMIT.toLocaleString('en')} files and ${gigabytes} GB. Choose a folder in it.`,
  );
}
