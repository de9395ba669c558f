import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import type { Snapshot, SnapshotChange } from '#contract/workspace.ts';
import { Refusal } from './refusal.ts';

/** States of the files of any task: one before its run, one after a step that made a file too large to keep. */
export class FakeSnapshots {
  #snapshots: Snapshot[] = [];

  constructor(now: number) {
    this.#snapshots = [
      fakeSnapshot({
        ...{ id: 'snap-2', seq: 41, at: now - 60_000, files: 2, bytes: 1_500, created: 1 },
        leftOut: [{ path: 'model.bin', reason: 'over_limit', bytes: 400_000_000 }],
        leftOutCount: 1,
      }),
      fakeSnapshot({ id: 'snap-1', seq: 0, at: now - 120_000, files: 1, bytes: 900, created: 1 }),
    ];
  }

  readonly handlers = {
    'snapshots.list': (_input: RequestInput<'snapshots.list'>) => ({ snapshots: this.#snapshots }),
    'snapshots.changes': ({ snapshotId }: RequestInput<'snapshots.changes'>) => {
      const changes: SnapshotChange[] =
        snapshotId === 'snap-1'
          ? [{ path: 'sales.csv', kind: 'created', size: 900 }]
          : [
              { path: 'report/summary.md', kind: 'created', size: 600 },
              { path: 'sales.csv', kind: 'modified', size: 900 },
            ];
      return { changes, count: changes.length };
    },
    'snapshots.diff': ({
      path,
    }: RequestInput<'snapshots.diff'>): RequestOutput<'snapshots.diff'> => ({
      before:
        path === 'sales.csv'
          ? { kind: 'text', text: 'region,total\nnorth,1\n', truncated: false }
          : { kind: 'absent' },
      after: { kind: 'text', text: 'region,total\nnorth,2\n', truncated: false },
    }),
    'snapshots.restore': ({
      snapshotId,
    }: RequestInput<'snapshots.restore'>): RequestOutput<'snapshots.restore'> => {
      const [before] = this.#snapshots;
      const wanted = this.#snapshots.find(({ id }) => id === snapshotId);
      if (before === undefined || wanted === undefined) {
        throw new Refusal('NOT_FOUND', `There is no ${snapshotId}.`);
      }
      const now = {
        ...wanted,
        ...{ id: `snap-${this.#snapshots.length + 1}`, cause: 'restore' as const },
        ...{ runId: null, seq: null },
      };
      this.#snapshots = [now, ...this.#snapshots];
      return { before, now, kept: ['model.bin'] };
    },
  };
}

function fakeSnapshot(fields: Partial<Snapshot> & Pick<Snapshot, 'id' | 'at'>): Snapshot {
  return {
    ...{ threadId: 'thread', runId: 'run', seq: 0, cause: 'step', files: 0, bytes: 0 },
    ...{ created: 0, modified: 0, deleted: 0, leftOut: [], leftOutCount: 0 },
    ...fields,
  };
}
