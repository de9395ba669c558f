import { ArrowLeft, History, RefreshCw, RotateCcw } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { Snapshot } from '#contract/workspace.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatBytes, formatMoment } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { computerStrings } from '../../strings/computer.ts';
import { historyStrings } from '../../strings/file-history.ts';
import { SnapshotChanges } from './snapshot-changes.tsx';

const words = historyStrings;

interface FileHistoryProps {
  readonly threadId: string;
  /** Changes when files of the task changed. */
  readonly version: number;
  /** A run is active, so nothing can be restored. */
  readonly busy: boolean;
  readonly onBack: () => void;
}

/** Snapshots of a task's files that can be restored, newest first. */
export function FileHistory({ threadId, version, busy, onBack }: FileHistoryProps): ReactNode {
  const { snapshots, reread } = useSnapshots(threadId, version);
  const [chosen, setChosen] = useState<Snapshot | null>(null);
  const [kept, setKept] = useState<readonly string[]>([]);
  return (
    <div className="files-tab">
      <header className="file-viewer-header">
        <IconButton label={computerStrings.back} size="small" onClick={onBack}>
          <ArrowLeft aria-hidden="true" size={15} />
        </IconButton>
        <h2 className="file-viewer-name">{words.title}</h2>
        <IconButton label={computerStrings.refresh} size="small" onClick={() => void reread()}>
          <RefreshCw aria-hidden="true" size={14} />
        </IconButton>
      </header>
      {busy && <p className="muted pad">{words.busy}</p>}
      {kept.length > 0 && (
        <p className="muted pad" role="status">
          {words.kept(kept)}
        </p>
      )}
      {snapshots === null && <Skeleton label={words.title} lines={4} />}
      {snapshots?.length === 0 && <EmptyState icon={History} text={words.none} />}
      <ol className="history-list">
        {snapshots?.map((snapshot, index) => (
          <HistoryEntry
            key={snapshot.id}
            snapshot={snapshot}
            isNewest={index === 0}
            busy={busy}
            onRestore={() => setChosen(snapshot)}
          />
        ))}
      </ol>
      {chosen !== null && (
        <RestoreDialog
          snapshot={chosen}
          onClose={() => setChosen(null)}
          onRestored={(left) => {
            setChosen(null);
            setKept(left);
            void reread();
          }}
        />
      )}
    </div>
  );
}

interface EntryProps {
  readonly snapshot: Snapshot;
  readonly isNewest: boolean;
  readonly busy: boolean;
  readonly onRestore: () => void;
}

function HistoryEntry({ snapshot, isNewest, busy, onRestore }: EntryProps): ReactNode {
  const now = useNow(true, 60_000);
  const { at, files, bytes, leftOut, leftOutCount } = snapshot;
  const title = titleOf(snapshot);
  return (
    <li className="history-entry">
      <div className="history-text">
        <p className="history-title">
          {title}
          {isNewest && <span className="tag">{words.newest}</span>}
        </p>
        <p className="muted">
          {formatMoment(at, now)} · {words.size(files, formatBytes(bytes))} ·{' '}
          {words.changes(snapshot)}
        </p>
        {snapshot.created + snapshot.modified + snapshot.deleted > 0 && (
          <Disclosure
            id={`snapshot ${snapshot.id}`}
            className="history-difference"
            summary={words.show}
          >
            {() => <SnapshotChanges snapshot={snapshot} />}
          </Disclosure>
        )}
        {leftOut.length > 0 && (
          <details className="muted">
            <summary>{words.leftOut(leftOutCount)}</summary>
            <ul>
              {leftOut.map(({ path, reason, bytes: size }) => (
                <li key={path}>
                  <code>{path}</code> {words.reasons[reason]}
                  {size > 0 && ` (${formatBytes(size)})`}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <Button
        size="small"
        disabled={busy}
        aria-label={words.restoreTo(title, formatMoment(at, now))}
        onClick={onRestore}
      >
        <RotateCcw aria-hidden="true" size={13} />
        {words.restore}
      </Button>
    </li>
  );
}

function titleOf({ cause, seq }: Snapshot): string {
  switch (cause) {
    case 'step':
      return seq === null || seq === 0 ? words.atStart : words.afterStep(seq);
    case 'before_restore':
      return words.beforeRestore;
    case 'restore':
      return words.afterRestore;
  }
}

/** Asks before the user's files change. */
function RestoreDialog({
  snapshot,
  onClose,
  onRestored,
}: {
  readonly snapshot: Snapshot;
  readonly onClose: () => void;
  readonly onRestored: (kept: readonly string[]) => void;
}): ReactNode {
  const { bridge, showError } = useSession();
  const now = useNow(true, 60_000);
  const { threadId, id: snapshotId, at } = snapshot;
  const restore = async (): Promise<void> => {
    const result = await bridge.request('snapshots.restore', { threadId, snapshotId });
    if (result.ok) onRestored(result.data.kept);
    else showError(result.error.message);
  };
  return (
    <ConfirmDialog
      title={words.confirmTitle}
      text={words.confirmText(titleOf(snapshot), formatMoment(at, now))}
      confirmLabel={words.confirm}
      onConfirm={restore}
      onClose={onClose}
    />
  );
}

function useSnapshots(
  threadId: string,
  version: number,
): { readonly snapshots: readonly Snapshot[] | null; readonly reread: () => Promise<void> } {
  const { bridge, showError } = useSession();
  const [snapshots, setSnapshots] = useState<readonly Snapshot[] | null>(null);
  const reread = useCallback(async () => {
    const result = await bridge.request('snapshots.list', { threadId });
    if (result.ok) setSnapshots(result.data.snapshots);
    else showError(result.error.message);
  }, [bridge, showError, threadId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version reads again
  useEffect(() => void reread(), [reread, version]);
  return { snapshots, reread };
}
