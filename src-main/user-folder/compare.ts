import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FolderChange, FolderLeftOut } from '#contract/user-folder.ts';
import { isFile, type Manifest } from '../sandbox/snapshots/manifest.ts';
import { type Found, scanTree } from '../sandbox/snapshots/tree-scan.ts';
import { contentAt, type FileAt, type Place } from './confined-files.ts';
import {
  FOLDER_BYTES_LIMIT,
  FOLDER_FILES_LIMIT,
  isExcluded,
  isWritablePath,
  runsByItself,
} from './folder-rules.ts';

/** Most bytes of the copy that one comparison hashes: a program makes huge files at no cost. */
const READ_AT_ONCE = 2 * FOLDER_BYTES_LIMIT;
/** Files between two yields to the event loop. */
const FILES_AT_ONCE = 50;

export interface Compared {
  /** The user's folder. */
  readonly folder: string;
  /** The workspace, and the name of the copy in it. */
  readonly workspace: string;
  readonly name: string;
  /** What was copied. */
  readonly baseline: Manifest;
  /** Hashes of files of the copy by their state; grows. */
  readonly hashes: Map<string, string>;
}

/**
 * The files of the copy that differ from what was copied, and from the folder as it is now, by path. A part of the
 * copy that cannot be read is listed, and nothing in it counts as deleted.
 */
export async function compareFolders(
  compared: Compared,
): Promise<{ readonly changes: FolderChange[]; readonly leftOut: FolderLeftOut[] }> {
  const { workspace, name, baseline } = compared;
  const { found, leftOut: unseen } = await scanTree(`${workspace}/${name}`, {
    limit: FOLDER_FILES_LIMIT * 2,
    isExcluded,
  });
  const leftOut: FolderLeftOut[] = unseen.map(({ path, reason }) => ({ path, reason }));
  const unseenAt = new Set(unseen.map(({ path }) => path));
  const isUnseen = (path: string): boolean =>
    unseenAt.has('') ||
    path.split('/').some((_part, i, parts) => unseenAt.has(parts.slice(0, i + 1).join('/')));
  const copied = new Map(
    baseline.entries.filter(isFile).map((entry) => [entry.path, entry.sha256]),
  );
  const changes: FolderChange[] = [];
  const seen = new Set<string>();
  let unread = READ_AT_ONCE;
  let turns = 0;
  const breathe = async (): Promise<void> => {
    turns += 1;
    if (turns % FILES_AT_ONCE === 0) await nextTurn();
  };
  for (const one of found) {
    if (one.what.kind === 'folder') continue;
    await breathe();
    seen.add(one.path);
    if (one.what.kind === 'file' && !compared.hashes.has(one.what.state)) {
      unread -= one.what.size;
      if (unread < 0) {
        leftOut.push({ path: one.path, reason: 'over_limit' });
        unread += one.what.size;
        continue;
      }
    }
    const content = await contentOf(one, compared);
    if (content === null) {
      leftOut.push({ path: one.path, reason: 'unreadable' });
      continue;
    }
    const was = copied.get(one.path) ?? null;
    if (content.kind === 'file' && content.sha256 === was) continue;
    const change = await describe({ path: one.path, was, content }, compared);
    if (change !== null) changes.push(change);
  }
  for (const [path, was] of copied) {
    await breathe();
    if (seen.has(path) || isUnseen(path)) continue;
    const change = await describe({ path, was, content: { kind: 'absent' } }, compared);
    if (change !== null) changes.push(change);
  }
  changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { changes, leftOut };
}

/** Null if it cannot be read. */
async function contentOf(
  { path, what }: Found,
  { workspace, name, hashes }: Compared,
): Promise<FileAt | null> {
  if (what.kind !== 'file') return { kind: 'other' };
  const known = hashes.get(what.state);
  if (known !== undefined) {
    return { kind: 'file', sha256: known, bytes: what.size, state: what.state };
  }
  const content = await readable({ root: workspace, path: `${name}/${path}` });
  if (content?.kind === 'file') hashes.set(what.state, content.sha256);
  return content?.kind === 'folder' ? { kind: 'other' } : content;
}

async function readable(place: Place): Promise<FileAt | null> {
  try {
    return await contentAt(place);
  } catch {
    // Programs may take away the right to read. It is listed as such.
    return null;
  }
}

interface Difference {
  readonly path: string;
  /** What was copied; null if nothing was. */
  readonly was: string | null;
  /** What the copy holds now. */
  readonly content: FileAt;
}

/** The change as the user sees it; null if the folder already holds what the copy holds. */
async function describe(
  { path, was, content }: Difference,
  { folder }: Compared,
): Promise<FolderChange | null> {
  const becomes = content.kind === 'file' ? content.sha256 : null;
  const isNamed = isWritablePath(path);
  const theirs = isNamed ? await readable({ root: folder, path }) : ({ kind: 'absent' } as const);
  const now = theirs?.kind === 'file' ? theirs.sha256 : null;
  const isPlain = theirs?.kind === 'file' || theirs?.kind === 'absent';
  if (content.kind !== 'other' && isPlain && isNamed && now === becomes) return null;
  const blocked = !isNamed
    ? 'name'
    : content.kind === 'other'
      ? 'link'
      : isPlain
        ? null
        : 'not_a_file';
  return {
    path,
    kind:
      becomes === null && content.kind === 'absent'
        ? 'deleted'
        : now === null
          ? 'created'
          : 'modified',
    bytes: content.kind === 'file' ? content.bytes : 0,
    now,
    becomes,
    isEditedMeanwhile: isNamed && now !== was,
    // The given folder may itself be one of an editor or of a tool.
    runsByItself: runsByItself(`${folder.replaceAll('\\', '/')}/${path}`),
    blocked,
  };
}
