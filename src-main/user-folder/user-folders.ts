import { lstatSync, renameSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import {
  type ChangeToApply,
  FOLDER_CHANGES_LIMIT,
  FOLDER_LEFT_OUT_LIMIT,
  type FolderChange,
  type FolderContents,
  type FolderLeftOut,
  type GivenFolder,
  type RefusedChange,
  type UserFolder,
} from '#contract/user-folder.ts';
import type { FileSide } from '#contract/workspace.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { isWithin } from '../library/folder-rules.ts';
import { type Entry, isFile, packManifest, unpackManifest } from '../sandbox/snapshots/manifest.ts';
import { errorCode } from '../sandbox/workspace/confined-path.ts';
import { FileSideReader } from '../sandbox/workspace/file-side.ts';
import { giveTreeToPrograms } from '../sandbox/workspace/owner.ts';
import type { AppliedFile, StoredFolder, UserFolderStore } from '../storage/user-folder-store.ts';
import { applyChange, type Refusal, undoChange } from './apply-changes.ts';
import { compareFolders } from './compare.ts';
import { copyAndHash, openFile, type Place } from './confined-files.ts';
import { copyFolderIn, describeContents, listFolder } from './copy-in.ts';
import { checkGivenFolder, isWritablePath } from './folder-rules.ts';

/** What may be otherwise at the next attempt: until then the backups are the only copy. */
const RETRIED: ReadonlySet<RefusedChange['reason']> = new Set(['denied', 'disk_full', 'blocked']);
/** Tasks whose hashes of unchanged files are kept. */
const REMEMBERED_TASKS = 20;

export interface UserFoldersParts {
  readonly store: UserFolderStore;
  readonly workspaceDir: (threadId: string) => string;
  /** Where copies are made before they are moved into a workspace; emptied at startup. */
  readonly stagingDir: string;
  /** Where the app keeps what was in a user's folder before changes were applied. */
  readonly backupsDir: string;
  readonly dataDir: string;
  readonly clock: Clock;
}

/** A folder that was copied into a workspace; `persist` stores it with its task. */
export interface CopiedFolder {
  readonly folder: UserFolder;
  readonly persist: () => void;
}

export interface Outcome {
  readonly written: string[];
  readonly refused: RefusedChange[];
}

/** The user's own folders in tasks: copied in, compared, and changed only by the user. */
export class UserFolders {
  readonly #parts: UserFoldersParts;
  readonly #hashes = new Map<string, Map<string, string>>();
  readonly #writing = new Set<string>();

  constructor(parts: UserFoldersParts) {
    this.#parts = parts;
  }

  /** What would be copied. Throws `BAD_REQUEST`, `LIBRARY_UNREADABLE`. */
  async check(typed: string): Promise<{ path: string; contents: FolderContents }> {
    const real = await checkGivenFolder(typed, this.#parts.dataDir);
    return { path: real, contents: describeContents(await listFolder(real)) };
  }

  /**
   * Copies a folder into the workspace of a task that has none yet. Nothing of it is in the workspace unless all is.
   * Throws `CONFLICT` for a second folder, `BAD_REQUEST`, `LIBRARY_UNREADABLE`, and what writing throws.
   */
  async copyIn(threadId: string, { path: typed, access }: GivenFolder): Promise<CopiedFolder> {
    const { store, workspaceDir, clock } = this.#parts;
    if (store.get(threadId) !== null) {
      throw new AppError(
        'CONFLICT',
        'This task has a folder already. Start a new task for another one.',
      );
    }
    const real = await checkGivenFolder(typed, this.#parts.dataDir);
    const workspace = workspaceDir(threadId);
    await mkdir(workspace, { recursive: true });
    // On the disk of the workspaces, so that it can be moved in as a whole.
    const staging = path.join(this.#parts.stagingDir, newId('folder', clock.now()));
    try {
      const { baseline, contents } = await copyFolderIn(real, staging);
      await giveTreeToPrograms(staging);
      const name = moveIn(staging, workspace, path.basename(real));
      const folder = { path: real, name, access, givenAt: clock.now(), contents };
      return {
        folder: { ...folder, applied: null },
        persist: () => store.put({ ...folder, threadId, baseline: packManifest(baseline).pack() }),
      };
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  /** Null if the task has none. */
  get(threadId: string): UserFolder | null {
    const stored = this.#parts.store.get(threadId);
    if (stored === null) return null;
    const { baseline: _baseline, threadId: _thread, ...folder } = stored;
    const last = this.#parts.store.lastApplication(threadId);
    const applied = last === null ? null : { at: last.at, files: last.files.length };
    return { ...folder, applied };
  }

  /** Throws `NOT_FOUND` for a task without a folder, `CONFLICT` if its copy is gone. */
  async changes(threadId: string): Promise<{
    changes: FolderChange[];
    count: number;
    leftOut: FolderLeftOut[];
    leftOutCount: number;
  }> {
    const stored = this.#folderOf(threadId);
    const { changes, leftOut } = await this.#compare(stored);
    return {
      changes: changes.slice(0, FOLDER_CHANGES_LIMIT),
      count: changes.length,
      leftOut: leftOut.slice(0, FOLDER_LEFT_OUT_LIMIT),
      leftOutCount: leftOut.length,
    };
  }

  /**
   * Both sides of a listed change. What the user reads here is what applying it writes: throws `CONFLICT` if either
   * side is not as listed any more. Throws `NOT_FOUND`.
   */
  async diff(
    threadId: string,
    { path: file, now, becomes }: ChangeToApply,
  ): Promise<{ now: FileSide; becomes: FileSide }> {
    const stored = this.#folderOf(threadId);
    const theirs: Place = { root: stored.path, path: file };
    return {
      now: isWritablePath(file) ? await sideOf(theirs, now) : { kind: 'absent' },
      becomes: await sideOf(this.#inCopy(stored, file), becomes),
    };
  }

  /**
   * Writes changes to the user's folder, each only if both sides are still as shown. Throws `BAD_REQUEST` for a
   * folder that was given to be read, `CONFLICT` while another call writes to it.
   */
  async apply(threadId: string, changes: readonly ChangeToApply[]): Promise<Outcome> {
    const stored = this.#folderOf(threadId);
    if (stored.access === 'read') {
      throw new AppError(
        'BAD_REQUEST',
        'You gave this folder to be read only. Nothing is written.',
      );
    }
    return await this.#whileWriting(stored.path, async () => {
      const { store, clock } = this.#parts;
      const id = newId('app', clock.now());
      // A file may have to make room for a folder of its name.
      const ordered = [...changes].sort(
        (a, b) => Number(a.becomes !== null) - Number(b.becomes !== null),
      );
      const copied = new Map(
        unpackManifest(stored.baseline)
          .entries.filter(isFile)
          .map((entry) => [entry.path, entry.sha256]),
      );
      const files = ordered.map(({ path: file, now: was, becomes }) => ({
        path: file,
        was,
        becomes,
        copied: copied.get(file) ?? null,
      }));
      const application = { id, threadId, at: clock.now(), files };
      store.putApplication(application);
      const places = {
        folder: stored.path,
        workspace: this.#parts.workspaceDir(threadId),
        name: stored.name,
        backups: this.#backupsOf(threadId, id),
      };
      const outcome = await collect(ordered, (change, i) => applyChange(change, i, places));
      if (outcome.written.length === 0) store.setUndone(id, clock.now());
      this.#moveBaseline(stored, files, outcome.written, ({ becomes }) => becomes);
      return outcome;
    });
  }

  /** Takes back what was applied last; what the system prevented can be tried again. Throws `CONFLICT` if there is nothing, or while another call writes. */
  async undo(threadId: string): Promise<Outcome> {
    const stored = this.#folderOf(threadId);
    return await this.#whileWriting(stored.path, async () => {
      const { store, clock } = this.#parts;
      const last = store.lastApplication(threadId);
      if (last === null) throw new AppError('CONFLICT', 'Nothing was applied that can be undone.');
      const { entries } = unpackManifest(stored.baseline);
      const places = {
        folder: stored.path,
        backups: this.#backupsOf(threadId, last.id),
        kept: new Set(entries.filter(({ kind }) => kind === 'folder').map((one) => one.path)),
      };
      // In the opposite order: a folder makes room for the file that was there before.
      const backwards = last.files.map((file, index) => ({ ...file, index })).reverse();
      const outcome = await collect(backwards, (file) => undoChange(file, file.index, places));
      const canRetry = outcome.refused.some(({ reason }) => RETRIED.has(reason));
      if (!canRetry) store.setUndone(last.id, clock.now());
      this.#moveBaseline(stored, last.files, outcome.written, ({ copied }) => copied);
      return outcome;
    });
  }

  /** Call when a task was removed. */
  async forget(threadId: string): Promise<void> {
    this.#hashes.delete(threadId);
    await rm(path.join(this.#parts.backupsDir, threadId), { recursive: true, force: true });
  }

  #folderOf(threadId: string): StoredFolder {
    const stored = this.#parts.store.get(threadId);
    if (stored !== null) return stored;
    throw new AppError('NOT_FOUND', 'This task has no folder of yours.');
  }

  async #compare(stored: StoredFolder): ReturnType<typeof compareFolders> {
    const { threadId, path: folder, name } = stored;
    const workspace = this.#parts.workspaceDir(threadId);
    const copy = lstatSync(path.join(workspace, name), { throwIfNoEntry: false });
    if (copy?.isDirectory() !== true) {
      throw new AppError(
        'CONFLICT',
        `The copy in /workspace/${name} is gone. Restore the files of the task to an earlier state, or give the folder to a new task.`,
      );
    }
    const baseline = unpackManifest(stored.baseline);
    return await compareFolders({
      ...{ folder, workspace, name, baseline },
      hashes: this.#hashesOf(threadId),
    });
  }

  #hashesOf(threadId: string): Map<string, string> {
    const known = this.#hashes.get(threadId) ?? new Map<string, string>();
    this.#hashes.delete(threadId);
    this.#hashes.set(threadId, known);
    const oldest = this.#hashes.keys().next().value;
    if (this.#hashes.size > REMEMBERED_TASKS && oldest !== undefined) this.#hashes.delete(oldest);
    return known;
  }

  #inCopy({ threadId, name }: StoredFolder, file: string): Place {
    return { root: this.#parts.workspaceDir(threadId), path: `${name}/${file}` };
  }

  #backupsOf(threadId: string, id: string): string {
    return path.join(this.#parts.backupsDir, threadId, id);
  }

  /** From now on, the written files were copied as they are in the folder. */
  #moveBaseline(
    { threadId, baseline }: StoredFolder,
    files: readonly AppliedFile[],
    written: readonly string[],
    contentOf: (file: AppliedFile) => string | null,
  ): void {
    const isWritten = new Set(written);
    const { entries } = unpackManifest(baseline);
    const byPath = new Map(entries.map((entry): [string, Entry] => [entry.path, entry]));
    for (const file of files.filter(({ path: one }) => isWritten.has(one))) {
      const sha256 = contentOf(file);
      const known = byPath.get(file.path);
      const { mode, size } =
        known !== undefined && isFile(known) ? known : { mode: 0o644, size: 0 };
      if (sha256 === null) byPath.delete(file.path);
      else byPath.set(file.path, { path: file.path, kind: 'file', mode, size, sha256 });
    }
    const moved = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    const packed = packManifest({ entries: moved, leftOut: [] }).pack();
    this.#parts.store.setBaseline(threadId, packed);
  }

  /** Two tasks may have the same folder, or one in the other's. */
  async #whileWriting<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
    if ([...this.#writing].some((other) => isWithin(folder, other) || isWithin(other, folder))) {
      throw new AppError(
        'CONFLICT',
        'Changes are being written to this folder. Try again in a moment.',
      );
    }
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new AppError('CONFLICT', `${folder} is not there, or is no folder any more.`);
    }
    this.#writing.add(folder);
    try {
      return await work();
    } finally {
      this.#writing.delete(folder);
    }
  }
}

async function collect<Item extends { readonly path: string }>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Refusal>,
): Promise<Outcome> {
  const outcome: Outcome = { written: [], refused: [] };
  for (const [index, item] of items.entries()) {
    const reason = await work(item, index);
    if (reason === null) outcome.written.push(item.path);
    else outcome.refused.push({ path: item.path, reason });
  }
  return outcome;
}

/** Moves the copy into the workspace under a name that is free there. */
function moveIn(staging: string, workspace: string, wanted: string): string {
  const plain = wanted.replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"|?*\\/]/gu, '').trim() || 'folder';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? plain : `${plain}-${count}`;
    const target = path.join(workspace, name);
    // Renaming a folder would replace an empty one.
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      renameSync(staging, target);
      return name;
    } catch (error) {
      if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
    }
  }
}

/** What is shown is from the same reading as the hash: programs may write in between two. */
async function sideOf(place: Place, expected: string | null): Promise<FileSide> {
  await using opened = await openFile(place);
  const shown = new FileSideReader();
  const read =
    opened.kind === 'file'
      ? await copyAndHash(opened.handle, { writeFile: async (piece) => shown.add(piece) })
      : null;
  if ((read?.sha256 ?? null) !== expected) {
    throw new AppError('CONFLICT', `${place.path} was changed in the meantime. List it again.`);
  }
  if (read === null) return { kind: 'absent' };
  return shown.side(read.bytes);
}
