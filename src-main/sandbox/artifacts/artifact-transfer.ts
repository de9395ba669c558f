import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { newId } from '../../base/ids.ts';
import { matchesGlob } from '../../base/path-glob.ts';
import { toFileError } from '../../storage/storage-error.ts';
import type { Workspace } from '../types.ts';

/** The files to hand over by default. */
export const ARTIFACT_PATTERNS: readonly string[] = [
  ...['*.py', '*.csv', '*.json', '*.txt', '*.md', '*.html', '*.js', '*.ts'],
];
export const ARTIFACT_FILES = 10;
/** All files together. */
export const ARTIFACT_BYTES = 50 * 1024 * 1024;
/** Folders that tools fill: their files are not results. */
const TOOL_FOLDERS = new Set(['node_modules', '.git', '.venv', '__pycache__']);

export interface CollectOptions {
  /** Folder of all transfers, one folder each. */
  readonly transfersDir: string;
  /** Globs, matched against the name if they have no slash, else against the whole path. */
  readonly patterns?: readonly string[];
  /** Globs of files that are not wanted. */
  readonly without?: readonly string[];
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

export interface Artifact {
  /** Its path in the source workspace. Untrusted: for display only. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export type LeftBehindReason = 'too_many' | 'too_large' | 'outside' | 'unreadable';

export interface LeftBehind {
  readonly path: string;
  readonly reason: LeftBehindReason;
}

export interface ArtifactTransfer {
  readonly dir: string;
  readonly artifacts: readonly Artifact[];
  readonly leftBehind: readonly LeftBehind[];
  /** The workspace has more files than were listed. */
  readonly truncated: boolean;
}

/**
 * Collects the newest matching files of a workspace, up to the limits. Matching files that were not
 * collected are listed. Throws `DISK_FULL` and similar errors of the app's disk, leaving nothing behind.
 */
export async function collectArtifacts(
  workspace: Pick<Workspace, 'list' | 'read'>,
  {
    transfersDir,
    patterns = ARTIFACT_PATTERNS,
    without = [],
    maxFiles = ARTIFACT_FILES,
    maxBytes = ARTIFACT_BYTES,
  }: CollectOptions,
): Promise<ArtifactTransfer> {
  const dir = path.join(transfersDir, newId('transfer'));
  const artifacts: Artifact[] = [];
  const leftBehind: LeftBehind[] = [];
  const { entries, truncated } = await workspace.list('', { recursive: true });
  const wanted = entries
    .filter((entry) => entry.kind === 'file' && isWanted(entry.path, patterns))
    .filter((entry) => !without.some((glob) => matchesGlob(glob, entry.path)))
    .sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1));
  let left = maxBytes;
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    for (const { path: file, size } of wanted) {
      if (artifacts.length === maxFiles) {
        leftBehind.push({ path: file, reason: 'too_many' });
        continue;
      }
      const found = size > left ? 'too_large' : await readWhole(workspace, file, left);
      if (typeof found === 'string') {
        leftBehind.push({ path: file, reason: found });
        continue;
      }
      const sha256 = hashOf(found);
      await writeFile(path.join(dir, sha256), found, { mode: 0o600 });
      artifacts.push({ path: file, bytes: found.byteLength, sha256 });
      left -= found.byteLength;
    }
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw toFileError(error, transfersDir);
  }
  return { dir, artifacts, leftBehind, truncated };
}

/** What was not collected and why, a line each. Paths are quoted as JSON: programs choose them. */
export function describeLeftBehind({
  leftBehind,
  truncated,
}: Pick<ArtifactTransfer, 'leftBehind' | 'truncated'>): string[] {
  const lines = leftBehind.map(
    ({ path: file, reason }) => `${JSON.stringify(file)}: ${REASONS[reason]}`,
  );
  return truncated ? [...lines, 'The workspace has more files than were listed.'] : lines;
}

/** Removes the files of a transfer. Harmless if they are already gone. */
export async function cleanupArtifacts({ dir }: Pick<ArtifactTransfer, 'dir'>): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}

/** Removes transfers of an earlier process: everything that exists at the time of the call. */
export async function sweepTransfers(transfersDir: string): Promise<void> {
  const names = existsSync(transfersDir) ? readdirSync(transfersDir) : [];
  await Promise.all(
    names.map((name) => rm(path.join(transfersDir, name), { recursive: true, force: true })),
  );
}

function isWanted(file: string, patterns: readonly string[]): boolean {
  const parts = file.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => TOOL_FOLDERS.has(part))) return false;
  return patterns.some((glob) => matchesGlob(glob, glob.includes('/') ? file : name));
}

/** Reads a file without following links out of the workspace; it may have grown since it was listed. */
async function readWhole(
  workspace: Pick<Workspace, 'read'>,
  file: string,
  most: number,
): Promise<Buffer | LeftBehindReason> {
  try {
    const { data, size } = await workspace.read(file, most);
    return size > data.byteLength ? 'too_large' : data;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'PATH_OUTSIDE_WORKSPACE' ? 'outside' : 'unreadable';
  }
}

function hashOf(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

const REASONS: Readonly<Record<LeftBehindReason, string>> = {
  too_many: 'over the limit of files',
  too_large: 'over the limit for all files together',
  outside: 'a link out of the workspace',
  unreadable: 'could not be read',
};
