import { rmdirSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { ChangeToApply, RefusedChange } from '#contract/user-folder.ts';
import { errorCode, resolveConfined } from '../sandbox/workspace/confined-path.ts';
import type { AppliedFile } from '../storage/user-folder-store.ts';
import {
  ABSENT,
  contentAt,
  copyAndHash,
  openFile,
  type Place,
  removeFile,
  replaceFile,
} from './confined-files.ts';
import { isWritablePath } from './folder-rules.ts';

/** Why a file was not written; null if it was. */
export type Refusal = RefusedChange['reason'] | null;

export interface ApplyPlaces {
  readonly folder: string;
  /** The workspace, and the name of the copy in it. */
  readonly workspace: string;
  readonly name: string;
  /** A folder of the app's own for what was there before; one file for each change, by its index. */
  readonly backups: string;
}

/**
 * Writes one change to the user's folder if both sides still hold what was shown. What was there before is in the
 * backups first.
 */
export async function applyChange(
  { path: file, now, becomes }: ChangeToApply,
  index: number,
  places: ApplyPlaces,
): Promise<Refusal> {
  if (!isWritablePath(file)) return 'blocked';
  const place = { root: places.folder, path: file };
  const stateIfStill = (): Promise<string | null> => stateHolding(place, now);
  return await refusalOf(async () => {
    if ((await stateIfStill()) === null) return 'changed';
    if (now !== null && !(await backUp(place, now, backupOf(places, index)))) return 'changed';
    if (becomes === null) {
      const copy = await contentAt({ root: places.workspace, path: `${places.name}/${file}` });
      if (copy.kind !== 'absent' && copy.kind !== 'folder') return 'changed';
      const state = await stateIfStill();
      return state !== null && removeFile(place, state) ? null : 'changed';
    }
    await using source = await openFile({ root: places.workspace, path: `${places.name}/${file}` });
    if (source.kind !== 'file') return 'changed';
    const isWritten = await replaceFile({
      place,
      source: source.handle,
      mode: (source.info.mode & 0o111) === 0 ? 0o644 : 0o755,
      mayReplace: async ({ sha256 }) => (sha256 === becomes ? await stateIfStill() : null),
    });
    return isWritten ? null : 'changed';
  });
}

/** Gives a file back what it held before; `changed` if it was edited since it was applied. */
export async function undoChange(
  { path: file, was, becomes }: AppliedFile,
  index: number,
  places: Pick<ApplyPlaces, 'folder' | 'backups'> & {
    /** Folders that were there before: they stay, even if they are empty. */
    readonly kept: ReadonlySet<string>;
  },
): Promise<Refusal> {
  const place = { root: places.folder, path: file };
  const stateIfStill = (): Promise<string | null> => stateHolding(place, becomes);
  return await refusalOf(async () => {
    // The app was killed before it was written.
    if ((await stateHolding(place, was)) !== null) return null;
    const state = await stateIfStill();
    if (state === null) return 'changed';
    if (was === null) {
      if (!removeFile(place, state)) return 'changed';
      removeEmptyFolders(place, places.kept);
      return null;
    }
    await using backup = await openFile({ root: places.backups, path: String(index) });
    if (backup.kind !== 'file') return 'changed';
    const isWritten = await replaceFile({
      place,
      source: backup.handle,
      mode: backup.info.mode,
      mayReplace: async ({ sha256 }) => (sha256 === was ? await stateIfStill() : null),
    });
    return isWritten ? null : 'changed';
  });
}

/** The state of a place that holds exactly this, or no file for null; null if it holds anything else. */
async function stateHolding(place: Place, sha256: string | null): Promise<string | null> {
  const content = await contentAt(place);
  if (content.kind === 'file') return content.sha256 === sha256 ? content.state : null;
  return content.kind === 'absent' && sha256 === null ? ABSENT : null;
}

function backupOf({ backups }: Pick<ApplyPlaces, 'backups'>, index: number): string {
  return path.join(backups, String(index));
}

/** Whether the file still held what was expected when it was copied. */
async function backUp(place: Place, expected: string, to: string): Promise<boolean> {
  await using source = await openFile(place);
  if (source.kind !== 'file') return false;
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  await using target = await open(to, 'w', source.info.mode & 0o700);
  const { sha256 } = await copyAndHash(source.handle, target);
  await target.chmod(source.info.mode & 0o777);
  await target.sync();
  return sha256 === expected;
}

/** Removes the folders of a removed file that are empty now, up to the first that is not or that is kept. */
function removeEmptyFolders({ root, path: file }: Place, kept: ReadonlySet<string>): void {
  const parts = file.split('/').slice(0, -1);
  for (; parts.length > 0 && !kept.has(parts.join('/')); parts.pop()) {
    try {
      using place = resolveConfined(root, parts.join('/'), { lastLink: 'keep', noLinks: true });
      rmdirSync(place.folder.at(place.name));
    } catch {
      // Not empty, or not removable: it stays.
      return;
    }
  }
}

/** Turns failures of the system into reasons; anything else is a bug and is thrown. */
async function refusalOf(work: () => Promise<Refusal>): Promise<Refusal> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (['ENOSPC', 'EDQUOT'].includes(code)) return 'disk_full';
    // A link or a file where a folder is needed.
    if (error instanceof AppError || ['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(code)) {
      return 'blocked';
    }
    if (code === 'ENOENT') return 'changed';
    // Access, a name that this disk cannot hold, and whatever else the system says.
    if (/^E[A-Z]+$/.test(code)) return 'denied';
    throw error;
  }
}
