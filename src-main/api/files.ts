import { AppError } from '#contract/errors.ts';
import type { RequestOutput } from '#contract/requests.ts';
import { SNAPSHOT_CHANGES_LIMIT } from '#contract/workspace.ts';
import type { AppService } from '../apps/types.ts';
import { mimeTypeOf } from '../base/mime-types.ts';
import { utf8OrNull } from '../base/utf8.ts';
import type { ThreadSlots } from '../run/thread-slots.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { SandboxService, Workspace } from '../sandbox/types.ts';
import { isPlainFile } from '../sandbox/workspace/plain-file.ts';
import { isInQuietFolder } from '../sandbox/workspace/workspace-scan.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { Broadcast, Requests } from './types.ts';
import { editedHash, moveFile, removeFile, type UserFileParts, writeFile } from './user-files.ts';

/** Size limits for a viewer. Text may be cut; an image is useless in part, so it gets more. */
const TEXT_LIMIT_BYTES = 1024 * 1024;
/** Shown as a tree, which only a whole one can be. */
const JSON_LIMIT_BYTES = 5 * 1024 * 1024;
const BINARY_LIMIT_BYTES = 16 * 1024 * 1024;

export interface FileRequestParts {
  readonly threads: Pick<ThreadReader, 'get'>;
  readonly sandbox: Pick<SandboxService, 'forTask'>;
  readonly edits: UserFileParts['edits'];
  readonly apps: Pick<AppService, 'state' | 'whileStopped'>;
  readonly snapshots: Pick<WorkspaceSnapshots, 'list' | 'get' | 'changes' | 'diff' | 'restore'>;
  readonly slots: ThreadSlots;
  readonly artifacts: ArtifactStore;
  readonly broadcast: Broadcast;
}

/** Requests about the files of a task and their snapshots. Unknown ids throw `NOT_FOUND`. */
export function fileRequests(parts: FileRequestParts) {
  const { threads, sandbox, snapshots, slots, apps, broadcast } = parts;
  // Throws for a task that does not exist, before its id becomes part of a path.
  const known = (threadId: string): string => threads.get(threadId).id;
  const workspaceOf = (threadId: string) => sandbox.forTask(known(threadId), 'auto').workspace;
  const changing = async <Result>(
    threadId: string,
    paths: readonly string[],
    change: (own: UserFileParts) => Promise<Result>,
  ): Promise<Result> => {
    const workspace = workspaceOf(threadId);
    const result = await workspace.exclusively(() => change({ ...parts, workspace }));
    for (const path of paths) broadcast({ kind: 'file_changed', threadId, path });
    return result;
  };
  return {
    'files.list': async ({ threadId }) => {
      const workspace = workspaceOf(threadId);
      return { folder: workspace.dir, ...(await workspace.list('.', { recursive: true })) };
    },
    'files.read': async ({ threadId, path }) => {
      const workspace = workspaceOf(threadId);
      const { data, size } = await workspace.read(path, BINARY_LIMIT_BYTES);
      const file = describeFile(path, data, size);
      // What a link leads to is read, and not written.
      const isEditable = file.sha256 !== null && (await isPlainFile(path, workspace));
      return isEditable ? file : { ...file, sha256: null };
    },
    'files.write': (input) =>
      changing(input.threadId, [input.path], (own) => writeFile(input, own)),
    'files.move': (input) =>
      changing(input.threadId, [input.path, input.to], (own) => moveFile(input, own)),
    'files.remove': (input) =>
      changing(input.threadId, [input.path], (own) => removeFile(input, own)),
    'snapshots.list': ({ threadId }) => ({ snapshots: snapshots.list(known(threadId)) }),
    'snapshots.changes': ({ threadId, snapshotId, since, ownOnly = false }) => {
      const all = snapshots.changes({ threadId: known(threadId), snapshotId, since });
      const changes = ownOnly ? all.filter(({ path }) => !isInQuietFolder(path)) : all;
      return { changes: changes.slice(0, SNAPSHOT_CHANGES_LIMIT), count: changes.length };
    },
    'snapshots.diff': ({ threadId, path, snapshotId, since }) =>
      snapshots.diff(path, { threadId: known(threadId), snapshotId, since }),
    'snapshots.restore': ({ threadId, snapshotId }) =>
      slots.during(known(threadId), () =>
        workspaceOf(threadId).exclusively(async () => {
          // Before the server is stopped for it.
          snapshots.get(threadId, snapshotId);
          const restored = await apps.whileStopped(threadId, () =>
            snapshots.restore(threadId, snapshotId),
          );
          await syncArtifacts(threadId, workspaceOf(threadId), parts);
          return restored;
        }),
      ),
  } satisfies Requests<'files' | 'snapshots'>;
}

/** A restore changes files without an event; what the listing leaves out stays as it was known. */
async function syncArtifacts(
  threadId: string,
  workspace: Pick<Workspace, 'list'>,
  { artifacts, broadcast }: Pick<FileRequestParts, 'artifacts' | 'broadcast'>,
): Promise<void> {
  const listing = await workspace.list('.', { recursive: true }).catch((error) => {
    // The files are restored all the same; those that are gone say so when they are opened.
    if (error instanceof AppError) return null;
    throw error;
  });
  if (listing === null || listing.truncated) return;
  const { entries } = listing;
  const files = entries.filter(({ kind }) => kind === 'file');
  artifacts.sync(threadId, new Map(files.map(({ path, size }) => [path, size])));
  broadcast({ kind: 'artifacts_changed' });
}

/** Text if the bytes are text, whatever the extension; otherwise base64. */
function describeFile(path: string, data: Buffer, size: number): RequestOutput<'files.read'> {
  const head = data.subarray(0, /\.json$/i.test(path) ? JSON_LIMIT_BYTES : TEXT_LIMIT_BYTES);
  const text = utf8OrNull(head, head.length < size);
  const mimeType = mimeTypeOf(path);
  if (text !== null) {
    return {
      path,
      mimeType: mimeType ?? 'text/plain',
      size,
      encoding: 'utf8',
      data: text,
      truncated: head.length < size,
      sha256: editedHash(data, size),
    };
  }
  return {
    path,
    mimeType: mimeType ?? 'application/octet-stream',
    size,
    encoding: 'base64',
    data: data.toString('base64'),
    truncated: data.length < size,
    sha256: null,
  };
}
