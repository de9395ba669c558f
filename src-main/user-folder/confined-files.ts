import { createHash, randomUUID } from 'node:crypto';
import { constants, lstatSync, renameSync, rmSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import { stateOf } from '../sandbox/snapshots/tree-scan.ts';
import {
  type ConfinedPlace,
  errorCode,
  resolveConfined,
} from '../sandbox/workspace/confined-path.ts';
import { FOLDER_BYTES_LIMIT } from './folder-rules.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const PIECE_BYTES = 256 * 1024;
const PERMISSIONS = 0o777;

/** A folder, and a path below it. No link on the way is followed; the folder's own path may have some. */
export interface Place {
  readonly root: string;
  readonly path: string;
}

/** What is at a place. `other`: a link, a pipe, or behind a link. */
export type FileAt =
  | { readonly kind: 'absent' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'other' }
  | {
      readonly kind: 'file';
      readonly sha256: string;
      readonly bytes: number;
      /** Differs for every state of the file; null if it changed while it was read. */
      readonly state: string | null;
    };

/** The state of a place without a file. */
export const ABSENT = 'absent';

/** Hashes what is at a place. Throws what the system throws where the file cannot be read. */
export async function contentAt(place: Place): Promise<FileAt> {
  await using opened = await openFile(place);
  if (opened.kind !== 'file') return { kind: opened.kind };
  const before = stateOf(await opened.handle.stat({ bigint: true }));
  const content = await copyAndHash(opened.handle, null);
  const after = stateOf(await opened.handle.stat({ bigint: true }));
  return { kind: 'file', ...content, state: before === after ? after : null };
}

/** What lies there now, without reading it; compared right before it is replaced or removed. */
function stateAt(at: string): string {
  const info = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (info === undefined) return ABSENT;
  return info.isFile() ? stateOf(info) : 'other';
}

interface OpenedFile extends AsyncDisposable {
  readonly kind: 'file';
  readonly handle: FileHandle;
  readonly info: Stats;
}

type Opened = OpenedFile | (AsyncDisposable & { readonly kind: 'absent' | 'folder' | 'other' });

/** Opens a plain file to read. */
export async function openFile(at: Place): Promise<Opened> {
  let resolved: ConfinedPlace;
  try {
    resolved = resolveConfined(at.root, at.path, { lastLink: 'keep', noLinks: true });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A folder on the way is missing, or is a link.
    return notOpen(error.code === 'NOT_FOUND' ? 'absent' : 'other');
  }
  using place = resolved;
  const info = lstatSync(place.folder.at(place.name), { throwIfNoEntry: false });
  if (info === undefined) return notOpen('absent');
  if (!info.isFile()) return notOpen(info.isDirectory() ? 'folder' : 'other');
  let handle: FileHandle;
  try {
    handle = await open(place.folder.at(place.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return notOpen('absent');
    if (errorCode(error) === 'ELOOP' || errorCode(error) === 'ENXIO') return notOpen('other');
    throw error;
  }
  const opened = await handle.stat();
  // A pipe or a folder may have replaced it since.
  if (opened.isFile()) {
    return { kind: 'file', handle, info: opened, [Symbol.asyncDispose]: () => handle.close() };
  }
  await handle.close();
  return notOpen('other');
}

function notOpen(kind: 'absent' | 'folder' | 'other'): Opened {
  return { kind, [Symbol.asyncDispose]: async () => undefined };
}

/**
 * Reads a file to its end, into `target` if there is one. Throws `BAD_REQUEST` past the limit of a folder: a program
 * may make a file huge without a cost, or append to it without end.
 */
export async function copyAndHash(
  source: FileHandle,
  target: { readonly writeFile: (piece: Buffer) => Promise<void> } | null,
): Promise<{ sha256: string; bytes: number }> {
  if ((await source.stat()).size > FOLDER_BYTES_LIMIT) throw tooBig();
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await source.read(piece, 0, piece.length, bytes);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes };
    bytes += bytesRead;
    if (bytes > FOLDER_BYTES_LIMIT) throw tooBig();
    const read = piece.subarray(0, bytesRead);
    hash.update(read);
    if (target !== null) await target.writeFile(read);
  }
}

function tooBig(): AppError {
  return new AppError('BAD_REQUEST', 'The file is too large to be compared or copied.');
}

/** A file that replaces another, or a new one: complete under another name, then renamed. */
export interface Replacement {
  readonly place: Place;
  readonly source: FileHandle;
  /** Of a new file; an existing one keeps its own. */
  readonly mode: number;
  /**
   * Asked when the new content is complete: the state that the place must have when it is replaced. Null leaves
   * everything as it was.
   */
  readonly mayReplace: (content: { readonly sha256: string }) => Promise<string | null>;
}

/**
 * Whether the file was written. Between the last look at its state and the renaming lies no other call. Folders on the
 * way are created. Throws what the system throws.
 */
export async function replaceFile({
  place: { root, path },
  source,
  mode,
  mayReplace,
}: Replacement): Promise<boolean> {
  const options = { lastLink: 'keep', noLinks: true, make: { owner: null } } as const;
  using place = resolveConfined(root, path, options);
  const at = place.folder.at(place.name);
  const existing = lstatSync(at, { throwIfNoEntry: false });
  const temporary = place.folder.at(`.hyperagent-${randomUUID()}.part`);
  let expected: string | null;
  try {
    {
      const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
      await using target = await open(temporary, flags, 0o600);
      const written = await copyAndHash(source, target);
      await likeItsNeighbours(target, existing ?? lstatSync(place.folder.at()), {
        mode: existing === undefined ? mode : existing.mode,
      });
      await target.sync();
      expected = await mayReplace(written);
    }
    if (expected === null || stateAt(at) !== expected) return false;
    renameSync(temporary, at);
    return true;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A file that root writes belongs to whom the file before it, or its folder, belongs to. */
async function likeItsNeighbours(
  target: FileHandle,
  { uid, gid }: Stats,
  { mode }: { readonly mode: number },
): Promise<void> {
  if (process.getuid?.() === 0) await target.chown(uid, gid);
  await target.chmod(mode & PERMISSIONS);
}

/** Removes a plain file that is still in this state; false if it is not. Throws what the system throws. */
export function removeFile({ root, path }: Place, expected: string): boolean {
  using place = resolveConfined(root, path, { lastLink: 'keep', noLinks: true });
  const at = place.folder.at(place.name);
  if (stateAt(at) !== expected) return false;
  rmSync(at);
  return true;
}
