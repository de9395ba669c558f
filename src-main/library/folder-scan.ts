import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { documentKind } from '../documents/document-kind.ts';
import type { DocumentKind } from '../documents/types.ts';

export interface FoundFile {
  /** From the folder on, with `/`. */
  readonly path: string;
  readonly kind: DocumentKind;
  readonly size: number;
  readonly modifiedAt: number;
}

export interface ScanResult {
  readonly files: readonly FoundFile[];
  /** How many more there are beyond the limit. */
  readonly leftOut: number;
  /** Folders inside that were not seen whole, from the folder on. */
  readonly closed: readonly string[];
  /** Whether some of these were left because there is too much of everything. */
  readonly isTooLarge: boolean;
}

export interface ScanOptions {
  /** Most files that are taken; those nearest to the top come first. */
  readonly maxFiles: number;
  /** Real paths that are not gone into: other folders of the library, the app's data. */
  readonly except: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Entries of all kinds after which a folder counts as too large to be looked through to its end. */
  readonly maxEntries?: number;
}

/** Folders of tools, not of people. */
const SKIPPED = new Set(
  'node_modules bower_components __pycache__ venv site-packages target vendor $RECYCLE.BIN'.split(
    ' ',
  ),
);
const MAX_ENTRIES = 300_000;
const MAX_DEPTH = 40;

/**
 * The files of a folder that can be read as text, nearest to the top first, by name. Hidden entries,
 * folders of tools and everything that is no plain file or folder are left aside; links are not followed.
 * Throws what the system says of the folder itself.
 */
export async function scanFolder(
  root: string,
  { maxFiles, except, signal, maxEntries = MAX_ENTRIES }: ScanOptions,
): Promise<ScanResult> {
  const files: FoundFile[] = [];
  const closed = new Set<string>();
  let leftOut = 0;
  let entries = 0;
  let level = [''];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_DEPTH || entries > maxEntries) {
      return { files, leftOut, closed: [...closed, ...level], isTooLarge: true };
    }
    const next: string[] = [];
    for (const [place, folder] of level.entries()) {
      signal.throwIfAborted();
      const listed = await list(root, folder);
      if (listed === null) closed.add(folder);
      for (const entry of listed ?? []) {
        entries += 1;
        const at = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (isSkipped(entry.name)) continue;
        if (entry.isDirectory()) {
          if (!except.has(path.join(root, at))) next.push(at);
          continue;
        }
        const kind = entry.isFile() ? documentKind(entry.name) : null;
        if (kind === null) continue;
        if (files.length >= maxFiles) leftOut += 1;
        else if (!(await addFile(files, root, { at, kind }))) closed.add(folder);
      }
      if (entries > maxEntries && place < level.length - 1) {
        const unseen = [...level.slice(place + 1), ...next];
        return { files, leftOut, closed: [...closed, ...unseen], isTooLarge: true };
      }
    }
    level = next;
  }
  return { files, leftOut, closed: [...closed], isTooLarge: false };
}

/** False where the system says nothing of it: its folder can be listed and not entered, for one. */
async function addFile(
  files: FoundFile[],
  root: string,
  { at, kind }: { readonly at: string; readonly kind: DocumentKind },
): Promise<boolean> {
  try {
    const facts = await lstat(path.join(root, at));
    if (facts.isFile()) {
      files.push({ path: at, kind, size: facts.size, modifiedAt: facts.mtimeMs });
    }
    return true;
  } catch (error) {
    // One that is gone meanwhile is not there.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

async function list(root: string, folder: string): Promise<Dirent[] | null> {
  try {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    // Without the folder itself nobody knows anything of its files.
    if (folder === '') throw error;
    // Named in the result as one that cannot be listed.
    return null;
  }
}

/** Hidden ones, and what office programs leave beside an open document. */
function isSkipped(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~$') || SKIPPED.has(name);
}
