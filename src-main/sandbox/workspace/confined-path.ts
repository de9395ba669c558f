import {
  closeSync,
  constants,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { posix } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { WORKSPACE } from '../inside.ts';
import type { Owner } from './owner.ts';
import { isTooManyFolders } from './tree-bounds.ts';

/** Most links in one path. */
const MAX_LINKS = 40;
const SHOWN_CHARS = 200;

/**
 * An open folder that was reached without leaving the workspace. On Linux it is a descriptor, so that `at`
 * stays this folder even if a program replaces what is at its path. Other systems have no path for an open
 * folder, so there `at` is the path that was checked.
 */
export class FolderHandle {
  readonly #base: string;
  readonly #descriptor: number | null;

  /** Throws `ENOTDIR` or `ELOOP` for anything but a real folder. */
  constructor(at: string) {
    if (process.platform === 'linux') {
      const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
      this.#descriptor = openSync(at, flags);
      this.#base = `/proc/self/fd/${this.#descriptor}`;
      return;
    }
    if (!lstatSync(at).isDirectory()) throw Object.assign(new Error(at), { code: 'ENOTDIR' });
    this.#descriptor = null;
    this.#base = at;
  }

  /** A path for system calls; only its last part can be a link. */
  at(name = ''): string {
    return name === '' ? this.#base : `${this.#base}/${name}`;
  }

  giveTo(owner: Owner | null): void {
    if (owner !== null && this.#descriptor !== null) {
      fchownSync(this.#descriptor, owner.uid, owner.gid);
    }
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
  }
}

/** Where a path ends: a name (which need not exist; `''` for the workspace itself) in an open folder. */
export interface ConfinedPlace extends Disposable {
  readonly folder: FolderHandle;
  readonly name: string;
  /** Path from the workspace, with links resolved; `''` for the workspace itself. */
  readonly path: string;
}

export type LastLink = 'follow' | 'keep';

export interface ResolveOptions {
  /** If the last part is a link: follow it, or stay at the link itself. */
  readonly lastLink: LastLink;
  /** Refuses all links, except a last one that is kept: what is opened is exactly `file`. */
  readonly noLinks?: boolean;
  /** Creates missing folders on the way, owned by `owner`. */
  readonly make?: { readonly owner: Owner | null };
}

/**
 * Resolves `file` part by part, as a program inside the workspace would: links are followed here, never by the
 * system, and one that leads out throws `PATH_OUTSIDE_WORKSPACE`. A missing folder on the way throws
 * `NOT_FOUND`.
 */
export function resolveConfined(
  root: string,
  file: string,
  { lastLink, noLinks, make }: ResolveOptions,
): ConfinedPlace {
  const trail = [new FolderHandle(realpathSync(root))];
  const names: string[] = [];
  const parts = splitPath(file);
  let links = 0;
  try {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const here = trail.at(-1);
      if (here === undefined) throw outside(file);
      if (isTooManyFolders(trail.length)) throw tooDeep(file);
      if (part === '..') {
        trail.pop()?.[Symbol.dispose]();
        names.pop();
        continue;
      }
      const isLast = parts.length === 0;
      if (isLast && lastLink === 'keep') return placeIn(trail, names, part);
      const step = enter(here, part);
      if (step.kind === 'folder') {
        trail.push(step.folder);
        names.push(part);
      } else if (step.kind === 'link') {
        if (noLinks === true) throw movedMeanwhile(file);
        links += 1;
        if (links > MAX_LINKS) throw outside(file);
        const { fromRoot, parts: more } = readTarget(step.target, file);
        if (fromRoot) {
          for (const left of trail.splice(1)) left[Symbol.dispose]();
          names.length = 0;
        }
        parts.unshift(...more);
      } else if (isLast) return placeIn(trail, names, part);
      else if (step.kind === 'file' || make === undefined)
        throw new MissingFolder(file, names, [part, ...parts]);
      else {
        trail.push(makeFolder(here, part, make.owner));
        names.push(part);
      }
    }
    if (trail.length === 0) throw outside(file);
    return placeIn(trail, names, '');
  } catch (error) {
    for (const open of trail) open[Symbol.dispose]();
    throw error;
  }
}

/**
 * The path that `resolveConfined` would open or create, relative to the workspace, with links resolved. Throws
 * the same errors, except `NOT_FOUND`.
 */
export function confinedPath(root: string, file: string, lastLink: LastLink): string {
  try {
    using place = resolveConfined(root, file, { lastLink });
    return place.path;
  } catch (error) {
    if (!(error instanceof MissingFolder)) throw error;
    const path = posix.join(...error.there, ...error.missing);
    if (path === '..' || path.startsWith('../')) throw outside(file);
    return path;
  }
}

/** A folder on the way is missing; nothing below it can be a link. */
class MissingFolder extends AppError {
  readonly there: readonly string[];
  readonly missing: readonly string[];

  constructor(file: string, there: readonly string[], missing: readonly string[]) {
    super('NOT_FOUND', notThere(file).message);
    this.there = there;
    this.missing = missing;
  }
}

function placeIn(
  trail: readonly FolderHandle[],
  names: readonly string[],
  name: string,
): ConfinedPlace {
  const folder = trail.at(-1);
  if (folder === undefined) throw new Error('a place needs a folder');
  return {
    folder,
    name,
    path: [...names, name].filter((part) => part !== '').join('/'),
    [Symbol.dispose]: () => {
      for (const open of trail) open[Symbol.dispose]();
    },
  };
}

type Step =
  | { readonly kind: 'folder'; readonly folder: FolderHandle }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'file' }
  | { readonly kind: 'missing' };

function enter(here: FolderHandle, part: string): Step {
  try {
    return { kind: 'folder', folder: new FolderHandle(here.at(part)) };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { kind: 'missing' };
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
  }
  try {
    return { kind: 'link', target: readlinkSync(here.at(part)) };
  } catch (error) {
    if (errorCode(error) === 'EINVAL') return { kind: 'file' };
    if (errorCode(error) === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
}

function makeFolder(here: FolderHandle, part: string, owner: Owner | null): FolderHandle {
  mkdirSync(here.at(part), { mode: 0o755 });
  const made = new FolderHandle(here.at(part));
  made.giveTo(owner);
  return made;
}

/** A link's target as programs inside see it: `/workspace` is the root, any other absolute path is outside. */
function readTarget(target: string, file: string): { fromRoot: boolean; parts: string[] } {
  if (!target.startsWith('/')) return { fromRoot: false, parts: plainParts(target) };
  if (target !== WORKSPACE && !target.startsWith(`${WORKSPACE}/`)) throw outside(file);
  return { fromRoot: true, parts: plainParts(target.slice(WORKSPACE.length)) };
}

/** The parts of an untrusted path; an absolute one must be below `/workspace`. */
function splitPath(file: string): string[] {
  const isForeign = process.platform === 'win32' && /[\\:]/.test(file);
  if (file.includes('\0') || isForeign) throw outside(file);
  return readTarget(file, file).parts;
}

function plainParts(text: string): string[] {
  return text.split('/').filter((part) => part !== '' && part !== '.');
}

export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

export function notThere(file: string): AppError {
  return new AppError('NOT_FOUND', `There is no ${file} in the workspace.`);
}

export function tooDeep(file: string): AppError {
  const shown = file.length > SHOWN_CHARS ? `${file.slice(0, SHOWN_CHARS)}…` : file;
  return new AppError('BAD_REQUEST', `${shown} is nested in too many folders. Move it further up.`);
}

function movedMeanwhile(file: string): AppError {
  return new AppError('CONFLICT', `${file} was replaced by a link in the meantime. List it again.`);
}

export function outside(file: string): AppError {
  return new AppError('PATH_OUTSIDE_WORKSPACE', `${file} leads out of the workspace.`, {
    details: { path: file },
  });
}

/** Maps a failed system call on `file` to an error for the caller. */
export function asWorkspaceError(error: unknown, file: string): unknown {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return notThere(file);
    case 'ELOOP':
      return outside(file);
    case 'EISDIR':
    case 'ENXIO':
      return new AppError('BAD_REQUEST', `${file} is not a plain file.`, { cause: error });
    case 'EEXIST':
    case 'ENOTEMPTY':
      return new AppError('CONFLICT', `${file} already exists.`, { cause: error });
    case 'ENAMETOOLONG':
      return new AppError('BAD_REQUEST', 'The name of the file is too long.', { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('DISK_FULL', 'The disk is full. Make room and try again.', {
        cause: error,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EIO':
      return new AppError(
        'STORAGE_FAILED',
        `The system denied access to ${file}, or its disk failed.`,
        { cause: error },
      );
    default:
      return error;
  }
}
