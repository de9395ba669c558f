import type { AppServices, RequestHandlers } from '../types.ts';

export function snapshotHandlers({
  snapshots,
}: AppServices): Pick<RequestHandlers, 'snapshots.list' | 'snapshots.restore'> {
  return {
    'snapshots.list': ({ threadId }) => ({ snapshots: snapshots.list(threadId) }),
    'snapshots.restore': ({ threadId, snapshotId }) => snapshots.restore(threadId, snapshotId),
  };
}
