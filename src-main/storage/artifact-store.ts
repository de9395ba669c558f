import { type Artifact, type ArtifactKind, artifactKind } from '#contract/artifacts.ts';
import type { Connection } from './connection.ts';
import { fold } from './thread-store.ts';

export interface ArtifactFilter {
  readonly threadId?: string | undefined;
  readonly kind?: ArtifactKind | undefined;
  /** Words that all occur in the path, ignoring case. */
  readonly words?: string | undefined;
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** What the agent made. The database itself adds to it, with each stored event about a file. */
export interface ArtifactStore {
  /** Newest first. `next` is the `beforeId` of the next page, null at the end. */
  list(filter: ArtifactFilter): { readonly artifacts: Artifact[]; readonly next: number | null };
  /** The files of a task are now these, by path with their sizes: after a restore, which no event reports. */
  sync(threadId: string, sizes: ReadonlyMap<string, number>): void;
}

/** How many paths are looked at in one step. */
const PATHS_AT_ONCE = 1000;
/** Greater than every id. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

interface ArtifactRow {
  readonly id: number;
  readonly thread_id: string;
  readonly title: string;
  readonly run_id: string;
  readonly seq: number;
  readonly origin: string;
  readonly at: number;
  readonly path: string;
  readonly size: number;
  readonly is_deleted: number;
}

type PathRow = Pick<ArtifactRow, 'id' | 'path'>;

export function openArtifacts(connection: Connection): ArtifactStore {
  const all = connection.sql<PathRow>(
    'SELECT id, path FROM artifacts WHERE id < ? ORDER BY id DESC LIMIT ?',
  );
  const ofThread = connection.sql<PathRow>(
    'SELECT id, path FROM artifacts WHERE thread_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
  );
  const rows = connection.sql<ArtifactRow>(
    `SELECT a.*, t.title FROM artifacts a JOIN threads t ON t.id = a.thread_id
     WHERE a.id IN (SELECT value FROM json_each(?)) ORDER BY a.id DESC`,
  );
  const put = connection.sql('UPDATE artifacts SET size = ?, is_deleted = ? WHERE id = ?');
  const known = connection.sql<Pick<ArtifactRow, 'id' | 'path' | 'size'>>(
    'SELECT id, path, size FROM artifacts WHERE thread_id = ?',
  );

  const pathsBefore = (threadId: string | undefined, id: number): PathRow[] =>
    threadId === undefined ? all.all(id, PATHS_AT_ONCE) : ofThread.all(threadId, id, PATHS_AT_ONCE);

  return {
    list: ({ threadId, beforeId = AFTER_ALL, limit, ...wanted }) => {
      const fits = filterOf(wanted);
      const ids: number[] = [];
      // One more than the page shows that there is a next one.
      for (let last = beforeId; ids.length <= limit; ) {
        const paths = pathsBefore(threadId, last);
        for (const { id, path } of paths) if (ids.length <= limit && fits(path)) ids.push(id);
        last = paths.at(-1)?.id ?? 0;
        if (paths.length < PATHS_AT_ONCE) break;
      }
      const shown = ids.slice(0, limit);
      return {
        artifacts: rows.all(JSON.stringify(shown)).map(toArtifact),
        next: ids.length > limit ? (shown.at(-1) ?? null) : null,
      };
    },
    sync: (threadId, sizes) => {
      connection.transaction(() => {
        for (const { id, path, size } of known.all(threadId)) {
          put.run(sizes.get(path) ?? size, sizes.has(path) ? 0 : 1, id);
        }
      });
    },
  };
}

function filterOf({
  kind,
  words = '',
}: Pick<ArtifactFilter, 'kind' | 'words'>): (path: string) => boolean {
  const parts = fold(words)
    .split(/\s+/)
    .filter((word) => word !== '');
  return (path) => {
    if (kind !== undefined && artifactKind(path) !== kind) return false;
    if (parts.length === 0) return true;
    const folded = fold(path);
    return parts.every((word) => folded.includes(word));
  };
}

function toArtifact(row: ArtifactRow): Artifact {
  const { id, seq, origin, at, path, size } = row;
  return {
    ...{ id, threadId: row.thread_id, threadTitle: row.title, runId: row.run_id },
    ...{ seq, origin, at, path },
    ...{ kind: artifactKind(path), size, isDeleted: row.is_deleted === 1 },
  };
}
