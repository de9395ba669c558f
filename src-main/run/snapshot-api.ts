import type { Snapshot } from '#contract/entities.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { ThreadSlots } from './thread-slots.ts';

export interface SnapshotApiParts {
  readonly snapshots: Pick<WorkspaceSnapshots, 'list' | 'restore'>;
  readonly threads: Pick<ThreadReader, 'get'>;
  readonly slots: ThreadSlots;
}

/** The API for snapshots that windows and the CLI use. Unknown ids throw `NOT_FOUND`. */
export function createSnapshotApi({ snapshots, threads, slots }: SnapshotApiParts) {
  return {
    list: (threadId: string): Snapshot[] => snapshots.list(threads.get(threadId).id),
    /** Throws `CONFLICT` while a run of the task is active. */
    restore: (
      threadId: string,
      snapshotId: string,
    ): Promise<RequestOutput<'snapshots.restore'>> => {
      threads.get(threadId);
      return slots.during(threadId, () => snapshots.restore(threadId, snapshotId));
    },
  };
}
