import type { Connection } from './connection.ts';
import type { StoredSnapshot } from './types.ts';

/** What the apps of tasks looked like, each deleted with the last snapshot of the same files. */
export interface AppPictureStore {
  /** Does nothing where no snapshot of a task has these files. */
  put(threadId: string, content: string, jpeg: Uint8Array): void;
  get(threadId: string, content: string): Uint8Array | null;
  /** The files of a task, as `contentOf` has them, of which there is a picture. */
  pictured(threadId: string): ReadonlySet<string>;
}

/** Equal for snapshots of the same files: what tools keep in their folders is left out. */
export function contentOf({
  ownSha256,
  manifestSha256,
}: Pick<StoredSnapshot, 'ownSha256' | 'manifestSha256'>): string {
  return ownSha256 ?? manifestSha256;
}

export function openAppPictures(connection: Connection): AppPictureStore {
  const put = connection.sql(
    `INSERT OR REPLACE INTO app_pictures (thread_id, content_sha256, jpeg)
     SELECT thread_id, coalesce(own_sha256, manifest_sha256), ? FROM snapshots
     WHERE thread_id = ? AND coalesce(own_sha256, manifest_sha256) = ? LIMIT 1`,
  );
  const get = connection.sql<{ jpeg: Uint8Array }>(
    'SELECT jpeg FROM app_pictures WHERE thread_id = ? AND content_sha256 = ?',
  );
  const pictured = connection.sql<{ content_sha256: string }>(
    'SELECT content_sha256 FROM app_pictures WHERE thread_id = ?',
  );
  return {
    put: (threadId, content, jpeg) => {
      put.run(jpeg, threadId, content);
    },
    get: (threadId, content) => get.get(threadId, content)?.jpeg ?? null,
    pictured: (threadId) =>
      new Set(pictured.all(threadId).map(({ content_sha256: content }) => content)),
  };
}
