import type { RequestOutput } from '#contract/requests.ts';
import { mimeTypeOf } from '../base/mime-types.ts';
import { utf8OrNull } from '../base/utf8.ts';
import type { ThreadSlots } from '../run/thread-slots.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { Requests } from './types.ts';

/** Size limits for a viewer. Text may be cut; an image is useless in part, so it gets more. */
const TEXT_LIMIT_BYTES = 1024 * 1024;
/** Shown as a tree, which only a whole one can be. */
const JSON_LIMIT_BYTES = 5 * 1024 * 1024;
const BINARY_LIMIT_BYTES = 16 * 1024 * 1024;

export interface FileRequestParts {
  readonly threads: Pick<ThreadReader, 'get'>;
  readonly sandbox: Pick<SandboxService, 'forTask'>;
  readonly snapshots: Pick<WorkspaceSnapshots, 'list' | 'restore'>;
  readonly slots: ThreadSlots;
}

/** Requests about the files of a task and their snapshots. Unknown ids throw `NOT_FOUND`. */
export function fileRequests({ threads, sandbox, snapshots, slots }: FileRequestParts) {
  // Throws for a task that does not exist, before its id becomes part of a path.
  const known = (threadId: string): string => threads.get(threadId).id;
  const workspaceOf = (threadId: string) => sandbox.forTask(known(threadId), 'auto').workspace;
  return {
    'files.list': ({ threadId }) => workspaceOf(threadId).list('.', { recursive: true }),
    'files.read': async ({ threadId, path }) => {
      const { data, size } = await workspaceOf(threadId).read(path, BINARY_LIMIT_BYTES);
      return describeFile(path, data, size);
    },
    'snapshots.list': ({ threadId }) => ({ snapshots: snapshots.list(known(threadId)) }),
    'snapshots.restore': ({ threadId, snapshotId }) =>
      slots.during(known(threadId), () => snapshots.restore(threadId, snapshotId)),
  } satisfies Requests<'files' | 'snapshots'>;
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
    };
  }
  return {
    path,
    mimeType: mimeType ?? 'application/octet-stream',
    size,
    encoding: 'base64',
    data: data.toString('base64'),
    truncated: data.length < size,
  };
}
