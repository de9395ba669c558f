import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { documentKind } from '../documents/document-kind.ts';
import type { DocumentKind } from '../documents/types.ts';

export interface FoundFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly kind: DocumentKind;
  readonly size: number;
  readonly modifiedAt: number;
}

export interface ScanResult {
  readonly files: readonly FoundFile[];
  /** Number of files beyond the limit. */
  readonly leftOut: number;
  /** Subfolders that were not scanned completely, relative to the folder. */
  readonly incomplete: readonly string[];
  /** Whether the scan stopped because the folder has too many entries or levels. */
  readonly isTooLarge: boolean;
}

export interface ScanOptions {
  /** Limit for the files; those nearest to the top come first. */
  readonly maxFiles: number;
  /** Real paths that the scan skips: other folders of the library, the app's data. */
  readonly except: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Number of entries of all kinds after which the scan of a folder stops. */
  readonly maxEntries?: number;
}

/** Folders that tools fill, not the user. */
const SKIPPED = new Set(
  'node_modules bower_components __pycache__ venv site-packages target vendor $RECYCLE.BIN'.split(
    ' ',
  ),
);
const MAX_ENTRIES = 300_000;
const MAX_DEPTH = 40;

/**
 * The files of a folder that can be read as text: level by level from the top, sorted by name. Hidden
 * entries, folders of tools, links and special files are skipped. Throws the system's error if the
 * folder itself cannot be read.
 */
export async function scanFolder(
  root: string,
  { maxFiles, except, signal, maxEntries = MAX_ENTRIES }: ScanOptions,
): Promise<ScanResult> {
  const files: FoundFile[] = [];
  const incomplete = new Set<string>();
  let leftOut = 0;
  let entries = 0;
  let level = [''];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_DEPTH || entries > maxEntries) {
      return { files, leftOut, incomplete: [...incomplete, ...level], isTooLarge: true };
    }
    const next: string[] = [];
    for (const [place, folder] of level.entries()) {
      signal.throwIfAborted();
      const listed = await list(root, folder);
      if (listed === null) incomplete.add(folder);
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
        else if (!(await addFile(files, root, { at, kind }))) incomplete.add(folder);
      }
      if (entries > maxEntries && place < level.length - 1) {
        const unseen = [...level.slice(place + 1), ...next];
        return { files, leftOut, incomplete: [...incomplete, ...unseen], isTooLarge: true };
      }
    }
    level = next;
  }
  return { files, leftOut, incomplete: [...incomplete], isTooLarge: false };
}

/** False if the file cannot be inspected, for example in a folder that can be listed but not entered. */
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
    // A file that was deleted in the meantime does not count.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

async function list(root: string, folder: string): Promise<Dirent[] | null> {
  try {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    // If the top folder cannot be listed, nothing is known about its files.
    if (folder === '') throw error;
    // The caller reports it as incomplete.
    return null;
  }
}

/** Hidden entries, folders of tools, and lock files of office programs. */
function isSkipped(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~$') || SKIPPED.has(name);
}
