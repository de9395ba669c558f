import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { CONFIRMATION_WORDS } from '#contract/user-data.ts';
import { endLeftoverContainers } from '../sandbox/docker-provider/container-owner.ts';
import { removeWorkspace } from '../sandbox/workspace/remove-tree.ts';
import { DataLock } from '../storage/data-lock.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { toFileError } from '../storage/storage-error.ts';
import { linkTarget, type OwnEntry, ownEntries, ownFolders, windowFolder } from './own-names.ts';

/** The mark. Any other file of its name is not ours: the folder may have files of the user. */
const Mark = z.object({ format: z.literal('hyperagent.deletion'), keepModels: z.boolean() });

/** What the user chose. */
export interface DeletionChoice {
  readonly keepModels: boolean;
}

/** What stays after a deletion. */
export interface Deleted {
  /** Links that were removed, and where they led: what is there was not touched. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** The folder of downloaded models, if any were kept. */
  readonly models: string | null;
}

export interface FinishOptions {
  /** Named to a second process meanwhile. */
  readonly entryPoint: string;
  /** False in the desktop app, where Chromium has it open: `deleteWindowData` deleted it before. */
  readonly deletesWindow?: boolean;
  /** Ends programs of a killed app that still run in containers; they must not see their files go. */
  readonly endContainers?: () => Promise<void>;
  /** Removes a folder with everything in it; given by tests. */
  readonly remove?: (dir: string) => Promise<void>;
}

/** Throws `BAD_REQUEST` unless the user typed the word. */
export function checkConfirmation(typed: string): void {
  const word = typed.normalize('NFKC').trim().toLowerCase();
  if (CONFIRMATION_WORDS.some((one) => one === word)) return;
  throw new AppError(
    'BAD_REQUEST',
    `Nothing was deleted. Type "${CONFIRMATION_WORDS[0]}" to confirm.`,
  );
}

/**
 * Decides that everything in the data folder is deleted. From here on it will be, whatever happens: the next start
 * completes it before it opens anything. Throws `DISK_FULL`, `DATA_DIR_UNUSABLE`, `STORAGE_FAILED`.
 */
export function markForDeletion(dataDir: string, { keepModels }: DeletionChoice): void {
  const { deletion } = dataPaths(dataDir);
  const part = `${deletion}.${randomBytes(4).toString('hex')}.part`;
  try {
    const handle = openSync(part, 'wx', 0o600);
    try {
      const mark: z.infer<typeof Mark> = { format: 'hyperagent.deletion', keepModels };
      writeSync(handle, `${JSON.stringify(mark)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(part, deletion);
    syncFolder(dataDir);
  } catch (error) {
    rmSync(part, { force: true });
    throw toFileError(error, dataDir);
  }
}

/** Whether a deletion was decided and is not complete. */
export function isMarkedForDeletion(dataDir: string): boolean {
  return readMark(dataPaths(dataDir)) !== null;
}

/** A process that opens the data folder. */
export interface Opening {
  readonly dataDir: string;
  readonly entryPoint: string;
  readonly readOnly: boolean;
  readonly secondary?: boolean;
}

/**
 * Completes a deletion that was decided before, as the first thing that a process does with the data folder; null if
 * none was. Throws what completing it throws, and `CONFLICT` in a process that only reads.
 */
export async function completeDeletion(opening: Opening): Promise<Deleted | null> {
  const { dataDir, entryPoint, readOnly, secondary = false } = opening;
  if (!isMarkedForDeletion(dataDir)) return null;
  if (readOnly || secondary) {
    throw new AppError(
      'CONFLICT',
      `All data in ${dataDir} is being deleted. Start the app, or run "hyperagent data delete", to complete it.`,
    );
  }
  const { env: environment, platform } = process;
  return await finishDeletion(dataDir, {
    entryPoint,
    deletesWindow: entryPoint !== 'desktop',
    endContainers: () => endLeftoverContainers({ environment, platform, home: homedir() }),
  });
}

/**
 * Completes a deletion; null if none was decided. Nothing of the app may be open but the log. Throws
 * `DATA_DIR_IN_USE` while another process works here, and `STORAGE_FAILED` if something cannot be removed: then
 * everything else is gone, and the next start tries the rest again.
 */
export async function finishDeletion(
  dataDir: string,
  options: FinishOptions,
): Promise<Deleted | null> {
  if (!isMarkedForDeletion(dataDir)) return null;
  const paths = dataPaths(dataDir);
  const lock = DataLock.acquire(paths, { pid: process.pid, entryPoint: options.entryPoint });
  try {
    // Another process may have completed it before this one had the lock.
    const choice = readMark(paths);
    return choice === null ? null : await removeAll(paths, choice, options);
  } finally {
    lock.release(true);
  }
}

async function removeAll(
  paths: DataPaths,
  { keepModels }: DeletionChoice,
  { deletesWindow = true, endContainers, remove = removeWorkspace }: FinishOptions,
): Promise<Deleted> {
  await endContainers?.();
  const entries = ownEntries(paths).filter(
    ({ part }) => !(part === 'models' && keepModels) && !(part === 'window' && !deletesWindow),
  );
  const links: { path: string; target: string }[] = [];
  const failed: AppError[] = [];
  for (const { path } of entries) {
    try {
      const target = linkTarget(path);
      await removeEntry(path, remove);
      if (target !== null) links.push({ path, target });
    } catch (error) {
      failed.push(notRemoved(path, error));
    }
  }
  for (const folder of ownFolders(paths)) removeIfEmpty(folder);
  syncFolder(paths.dataDir);
  const [first] = failed;
  if (first !== undefined) throw first;
  rmSync(paths.deletion, { force: true });
  syncFolder(paths.dataDir);
  const kept = keepModels && ownEntries(paths).some(({ part }) => part === 'models');
  return { links, models: kept ? paths.models : null };
}

/**
 * Deletes the storage of the page if a deletion was decided, before Chromium opens it; it cannot wait. Does nothing
 * while another process works here.
 */
export function deleteWindowData(dataDir: string): void {
  if (!isMarkedForDeletion(dataDir)) return;
  const paths = dataPaths(dataDir);
  let lock: DataLock;
  try {
    lock = DataLock.acquire(paths, { pid: process.pid, entryPoint: 'desktop' });
  } catch (error) {
    if (error instanceof AppError && error.code === 'DATA_DIR_IN_USE') return;
    throw error;
  }
  try {
    for (const { path } of windowFolder(paths.window)) {
      if (linkTarget(path) === null) rmSync(path, { recursive: true, force: true });
      else unlinkSync(path);
    }
  } finally {
    lock.release(true);
  }
}

/** Null if there is none. It is complete if it is there, because it was synced before it got its name. */
function readMark({ deletion }: DataPaths): DeletionChoice | null {
  if (lstatSync(deletion, { throwIfNoEntry: false })?.isFile() !== true) return null;
  try {
    return Mark.parse(JSON.parse(readFileSync(deletion, 'utf8')));
  } catch {
    // A file of the user.
    return null;
  }
}

async function removeEntry(
  path: OwnEntry['path'],
  remove: (dir: string) => Promise<void>,
): Promise<void> {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return;
  if (info.isDirectory()) await remove(path);
  else unlinkSync(path);
}

function notRemoved(path: string, cause: unknown): AppError {
  const why = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  return new AppError(
    'STORAGE_FAILED',
    `${path} could not be deleted (${why}); everything else was. Close the programs that use it and start HyperAgent again: it continues the deletion.`,
    { details: { path }, cause },
  );
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not there, or has something of others in it.
  }
}

/** Makes what was created and removed in the folder survive a power cut. */
function syncFolder(dir: string): void {
  // Windows has no such call for folders.
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
