import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

export interface Artifact {
  /** Its path in the source workspace. Untrusted: for display only. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export type LeftBehindReason = 'too_many' | 'too_large' | 'outside' | 'unreadable' | 'damaged';

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

export interface ArrivedArtifact extends Artifact {
  /** Its path in the target workspace. */
  readonly as: string;
}

export interface TransferResult {
  readonly arrived: readonly ArrivedArtifact[];
  readonly leftBehind: readonly LeftBehind[];
  /** For the agent that continues with the files. It quotes paths of the source workspace as JSON. */
  readonly summary: string;
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

/**
 * Copies collected files into another workspace. Each gets a plain, unused name there: nothing is
 * overwritten, and no name can escape. A file whose content has changed since it was collected stays behind.
 */
export async function restoreArtifacts(
  workspace: Pick<Workspace, 'importFile'>,
  { dir, artifacts, leftBehind: before, truncated }: ArtifactTransfer,
): Promise<TransferResult> {
  const arrived: ArrivedArtifact[] = [];
  const leftBehind = [...before];
  for (const artifact of artifacts) {
    const stored = path.join(dir, artifact.sha256);
    if (!(await isWhole(stored, artifact.sha256))) {
      leftBehind.push({ path: artifact.path, reason: 'damaged' });
      continue;
    }
    arrived.push({ ...artifact, as: await workspace.importFile(stored, artifact.path) });
  }
  return { arrived, leftBehind, summary: summarise(arrived, leftBehind, truncated) };
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

async function isWhole(stored: string, sha256: string): Promise<boolean> {
  try {
    return hashOf(await readFile(stored)) === sha256;
  } catch {
    // Gone or unreadable: it stays behind and is listed.
    return false;
  }
}

const REASONS: Readonly<Record<LeftBehindReason, string>> = {
  too_many: 'over the limit of files',
  too_large: 'over the limit for all files together',
  outside: 'a link out of the workspace',
  unreadable: 'could not be read',
  damaged: 'was damaged during the transfer',
};

function summarise(
  arrived: readonly ArrivedArtifact[],
  leftBehind: readonly LeftBehind[],
  truncated: boolean,
): string {
  const lines = arrived.map(
    ({ as, bytes, path: from }) => `- ${as} (${bytes} bytes; it was ${JSON.stringify(from)})`,
  );
  const out = leftBehind.map(
    ({ path: from, reason }) => `- ${JSON.stringify(from)}: ${REASONS[reason]}`,
  );
  return [
    arrived.length === 0 ? 'No files were handed over.' : 'Files that were handed over:',
    ...lines,
    ...(out.length === 0 ? [] : ['Left behind:', ...out]),
    ...(truncated ? ['The workspace has more files than were listed.'] : []),
  ].join('\n');
}
