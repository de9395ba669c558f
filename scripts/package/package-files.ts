import { chmodSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '#main/base/canonical-json.ts';

/** A file of a package. */
export interface PackageFile {
  /** With `/`, below the folder that was listed. */
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
  readonly mode: number;
}

/** All files below a folder, sorted. Throws for a link: not every archive and not every system has them. */
export function filesIn(folder: string): PackageFile[] {
  return entriesIn(folder)
    .filter(({ isFolder }) => !isFolder)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Everybody may read what is installed, and nobody but its owner may change it, whatever the umask of who builds. */
export function setModes(folder: string): void {
  for (const { file, mode, isFolder } of [
    { file: folder, mode: 0, isFolder: true },
    ...entriesIn(folder),
  ]) {
    const isProgram = isFolder || (mode & 0o100) !== 0;
    // Chromium's own sandbox is started with the rights of its owner.
    chmodSync(file, (mode & 0o4000) | (isProgram ? 0o755 : 0o644));
  }
}

/** Folders below `folder`, and itself, that others cannot enter or can change. */
export function closedFolders(folder: string): string[] {
  const folders = [
    { path: '.', mode: lstatSync(folder).mode },
    ...entriesIn(folder).filter(({ isFolder }) => isFolder),
  ];
  return folders
    .filter(({ mode }) => (mode & 0o577) !== 0o555 || (mode & 0o022) !== 0)
    .map(({ path }) => path);
}

/** SHA-256 of each file, by its path. */
export function hashesIn(folder: string): Map<string, string> {
  return new Map(filesIn(folder).map(({ path, file }) => [path, sha256(readFileSync(file))]));
}

function entriesIn(folder: string): (PackageFile & { readonly isFolder: boolean })[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const { mode, size } = lstatSync(file);
    const isFolder = entry.isDirectory();
    if (!isFolder && !entry.isFile()) throw new Error(`${file} is not a plain file.`);
    const path = file.slice(join(folder, '/').length).replaceAll('\\', '/');
    return { path, file, mode, isFolder, bytes: isFolder ? 0 : size };
  });
}
