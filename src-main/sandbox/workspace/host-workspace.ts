import { createHash } from 'node:crypto';
import { constants, lstatSync, mkdirSync, renameSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { posix } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { ATTACHED_FILE_LIMIT_BYTES } from '#contract/limits.ts';
import type { WorkspaceEntry } from '#contract/workspace.ts';
import { plainFileName, splitName } from '../../base/file-names.ts';
import { openRegularFile } from '../../base/open-regular-file.ts';
import type { ChangeWatch, Workspace, WorkspaceChange, WorkspaceFiles } from '../types.ts';
import { ChangeCredits, type FilesSeen } from './change-watch.ts';
import {
  asWorkspaceError,
  type ConfinedPlace,
  confinedPath,
  errorCode,
  type LastLink,
  notThere,
  resolveConfined,
} from './confined-path.ts';
import { workspaceOwner } from './owner.ts';
import { removeConfined } from './remove-tree.ts';
import { scanFolder } from './workspace-scan.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const COPIED_AT_ONCE = 1024 * 1024;

/**
 * A folder of the host as the workspace of one task. Programs in the sandbox may put anything into it,
 * including links out of it, and change it at any time: see `resolveConfined`.
 */
export class HostWorkspace implements Workspace {
  readonly dir: string;
  readonly #noLinks: boolean;
  readonly #credits = new ChangeCredits(() => this.#look());
  #lastWork: Promise<unknown> = Promise.resolve();

  constructor(dir: string, { noLinks = false }: { readonly noLinks?: boolean } = {}) {
    this.dir = dir;
    this.#noLinks = noLinks;
  }

  pathOf(file: string, lastLink: LastLink): string {
    mkdirSync(this.dir, { recursive: true });
    try {
      return confinedPath(this.dir, file, lastLink);
    } catch (error) {
      throw asWorkspaceError(error, file);
    }
  }

  withoutLinks(): WorkspaceFiles {
    return new HostWorkspace(this.dir, { noLinks: true });
  }

  async list(
    folder: string,
    { recursive = false }: { recursive?: boolean } = {},
  ): Promise<{ entries: WorkspaceEntry[]; truncated: boolean }> {
    using place = this.#resolve(folder, 'follow');
    if (place.name !== '') {
      const info = lstatSync(place.folder.at(place.name), { throwIfNoEntry: false });
      if (info === undefined) throw notThere(folder);
      throw new AppError('BAD_REQUEST', `${folder} is not a folder.`);
    }
    const entries: WorkspaceEntry[] = [];
    const prefix = place.path === '' ? '' : `${place.path}/`;
    const whole = await scanFolder(
      place.folder,
      { recursive, quiet: false, prefix },
      (path, info) => {
        const kind = info.isDirectory() ? 'directory' : 'file';
        const size = info.isDirectory() ? 0 : info.size;
        entries.push({ path, kind, size, modifiedAt: Math.max(0, Math.floor(info.mtimeMs)) });
      },
    );
    entries.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { entries, truncated: !whole };
  }

  async read(file: string, maxBytes: number, offset = 0): Promise<{ data: Buffer; size: number }> {
    await using handle = await this.#open(file, O_RDONLY);
    const { size } = await handle.stat();
    const data = Buffer.alloc(Math.min(Math.max(0, size - offset), maxBytes));
    let length = 0;
    while (length < data.length) {
      const { bytesRead } = await handle.read(data, length, data.length - length, offset + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { data: data.subarray(0, length), size };
  }

  async write(file: string, data: string | Buffer): Promise<void> {
    // Not truncated on open: only a verified plain file is emptied.
    await using handle = await this.#open(file, O_WRONLY | O_CREAT);
    try {
      await handle.truncate(0);
      await handle.writeFile(data);
    } catch (error) {
      throw asWorkspaceError(error, file);
    }
  }

  async replace(file: string, data: string | Buffer): Promise<void> {
    // The same for the same write, so that one after a kill leaves nothing behind.
    const hash = createHash('sha256').update(`${file}\0`).update(data).digest('hex');
    const part = `.hyperagent/${hash}.part`;
    try {
      await this.write(part, data);
      await this.move(part, file);
    } catch (error) {
      await this.remove(part).catch(() => undefined);
      throw error;
    }
  }

  async remove(file: string): Promise<void> {
    using place = this.#resolve(file, 'keep');
    requireName(place);
    try {
      removeConfined(place.folder, place.name);
    } catch (error) {
      throw asWorkspaceError(error, file);
    }
  }

  async move(from: string, to: string): Promise<void> {
    using source = this.#resolve(from, 'keep');
    using target = this.#resolve(to, 'keep', true);
    requireName(source);
    requireName(target);
    try {
      renameSync(source.folder.at(source.name), target.folder.at(target.name));
    } catch (error) {
      const isOfTarget = ['EISDIR', 'EEXIST', 'ENOTEMPTY'].includes(errorCode(error) ?? '');
      throw asWorkspaceError(error, isOfTarget ? to : from);
    }
  }

  async importFile(hostPath: string, name: string, folder = ''): Promise<string> {
    await using source = await openAttachment(hostPath);
    const plain = plainFileName(name);
    const { stem, extension } = splitName(plain);
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? plain : `${stem}-${count}${extension}`;
      const unique = posix.join(folder, free);
      try {
        await using target = await this.#open(unique, O_WRONLY | O_CREAT | O_EXCL);
        await copyContent(source, target).catch(async (error: unknown) => {
          await this.remove(unique);
          throw error;
        });
        // A file that the user added is not a change by a command.
        const info = await target.stat();
        this.#credits.note(unique, fileState(info), info.size);
        return unique;
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'CONFLICT')) {
          throw asWorkspaceError(error, unique);
        }
      }
    }
  }

  async touch(file: string): Promise<void> {
    await using handle = await this.#open(file, O_RDONLY);
    const now = new Date();
    await handle.utimes(now, now);
    const info = await handle.stat();
    this.#credits.note(this.pathOf(file, 'follow'), fileState(info), info.size);
  }

  exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#lastWork.then(work);
    this.#lastWork = done.catch(() => undefined);
    return done;
  }

  watch(callId: string, within?: readonly string[]): Promise<ChangeWatch> {
    return this.#credits.begin(callId, within);
  }

  changes(): Promise<WorkspaceChange[]> {
    return this.#credits.changes();
  }

  async #look(): Promise<FilesSeen> {
    const files = new Map<string, { state: string; size: number }>();
    using place = this.#resolve('', 'follow');
    const options = { recursive: true, quiet: true, prefix: '' };
    const isWhole = await scanFolder(place.folder, options, (path, info) => {
      if (info.isFile()) files.set(path, { state: fileState(info), size: info.size });
    });
    return { files, isWhole };
  }

  #resolve(file: string, lastLink: LastLink, make = false): ConfinedPlace {
    mkdirSync(this.dir, { recursive: true });
    try {
      const owner = workspaceOwner();
      const options = { lastLink, noLinks: this.#noLinks };
      return resolveConfined(this.dir, file, make ? { ...options, make: { owner } } : options);
    } catch (error) {
      throw asWorkspaceError(error, file);
    }
  }

  /** Opens a plain file; with O_CREAT, a new one belongs to the programs inside. */
  async #open(file: string, flags: number): Promise<FileHandle> {
    const makes = (flags & O_CREAT) !== 0;
    using place = this.#resolve(file, (flags & O_EXCL) === 0 ? 'follow' : 'keep', makes);
    let handle: FileHandle | null = null;
    try {
      if (place.name === '') throw Object.assign(new Error(file), { code: 'EISDIR' });
      // Do not wait for the other end of a pipe that a program put here.
      const at = place.folder.at(place.name);
      handle = await open(at, flags | O_NOFOLLOW | O_NONBLOCK, 0o644);
      if (!(await handle.stat()).isFile()) throw Object.assign(new Error(file), { code: 'EISDIR' });
      const owner = makes ? workspaceOwner() : null;
      const { uid, gid } = await handle.stat();
      // Programs that watch the file take a change of owner for a change.
      const isOther = owner !== null && (uid !== owner.uid || gid !== owner.gid);
      if (isOther) await handle.chown(owner.uid, owner.gid);
      return handle;
    } catch (error) {
      await handle?.close();
      throw asWorkspaceError(error, file);
    }
  }
}

function requireName({ name }: ConfinedPlace): void {
  if (name === '') throw new AppError('BAD_REQUEST', 'Name a file, not the workspace itself.');
}

async function copyContent(source: FileHandle, target: FileHandle): Promise<void> {
  const piece = Buffer.alloc(COPIED_AT_ONCE);
  for (let at = 0; ; ) {
    const { bytesRead } = await source.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    // It may grow without end while it is copied.
    if (at > ATTACHED_FILE_LIMIT_BYTES) {
      throw new AppError('ATTACHMENT_TOO_LARGE', 'The file grew over the limit for attachments.', {
        details: { limit: ATTACHED_FILE_LIMIT_BYTES },
      });
    }
    await target.writeFile(piece.subarray(0, bytesRead));
  }
}

async function openAttachment(hostPath: string): Promise<FileHandle> {
  try {
    // Checked before, but it may be another one now.
    return await openRegularFile(hostPath);
  } catch (error) {
    throw new AppError(
      'ATTACHMENT_UNREADABLE',
      `${hostPath} cannot be opened. Check that it is a file, and that you may read it.`,
      { cause: error },
    );
  }
}

/** Changes when the file changes. */
function fileState(info: Stats): string {
  return `${info.ino}:${info.size}:${info.mtimeMs}`;
}
