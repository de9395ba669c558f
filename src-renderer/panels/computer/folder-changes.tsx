import { ArrowLeft, FolderCheck, RefreshCw, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { FolderChange, RefusedChange, UserFolder } from '#contract/user-folder.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FileSides } from '../../components/file-sides.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { appStrings } from '../../strings/app.ts';
import { computerStrings } from '../../strings/computer.ts';
import { folderStrings as words } from '../../strings/user-folder.ts';
import { type FolderListing, useSides } from './use-user-folder.ts';

interface FolderChangesProps {
  readonly threadId: string;
  readonly folder: UserFolder;
  readonly listing: FolderListing;
  readonly reread: () => Promise<void>;
  readonly onBack: () => void;
}

/** Reviews what differs between the user's folder and its copy, and applies what the user chose. */
export function FolderChanges(props: FolderChangesProps): ReactNode {
  const { threadId, folder, listing, reread, onBack } = props;
  const { bridge, showError } = useSession();
  /** What the user ticked or unticked, against what is ticked by itself. */
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { changes } = listing;
  const isChosen = (change: FolderChange): boolean =>
    change.blocked === null && (ticked.get(change.path) ?? isSafe(change));
  const chosen = changes.filter(isChosen);
  const canApply = folder.access === 'copy';

  const write = async (what: 'applied' | 'undone'): Promise<void> => {
    setBusy(true);
    const result =
      what === 'applied'
        ? await bridge.request('folders.apply', {
            threadId,
            changes: chosen.map(({ path, now, becomes }) => ({ path, now, becomes })),
          })
        : await bridge.request('folders.undo', { threadId });
    if (result.ok) {
      setOutcome({ what, ...result.data });
      setTicked(new Map());
    } else showError(result.error.message);
    await reread();
    setBusy(false);
  };

  return (
    <div className="files-tab">
      <header className="file-viewer-header">
        <IconButton label={computerStrings.back} size="small" onClick={onBack}>
          <ArrowLeft aria-hidden="true" size={15} />
        </IconButton>
        <h2 className="file-viewer-name" title={folder.path}>
          {words.title}: <VisibleText text={folder.path} />
        </h2>
        <IconButton label={computerStrings.refresh} size="small" onClick={() => void reread()}>
          <RefreshCw aria-hidden="true" size={14} />
        </IconButton>
      </header>
      <OutcomeNote outcome={outcome} />
      {!canApply && <p className="muted pad">{words.readOnly}</p>}
      {listing.phase === 'loading' && <Skeleton label={words.title} lines={4} />}
      {listing.problem !== null && (
        <p className="field-note pad" role="alert">
          {listing.problem}
        </p>
      )}
      {listing.phase === 'ready' && changes.length === 0 && (
        <EmptyState icon={FolderCheck} text={words.differs(0)} />
      )}
      <ul className="folder-changes">
        {changes.map((change) => (
          <ChangeRow
            key={`${change.path} ${change.now} ${change.becomes}`}
            threadId={threadId}
            change={change}
            isChosen={canApply ? isChosen(change) : null}
            disabled={busy}
            onChoose={(on) => setTicked((before) => new Map(before).set(change.path, on))}
          />
        ))}
      </ul>
      {listing.count > changes.length && (
        <p className="muted pad">{words.more(listing.count - changes.length)}</p>
      )}
      {listing.leftOut.length > 0 && (
        <p className="muted pad">
          <VisibleText
            text={words.notCompared(
              listing.leftOut.slice(0, 5).map(({ path }) => path),
              listing.leftOutCount,
            )}
          />
        </p>
      )}
      {canApply && (
        <footer className="folder-actions">
          {folder.applied !== null && (
            <>
              <span className="muted">{words.canUndo(folder.applied.files)}</span>
              <Button size="small" disabled={busy} onClick={() => void write('undone')}>
                <Undo2 aria-hidden="true" size={13} />
                {words.undo}
              </Button>
            </>
          )}
          <span className="spacer" />
          <Button
            variant="primary"
            disabled={busy || chosen.length === 0}
            onClick={() => void write('applied')}
          >
            {words.apply(chosen.length)}
          </Button>
        </footer>
      )}
    </div>
  );
}

interface Outcome {
  readonly what: 'applied' | 'undone';
  readonly written: readonly string[];
  readonly refused: readonly RefusedChange[];
}

/** Ticked by itself: nothing of the user's is lost, and nothing runs by itself. */
function isSafe({ isEditedMeanwhile, runsByItself }: FolderChange): boolean {
  return !isEditedMeanwhile && !runsByItself;
}

function OutcomeNote({ outcome }: { readonly outcome: Outcome | null }): ReactNode {
  return (
    <div role="status" className="folder-outcome">
      {outcome !== null && (
        <>
          <p>{words[outcome.what](outcome.written.length)}</p>
          {outcome.refused.map(({ path, reason }) => (
            <p key={path}>
              <VisibleText text={words.refused(path, words.reasons[reason])} />
            </p>
          ))}
        </>
      )}
    </div>
  );
}

function ChangeRow({
  threadId,
  change,
  isChosen,
  disabled,
  onChoose,
}: {
  readonly threadId: string;
  readonly change: FolderChange;
  /** Null where nothing can be applied. */
  readonly isChosen: boolean | null;
  readonly disabled: boolean;
  readonly onChoose: (on: boolean) => void;
}): ReactNode {
  const { path, kind, blocked, isEditedMeanwhile, runsByItself } = change;
  const notes = [
    ...(blocked === null ? [] : [words.blocked[blocked]]),
    ...(isEditedMeanwhile && blocked === null ? [words.editedMeanwhile] : []),
    ...(runsByItself ? [words.runsByItself] : []),
  ];
  return (
    <li className="folder-change" data-kind={kind}>
      {isChosen !== null && (
        <input
          type="checkbox"
          aria-label={words.choose(path)}
          checked={isChosen}
          disabled={disabled || blocked !== null}
          onChange={(event) => onChoose(event.target.checked)}
        />
      )}
      <div className="folder-change-text">
        <Disclosure
          id={`folder ${threadId} ${path} ${change.now} ${change.becomes}`}
          className="folder-change-diff"
          summary={
            <>
              <span className="folder-change-path">
                <VisibleText text={path} />
              </span>
              <span className="tag">{appStrings.diff.changed[kind]}</span>
            </>
          }
        >
          {() => <Comparison threadId={threadId} change={change} />}
        </Disclosure>
        {notes.map((note) => (
          <p key={note} className="field-note">
            {note}
          </p>
        ))}
      </div>
    </li>
  );
}

/** Both sides of a file, loaded when it is opened. */
function Comparison({
  threadId,
  change,
}: {
  readonly threadId: string;
  readonly change: FolderChange;
}): ReactNode {
  const sides = useSides(threadId, change);
  const shown =
    sides === null || typeof sides === 'string'
      ? sides
      : { before: sides.now, after: sides.becomes };
  return <FileSides path={change.path} sides={shown} />;
}
