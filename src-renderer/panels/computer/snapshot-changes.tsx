import type { ReactNode } from 'react';
import type { Snapshot, SnapshotChange } from '#contract/workspace.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { FileSides } from '../../components/file-sides.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useLoaded } from '../../components/use-loaded.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { appStrings } from '../../strings/app.ts';
import { historyStrings as words } from '../../strings/file-history.ts';

interface SnapshotProps {
  readonly snapshot: Pick<Snapshot, 'id' | 'threadId'>;
  /** The snapshot to compare with; the one before it unless given. */
  readonly since?: string | null;
  /** Leaves out folders of tools, such as `node_modules`. */
  readonly ownOnly?: boolean;
}

/** What changed from another snapshot: the files, each with its lines. */
export function SnapshotChanges({
  snapshot,
  since = null,
  ownOnly = false,
}: SnapshotProps): ReactNode {
  const { bridge } = useSession();
  const { id: snapshotId, threadId } = snapshot;
  const listed = useLoaded<'snapshots.changes'>(
    () => bridge.request('snapshots.changes', { threadId, snapshotId, since, ownOnly }),
    `${threadId} ${snapshotId} ${since}`,
  );
  if (listed === null) return <Skeleton label={words.show} lines={2} />;
  if (typeof listed === 'string') {
    return (
      <p className="field-note" role="alert">
        {listed}
      </p>
    );
  }
  const { changes, count } = listed;
  return (
    <>
      <ul className="history-changes">
        {changes.map((change) => (
          <ChangedFile key={change.path} {...{ snapshot, since, change }} />
        ))}
      </ul>
      {count > changes.length && <p className="muted">{words.more(count - changes.length)}</p>}
    </>
  );
}

function ChangedFile({
  snapshot,
  since = null,
  change,
}: SnapshotProps & { readonly change: SnapshotChange }): ReactNode {
  const { path, kind } = change;
  return (
    <li data-kind={kind}>
      <Disclosure
        id={`snapshot ${snapshot.id} ${since} ${path}`}
        className="history-file"
        summary={
          <>
            <span className="history-path">
              <VisibleText text={path} />
            </span>
            <span className="tag">{appStrings.diff.changed[kind]}</span>
          </>
        }
      >
        {() => <Comparison {...{ snapshot, since, path }} />}
      </Disclosure>
    </li>
  );
}

/** Loaded when it is opened. */
function Comparison({
  snapshot,
  since = null,
  path,
}: SnapshotProps & { readonly path: string }): ReactNode {
  const { bridge } = useSession();
  const { id: snapshotId, threadId } = snapshot;
  const sides = useLoaded<'snapshots.diff'>(
    () => bridge.request('snapshots.diff', { threadId, snapshotId, since, path }),
    `${threadId} ${snapshotId} ${since} ${path}`,
  );
  return <FileSides path={path} sides={sides} />;
}
