import { type ReactNode, useEffect, useState } from 'react';
import type { RequestOutput, RequestResult } from '#contract/requests.ts';
import type { Snapshot, SnapshotChange } from '#contract/workspace.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { FileSides } from '../../components/file-sides.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { appStrings } from '../../strings/app.ts';
import { historyStrings as words } from '../../strings/file-history.ts';

interface SnapshotProps {
  readonly snapshot: Pick<Snapshot, 'id' | 'threadId'>;
}

/** What changed from the snapshot before: the files, each with its lines. */
export function SnapshotChanges({ snapshot }: SnapshotProps): ReactNode {
  const { bridge } = useSession();
  const { id: snapshotId, threadId } = snapshot;
  const listed = useLoaded<'snapshots.changes'>(
    () => bridge.request('snapshots.changes', { threadId, snapshotId, since: null }),
    `${threadId} ${snapshotId}`,
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
          <ChangedFile key={change.path} {...{ snapshot, change }} />
        ))}
      </ul>
      {count > changes.length && <p className="muted">{words.more(count - changes.length)}</p>}
    </>
  );
}

function ChangedFile({
  snapshot,
  change,
}: SnapshotProps & { readonly change: SnapshotChange }): ReactNode {
  const { path, kind } = change;
  return (
    <li data-kind={kind}>
      <Disclosure
        id={`snapshot ${snapshot.id} ${path}`}
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
        {() => <Comparison {...{ snapshot, path }} />}
      </Disclosure>
    </li>
  );
}

/** Loaded when it is opened. */
function Comparison({ snapshot, path }: SnapshotProps & { readonly path: string }): ReactNode {
  const { bridge } = useSession();
  const { id: snapshotId, threadId } = snapshot;
  const sides = useLoaded<'snapshots.diff'>(
    () => bridge.request('snapshots.diff', { threadId, snapshotId, since: null, path }),
    `${threadId} ${snapshotId} ${path}`,
  );
  return <FileSides path={path} sides={sides} />;
}

/** What a request answers, asked again for another `key`; null until then, a text where it fails. */
function useLoaded<Name extends 'snapshots.changes' | 'snapshots.diff'>(
  ask: () => Promise<RequestResult<Name>>,
  key: string,
): RequestOutput<Name> | string | null {
  const [loaded, setLoaded] = useState<RequestOutput<Name> | string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked
  useEffect(() => {
    let isGone = false;
    void ask().then((result) => {
      if (!isGone) setLoaded(result.ok ? result.data : result.error.message);
    });
    return () => {
      isGone = true;
    };
  }, [key]);
  return loaded;
}
