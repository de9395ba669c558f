import { randomBytes } from 'node:crypto';
import {
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { type ConfinedPlace, errorCode, resolveConfined } from '../workspace/confined-path.ts';
import { workspaceOwner } from '../workspace/owner.ts';
import { hostState } from './host-listing.ts';
import type { RemoteEntry } from './remote-listing.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Writes files from a machine into the workspace. Paths are untrusted: they are resolved by
 * `resolveConfined`, and whatever is in the place of a file, also a link, is replaced and never written
 * through. Each method returns the state of what it made.
 */
export class IncomingFiles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  makeFolder(path: string, { mode }: RemoteEntry): string {
    using place = this.#place(path);
    const at = place.folder.at(place.name);
    const there = lstatSync(at, { throwIfNoEntry: false });
    if (there !== undefined && !there.isDirectory()) unlinkSync(at);
    if (there === undefined || !there.isDirectory()) {
      // A private folder stays private for others; the app itself always has access.
      mkdirSync(at, { mode: (mode & 0o777) | 0o700 });
      this.#setOwner(at);
    }
    return hostState('folder', lstatSync(at));
  }

  makeLink(path: string, { target }: RemoteEntry): string {
    using place = this.#place(path);
    const made = place.folder.at(temporaryName());
    symlinkSync(target, made);
    this.#setOwner(made);
    return this.#putInPlace(place, made, 'link');
  }

  /** Writes `chunks` to a file. Whatever fails, either the old or the new file is complete. */
  async writeFile(
    path: string,
    { mode }: RemoteEntry,
    chunks: AsyncIterable<Buffer>,
  ): Promise<string> {
    using place = this.#place(path);
    const made = place.folder.at(temporaryName());
    try {
      {
        await using file = await open(made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
        for await (const chunk of chunks) await file.writeFile(chunk);
        await file.chmod((mode & 0o777) | 0o400);
        const owner = workspaceOwner();
        if (owner !== null) await file.chown(owner.uid, owner.gid);
      }
      return this.#putInPlace(place, made, 'file');
    } catch (error) {
      removeIfThere(made);
      throw error;
    }
  }

  /** Removes a file, a link or an empty folder; ignores what is gone or not empty. */
  remove(path: string): void {
    try {
      using place = resolveConfined(this.#dir, path, { lastLink: 'keep' });
      const at = place.folder.at(place.name);
      if (lstatSync(at).isDirectory()) rmdirSync(at);
      else unlinkSync(at);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'NOT_FOUND'].includes(errorCode(error) ?? '')) return;
      throw error;
    }
  }

  #place(path: string): ConfinedPlace {
    return resolveConfined(this.#dir, path, {
      lastLink: 'keep',
      make: { owner: workspaceOwner() },
    });
  }

  /** Renaming replaces a link and does not touch its target. */
  #putInPlace(place: ConfinedPlace, made: string, kind: 'file' | 'link'): string {
    const at = place.folder.at(place.name);
    try {
      if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(at);
      renameSync(made, at);
    } catch (error) {
      removeIfThere(made);
      throw error;
    }
    return hostState(kind, lstatSync(at));
  }

  #setOwner(at: string): void {
    const owner = workspaceOwner();
    if (owner !== null) lchownSync(at, owner.uid, owner.gid);
  }
}

function temporaryName(): string {
  return `.hyperagent-${randomBytes(8).toString('hex')}`;
}

function removeIfThere(at: string): void {
  try {
    unlinkSync(at);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
