import { constants, type Stats } from 'node:fs';
import {
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { WorkspaceEntry } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Workspace, WorkspaceChange } from '../types.ts';
import { giveToPrograms } from './owner.ts';

/** Entries that a listing or a look at changes goes through. */
const ENTRY_LIMIT = 10_000;
/** Folders that tools fill and nobody reads; what changes in them is not told. */
const QUIET_FOLDERS = new Set(['node_modules', '.git', '.venv', '__pycache__', '.cache']);

/**
 * A folder of the host as the workspace of one task. Programs in the sandbox may put anything into
 * it, links out of it included, so each path is resolved to what it really is before it is used.
 */
export class HostWorkspace implements Workspace {
  readonly dir: string;
  #realRoot: string | null = null;
  #seen: Map<string, string> | null = null;

  constructor(dir: string) {
    this.dir = dir;
  }

  async list(
    folder: string,
    { recursive = false }: { recursive?: boolean } = {},
  ): Promise<{ entries: WorkspaceEntry[]; truncated: boolean }> {
    const start = await this.#existing(folder);
    const entries: WorkspaceEntry[] = [];
    const truncated = !(await this.#walk(start, { recursive, quiet: false }, (file, info) => {
      entries.push({
        path: file,
        kind: info.isDirectory() ? 'directory' : 'file',
        size: info.isDirectory() ? 0 : info.size,
        modifiedAt: Math.floor(info.mtimeMs),
      });
    }));
    entries.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { entries, truncated };
  }

  async read(file: string, maxBytes: number): Promise<{ data: Buffer; size: number }> {
    const real = await this.#existing(file);
    // What was resolved has no link in it; one that took its place since then is refused.
    const handle = await open(
      real,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const info = await handle.stat();
      if (!info.isFile()) throw new AppError('BAD_REQUEST', `${file} is not a plain file.`);
      const data = Buffer.alloc(Math.min(info.size, maxBytes));
      const { bytesRead } = await handle.read(data, 0, data.byteLength, 0);
      return { data: data.subarray(0, bytesRead), size: info.size };
    } finally {
      await handle.close();
    }
  }

  async write(file: string, data: string | Buffer): Promise<void> {
    const target = await this.#target(file);
    const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    await writeFile(target, data, { flag, mode: 0o644 });
    await giveToPrograms(target);
  }

  async remove(file: string): Promise<void> {
    const target = await this.#target(file);
    await mustExist(target, file);
    await rm(target, { recursive: true });
  }

  async move(from: string, to: string): Promise<void> {
    const source = await this.#target(from);
    await mustExist(source, from);
    await rename(source, await this.#target(to));
  }

  async importFile(hostPath: string, name: string): Promise<string> {
    await this.#root();
    const plain = plainName(name);
    const { name: stem, ext } = path.parse(plain);
    for (let count = 1; ; count += 1) {
      const unique = count === 1 ? plain : `${stem}-${count}${ext}`;
      try {
        const target = path.join(this.dir, unique);
        await copyFile(hostPath, target, constants.COPYFILE_EXCL);
        await giveToPrograms(target);
        this.#seen?.set(unique, fileState(await lstat(target)));
        return unique;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  async takeStock(): Promise<void> {
    if (this.#seen === null) await this.changes();
  }

  async changes(): Promise<WorkspaceChange[]> {
    const root = await this.#root();
    const before = this.#seen;
    const now = new Map<string, string>();
    const changes: WorkspaceChange[] = [];
    await this.#walk(root, { recursive: true, quiet: true }, (file, info) => {
      if (!info.isFile()) return;
      const state = fileState(info);
      now.set(file, state);
      const known = before?.get(file);
      if (before === null || known === state) return;
      const operation = known === undefined ? 'create' : 'modify';
      changes.push({ operation, path: file, size: info.size });
    });
    for (const file of before?.keys() ?? []) {
      if (!now.has(file)) changes.push({ operation: 'delete', path: file, size: 0 });
    }
    this.#seen = now;
    return changes;
  }

  /** Visits what lies below `start`, without following links. False when the limit was reached. */
  async #walk(
    start: string,
    { recursive, quiet }: { recursive: boolean; quiet: boolean },
    visit: (file: string, info: Stats) => void,
  ): Promise<boolean> {
    const root = await this.#root();
    const folders = [start];
    let count = 0;
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        if (count === ENTRY_LIMIT) return false;
        count += 1;
        const full = path.join(folder, entry.name);
        const info = await lstat(full).catch(ignoreMissing);
        if (info === null || info.isSymbolicLink()) continue;
        visit(path.relative(root, full).split(path.sep).join('/'), info);
        const enters = info.isDirectory() && recursive && !(quiet && QUIET_FOLDERS.has(entry.name));
        if (enters) folders.push(full);
      }
    }
    return true;
  }

  async #root(): Promise<string> {
    if (this.#realRoot === null) {
      await mkdir(this.dir, { recursive: true });
      this.#realRoot = await realpath(this.dir);
    }
    return this.#realRoot;
  }

  /** The real path of something that is there. */
  async #existing(file: string): Promise<string> {
    const root = await this.#root();
    const real = await realpath(path.join(root, relativePath(file))).catch(ignoreMissing);
    if (real === null) throw notThere(file);
    if (!isInside(root, real)) throw outside(file);
    return real;
  }

  /** Where something may be put: in a real folder inside, made if need be. Links are not followed. */
  async #target(file: string): Promise<string> {
    const root = await this.#root();
    const relative = relativePath(file);
    if (relative === '.')
      throw new AppError('BAD_REQUEST', 'Name a file, not the workspace itself.');
    let folder = root;
    for (const part of path.dirname(relative).split('/')) {
      if (part === '.') continue;
      folder = path.join(folder, part);
      const info = await lstat(folder).catch(ignoreMissing);
      if (info === null) {
        await mkdir(folder);
        await giveToPrograms(folder);
      } else if (!info.isDirectory()) throw outside(file);
    }
    if (!isInside(root, await realpath(folder))) throw outside(file);
    return path.join(folder, path.basename(relative));
  }
}

/** What tells one state of a file from another. */
function fileState(info: Stats): string {
  return `${info.ino}:${info.size}:${info.mtimeMs}`;
}

/** The path in normal form. Throws where it leads out by its own words. */
function relativePath(file: string): string {
  const normal = path.posix.normalize(file.replace(/^\/workspace(?=\/|$)/, '.'));
  const leadsOut = normal.startsWith('/') || normal === '..' || normal.startsWith('../');
  if (leadsOut || normal.includes('\0')) throw outside(file);
  return normal.replace(/(?<=.)\/$/, '');
}

function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root + path.sep);
}

function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .slice(-120)
    .trim();
  return plain === '' || /^\.+$/.test(plain) ? 'file' : plain;
}

async function mustExist(target: string, file: string): Promise<void> {
  if ((await lstat(target).catch(ignoreMissing)) === null) throw notThere(file);
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

function notThere(file: string): AppError {
  return new AppError('NOT_FOUND', `There is no ${file} in the workspace.`);
}

function outside(file: string): AppError {
  return new AppError('PATH_OUTSIDE_WORKSPACE', `${file} leads out of the workspace.`, {
    details: { path: file },
  });
}
