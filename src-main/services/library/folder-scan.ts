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
  /** Folders inside that could not be listed, from the folder on. */
  readonly closed: readonly string[];
}

export interface ScanOptions {
  /** Most files that are taken; those nearest to the top come first. */
  readonly maxFiles: number;
  /** Real paths that are not gone into: other folders of the library, the app's data. */
  readonly except: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Folders of tools, not of people. */
const SKIPPED = new Set(
  'node_modules bower_components __pycache__ venv site-packages target vendor $RECYCLE.BIN'.split(
    ' ',
  ),
);
/** Entries of all kinds after which a folder counts as too large to be looked through to its end. */
const MAX_ENTRIES = 300_000;
const MAX_DEPTH = 40;

/**
 * The files of a folder that can be read as text, nearest to the top first, by name. Hidden entries,
 * folders of tools and everything that is no plain file or folder are left aside; links are not followed.
 */
export async function scanFolder(
  root: string,
  { maxFiles, except, signal }: ScanOptions,
): Promise<ScanResult> {
  const files: FoundFile[] = [];
  const closed: string[] = [];
  let leftOut = 0;
  let entries = 0;
  let level = [''];
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      signal.throwIfAborted();
      const listed = await list(path.join(root, folder));
      if (listed === null) closed.push(folder);
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
        else await addFile(files, root, { at, kind });
      }
      if (entries > MAX_ENTRIES) return { files, leftOut, closed };
    }
    level = next;
  }
  return { files, leftOut, closed };
}

async function addFile(
  files: FoundFile[],
  root: string,
  { at, kind }: { readonly at: string; readonly kind: DocumentKind },
): Promise<void> {
  // One that is gone meanwhile is not there.
  const facts = await lstat(path.join(root, at)).catch(() => null);
  if (facts?.isFile() === true) {
    files.push({ path: at, kind, size: facts.size, modifiedAt: facts.mtimeMs });
  }
}

async function list(folder: string): Promise<Dirent[] | null> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Named in the result as one that cannot be listed.
    return null;
  }
}

/** Hidden ones, and what office programs leave beside an open document. */
function isSkipped(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~$') || SKIPPED.has(name);
}
