import {
  chmodSync,
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { splitName } from '../../base/file-names.ts';
import { asWorkspaceError, errorCode, FolderHandle } from '../workspace/confined-path.ts';
import { giveToPrograms, type Owner, workspaceOwner } from '../workspace/owner.ts';
import { removeConfined } from '../workspace/remove-tree.ts';
import type { BlobStore } from './blob-store.ts';
import type { Entry, Manifest } from './manifest.ts';
import { stateOf } from './tree-scan.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

export interface RestoreOptions {
  readonly blobs: Pick<BlobStore, 'read' | 'verify'>;
  /** Hashes of existing files by their state: unchanged files are not written. */
  readonly cache: ReadonlyMap<string, string>;
  /** Paths that no snapshot holds: never removed, but renamed if they are in the way. */
  readonly keep: ReadonlySet<string>;
}

/**
 * Restores a workspace to a manifest: removes what is not in it, and restores contents, links and permissions.
 * Nothing is touched before all needed blobs are verified. An interrupted restore is completed by the next.
 * Returns the paths that were kept although the manifest does not have them.
 */
export async function restoreTree(
  dir: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<string[]> {
  await mkdir(dir, { recursive: true });
  await giveToPrograms(dir);
  const restore = new Restore(options);
  using root = new FolderHandle(dir);
  const tree = treeOf(manifest.entries);
  for (const sha256 of await restore.missing(root, tree)) await options.blobs.verify(sha256);
  try {
    await restore.folder(root, tree, '');
  } catch (error) {
    throw asWorkspaceError(error, 'a file');
  }
  return restore.kept;
}

interface Tree {
  readonly mode: number;
  readonly names: Map<string, Tree | Exclude<Entry, { kind: 'folder' }>>;
}

const isTree = (one: Tree | Entry | undefined): one is Tree => one !== undefined && 'names' in one;

/** The entries by folder. They were checked when captured, and come from our own database. */
function treeOf(entries: readonly Entry[]): Tree {
  const root: Tree = { mode: 0o755, names: new Map() };
  for (const entry of entries) {
    const parts = entry.path.split('/');
    const name = parts.pop() ?? '';
    let here = root;
    for (const part of parts) {
      const next = here.names.get(part);
      if (isTree(next)) here = next;
      else {
        const made: Tree = { mode: 0o755, names: new Map() };
        here.names.set(part, made);
        here = made;
      }
    }
    here.names.set(name, entry.kind === 'folder' ? { mode: entry.mode, names: new Map() } : entry);
  }
  return root;
}

class Restore {
  readonly kept: string[] = [];
  readonly #options: RestoreOptions;
  readonly #owner: Owner | null = workspaceOwner();

  constructor(options: RestoreOptions) {
    this.#options = options;
  }

  /** The blobs that will be read. */
  async missing(folder: FolderHandle | null, { names }: Tree): Promise<Set<string>> {
    const found = new Set<string>();
    await nextTurn();
    for (const [name, wanted] of names) {
      if (isTree(wanted)) {
        using inner = folder === null ? null : openOrNull(folder.at(name));
        for (const sha256 of await this.missing(inner, wanted)) found.add(sha256);
      } else if (
        wanted.kind === 'file' &&
        !(folder !== null && this.#isThere(folder, name, wanted))
      ) {
        found.add(wanted.sha256);
      }
    }
    return found;
  }

  /** `prefix` is the folder's path with a slash at its end. */
  async folder(folder: FolderHandle, { names }: Tree, prefix: string): Promise<void> {
    for (const name of readdirSync(folder.at())) {
      const path = prefix + name;
      const wanted = names.get(name);
      if (wanted === undefined) this.#removeBut(folder, name, path);
      else if (this.#options.keep.has(path)) this.#moveAside(folder, name, prefix);
    }
    for (const [name, wanted] of names) {
      const path = prefix + name;
      if (isTree(wanted)) await this.#subfolder(folder, name, { wanted, path });
      else if (this.#isThere(folder, name, wanted)) this.#setMode(folder, name, wanted);
      else {
        this.#removeBut(folder, name, path);
        // A folder with something to keep still exists.
        if (lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined) {
          this.#moveAside(folder, name, prefix);
        }
        if (wanted.kind === 'link') symlinkSync(wanted.target, folder.at(name));
        else await this.#write(folder, name, wanted);
        this.#setOwner(folder, name);
      }
    }
  }

  async #subfolder(
    folder: FolderHandle,
    name: string,
    { wanted, path }: { readonly wanted: Tree; readonly path: string },
  ): Promise<void> {
    const info = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (info !== undefined && !info.isDirectory()) removeConfined(folder, name);
    if (info === undefined || !info.isDirectory()) {
      mkdirSync(folder.at(name), { mode: 0o755 });
      this.#setOwner(folder, name);
    }
    using inner = openWritable(folder, name);
    await this.folder(inner, wanted, `${path}/`);
    // Last: it may forbid writing.
    chmodSync(inner.at(), wanted.mode);
  }

  /** Removes what is at and below `path`, except what must be kept. */
  #removeBut(folder: FolderHandle, name: string, path: string): void {
    const info = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (info === undefined) return;
    if (this.#options.keep.has(path)) {
      this.kept.push(path);
      return;
    }
    if (!info.isDirectory()) {
      removeConfined(folder, name);
      return;
    }
    {
      using inner = openWritable(folder, name);
      for (const below of readdirSync(inner.at()))
        this.#removeBut(inner, below, `${path}/${below}`);
      if (readdirSync(inner.at()).length > 0) return;
    }
    removeConfined(folder, name);
  }

  /** Renames something that no snapshot holds and that is in the way. */
  #moveAside(folder: FolderHandle, name: string, prefix: string): void {
    const { stem, extension } = splitName(name);
    for (let count = 1; ; count += 1) {
      const other = `${stem}.kept${count === 1 ? '' : `-${count}`}${extension}`;
      if (lstatSync(folder.at(other), { throwIfNoEntry: false }) !== undefined) continue;
      renameSync(folder.at(name), folder.at(other));
      this.kept.push(prefix + other);
      return;
    }
  }

  #isThere(
    folder: FolderHandle,
    name: string,
    wanted: Exclude<Entry, { kind: 'folder' }>,
  ): boolean {
    const info = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
    if (info === undefined) return false;
    if (wanted.kind === 'link') {
      return info.isSymbolicLink() && readlinkSync(folder.at(name)) === wanted.target;
    }
    return info.isFile() && this.#options.cache.get(stateOf(info)) === wanted.sha256;
  }

  #setMode(folder: FolderHandle, name: string, wanted: Exclude<Entry, { kind: 'folder' }>): void {
    if (wanted.kind === 'link') return;
    const { mode } = lstatSync(folder.at(name));
    if ((mode & 0o777) !== wanted.mode) chmodSync(folder.at(name), wanted.mode);
  }

  async #write(
    folder: FolderHandle,
    name: string,
    { sha256, mode }: Extract<Entry, { kind: 'file' }>,
  ): Promise<void> {
    await using target = await open(
      folder.at(name),
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
      0o600,
    );
    for await (const piece of this.#options.blobs.read(sha256)) await target.writeFile(piece);
    await target.chmod(mode);
  }

  #setOwner(folder: FolderHandle, name: string): void {
    if (this.#owner !== null) lchownSync(folder.at(name), this.#owner.uid, this.#owner.gid);
  }
}

/** Opens a folder and makes it writable: programs leave read-only folders. */
function openWritable(folder: FolderHandle, name: string): FolderHandle {
  const { mode } = lstatSync(folder.at(name));
  if ((mode & 0o700) === 0o700) return new FolderHandle(folder.at(name));
  try {
    const opened = new FolderHandle(folder.at(name));
    chmodSync(opened.at(), 0o700);
    return opened;
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    // Not even readable: its permissions must be changed by name before it can be opened. No program of the task
    // runs meanwhile that could put a link there.
    chmodSync(folder.at(name), 0o700);
    return new FolderHandle(folder.at(name));
  }
}

function openOrNull(at: string): FolderHandle | null {
  try {
    return new FolderHandle(at);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}
