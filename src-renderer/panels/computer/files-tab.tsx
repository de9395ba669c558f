import { FilePlus, Folder, FolderOpen, History, RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { WorkspaceEntry } from '#contract/workspace.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { fileKey } from '../../store/app-state.ts';
import { draftOfFile } from '../../store/file-draft.ts';
import { buildFileTree, withChanges } from '../../store/file-tree.ts';
import type { WorkspaceChange } from '../../store/run-view.ts';
import { liveRun, newestRun } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { computerStrings } from '../../strings/computer.ts';
import { fileEditorStrings } from '../../strings/file-editor.ts';
import { folderStrings } from '../../strings/user-folder.ts';
import { useStartDraft } from './file-editor.tsx';
import { FileHistory } from './file-history.tsx';
import { FileNameForm } from './file-name-form.tsx';
import { FileTree } from './file-tree.tsx';
import { FileViewer } from './file-viewer.tsx';
import { FolderChanges } from './folder-changes.tsx';
import { UnsavedFiles } from './unsaved-files.tsx';
import { useUserFolder } from './use-user-folder.ts';

interface Listing {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly entries: readonly WorkspaceEntry[];
  readonly truncated: boolean;
  readonly folder: string;
}

/** Changes come in bursts; the workspace is read again once a burst is over. */
const SETTLE_MS = 400;
const NO_CHANGES: ReadonlyMap<string, WorkspaceChange> = new Map();

/** The files of a task: a tree, and a viewer for one of them. */
export function FilesTab({
  threadId,
  openPath,
  onOpenPath,
}: {
  readonly threadId: string;
  readonly openPath: string | null;
  readonly onOpenPath: (path: string | null) => void;
}): ReactNode {
  const runId = useApp((state) => newestRun(state, threadId)?.id ?? null);
  const workspace = useApp((state) =>
    runId === null ? null : (state.views.get(runId)?.workspace ?? null),
  );
  const live = useApp((state) => liveRun(state, threadId) !== null);
  const saves = useApp((state) => state.savedFiles.get(fileKey(threadId, '')) ?? 0);
  const version = (workspace?.version ?? 0) + saves;
  const changes = workspace?.byPath ?? NO_CHANGES;
  const { listing, reread } = useListing(threadId, version);
  const mine = useUserFolder(threadId, live ? 0 : version + 1);
  const [shown, setShown] = useState<'files' | 'history' | 'folder'>('files');
  const [isNaming, setNaming] = useState(false);
  const startDraft = useStartDraft(threadId);
  const newFileButton = useRef<HTMLButtonElement>(null);
  // Once a run is over, the listing has its changes and may have newer ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` grows in place, `version` tells
  const tree = useMemo(
    () => buildFileTree(live ? withChanges(listing.entries, changes) : listing.entries),
    [listing, live, version],
  );

  if (openPath !== null) {
    return (
      <FileViewer
        threadId={threadId}
        path={openPath}
        version={`${runId} ${changes.get(openPath)?.seq ?? 0}`}
        onBack={() => onOpenPath(null)}
        onMoved={onOpenPath}
      />
    );
  }
  const back = (): void => {
    setShown('files');
    reread();
  };
  if (shown === 'folder' && mine.folder !== null) {
    return <FolderChanges threadId={threadId} onBack={back} {...mine} folder={mine.folder} />;
  }
  if (shown === 'history') {
    return <FileHistory threadId={threadId} version={version} busy={live} onBack={back} />;
  }
  if (listing.phase === 'loading' && tree.length === 0) {
    return <Skeleton label={computerStrings.files} lines={5} />;
  }
  if (listing.phase === 'failed' && tree.length === 0) {
    return (
      <EmptyState icon={FolderOpen} text={computerStrings.failed}>
        <Button size="small" onClick={reread}>
          {appStrings.retry}
        </Button>
      </EmptyState>
    );
  }
  return (
    <div className="files-tab">
      <header className="files-header">
        <h2 className="section-label">{computerStrings.tree}</h2>
        <IconButton
          ref={newFileButton}
          className="files-first-action"
          label={fileEditorStrings.newFile}
          size="small"
          aria-expanded={isNaming}
          onClick={() => setNaming(!isNaming)}
        >
          <FilePlus aria-hidden="true" size={14} />
        </IconButton>
        <IconButton
          label={computerStrings.history}
          size="small"
          onClick={() => setShown('history')}
        >
          <History aria-hidden="true" size={14} />
        </IconButton>
        <CopyButton label={fileEditorStrings.copyFolder} text={() => listing.folder} />
        <IconButton label={computerStrings.refresh} size="small" onClick={reread}>
          <RefreshCw aria-hidden="true" size={14} />
        </IconButton>
      </header>
      {isNaming && (
        <FileNameForm
          label={fileEditorStrings.newPath}
          submitLabel={fileEditorStrings.create}
          onName={(path) => {
            const isTaken = listing.entries.some((entry) => entry.path === path);
            if (isTaken) return fileEditorStrings.exists(path);
            setNaming(false);
            startDraft(path, draftOfFile(null));
            onOpenPath(path);
            return null;
          }}
          onCancel={() => {
            setNaming(false);
            newFileButton.current?.focus();
          }}
        />
      )}
      <UnsavedFiles threadId={threadId} onOpen={onOpenPath} />
      {mine.folder !== null && (
        <div className="folder-bar">
          <Folder aria-hidden="true" size={14} />
          <span className="folder-bar-name" title={mine.folder.path}>
            <VisibleText text={mine.folder.name} />
          </span>
          {mine.listing.phase === 'ready' && (
            <span className="muted">{folderStrings.differs(mine.listing.count)}</span>
          )}
          <Button size="small" onClick={() => setShown('folder')}>
            {folderStrings.review}
          </Button>
        </div>
      )}
      {tree.length === 0 ? (
        <EmptyState icon={FolderOpen} text={computerStrings.noFiles} />
      ) : (
        <FileTree nodes={tree} changes={changes} onOpen={onOpenPath} />
      )}
      {listing.truncated && <p className="muted pad">{computerStrings.truncatedList}</p>}
    </div>
  );
}

function useListing(
  threadId: string,
  version: number,
): { readonly listing: Listing; readonly reread: () => void } {
  const { bridge } = useSession();
  const [listing, setListing] = useState<Listing>({
    phase: 'loading',
    entries: [],
    truncated: false,
    folder: '',
  });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version or attempt reads again
  useEffect(() => {
    let cancelled = false;
    const read = async (): Promise<void> => {
      const result = await bridge.request('files.list', { threadId });
      if (cancelled) return;
      setListing((before) =>
        result.ok ? { phase: 'ready', ...result.data } : { ...before, phase: 'failed' },
      );
    };
    const timer = setTimeout(() => void read(), version === 0 ? 0 : SETTLE_MS);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [bridge, threadId, version, attempt]);
  return { listing, reread: () => setAttempt((count) => count + 1) };
}
