import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { newId } from '../../base/ids.ts';
import { matchesGlob } from '../../base/path-glob.ts';
import { toFileError } from '../../storage/storage-error.ts';
import type { Workspace } from '../types.ts';

/** What is worth handing over, unless somebody says otherwise. */
export const ARTIFACT_PATTERNS: readonly string[] = [
  ...['*.py', '*.csv', '*.json', '*.txt', '*.md', '*.html', '*.js', '*.ts'],
];
export const ARTIFACT_FILES = 10;
/** Of all files together. */
export const ARTIFACT_BYTES = 50 * 1024 * 1024;
/** Folders that tools fill: what lies in them is nobody's work. */
const TOOL_FOLDERS = new Set(['node_modules', '.git', '.venv', '__pycache__']);

export interface CollectOptions {
  /** Where transfers are held; one folder each. */
  readonly transfersDir: string;
  /** Globs: over the name where they have no slash, else over the whole path. */
  readonly patterns?: readonly string[];
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

export interface Artifact {
  /** As its workspace named it. Untrusted: for showing only. */
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
  /** The workspace holds more files than were looked at. */
  readonly truncated: boolean;
}

export interface ArrivedArtifact extends Artifact {
  /** Its path in the workspace that it was put into. */
  readonly as: string;
}

export interface TransferResult {
  readonly arrived: readonly ArrivedArtifact[];
  readonly leftBehind: readonly LeftBehind[];
  /** For whoever goes on with the files. Paths of the other workspace are quoted as JSON in it. */
  readonly summary: string;
}

/**
 * Takes the newest files that fit the patterns out of a workspace, up to the limits. What fits and was
 * not taken is named. Throws `DISK_FULL` and the like of our own disk; then nothing is left of it.
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
 * Puts what was collected into another workspace. Each file gets a plain name there that was free: nothing
 * is overwritten, and no name leads anywhere. One whose content is not what was collected stays behind.
 */
export async function restoreArtifacts(
  workspace: Pick<Workspace, 'importFile'>,
  { dir, artifacts, leftBehind: before, truncated }: ArtifactTransfer,
): Promise<TransferResult> {
  const arrived: ArrivedArtifact[] = [];
  const leftBehind = [...before];
  for (const artifact of artifacts) {
    const held = path.join(dir, artifact.sha256);
    if (!(await isWhole(held, artifact.sha256))) {
      leftBehind.push({ path: artifact.path, reason: 'damaged' });
      continue;
    }
    arrived.push({ ...artifact, as: await workspace.importFile(held, artifact.path) });
  }
  return { arrived, leftBehind, summary: summarise(arrived, leftBehind, truncated) };
}

/** Removes what a transfer holds. Harmless when that is gone already. */
export async function cleanupArtifacts({ dir }: Pick<ArtifactTransfer, 'dir'>): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}

/** Removes what an earlier process left behind: all that is there at the time of the call. */
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

/** Read where it lies, over no link that leads out; it may have grown since it was listed. */
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

async function isWhole(held: string, sha256: string): Promise<boolean> {
  try {
    return hashOf(await readFile(held)) === sha256;
  } catch {
    // Gone or unreadable: it does not arrive, and that is said.
    return false;
  }
}

const REASONS: Readonly<Record<LeftBehindReason, string>> = {
  too_many: 'more files than are handed over',
  too_large: 'over the limit for all files together',
  outside: 'a link out of the workspace',
  unreadable: 'could not be read',
  damaged: 'was damaged on the way',
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
    ...(truncated ? ['There were more files than were looked at.'] : []),
  ].join('\n');
}
