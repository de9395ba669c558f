import '../../styles/file-editor.css';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { ErrorEnvelope } from '#contract/errors.ts';
import type { FileSide } from '#contract/workspace.ts';
import { Button } from '../../components/button.tsx';
import { FileSides } from '../../components/file-sides.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useKeep, useKept } from '../../components/use-kept.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import {
  draftOfFile,
  type FileDraft,
  type FileNow,
  fileDraftName,
  isFileDraft,
  isUnsaved,
} from '../../store/file-draft.ts';
import { fileEditorStrings as words } from '../../strings/file-editor.ts';

const TextEditor = lazy(() =>
  import('./text-editor.tsx').then((module) => ({ default: module.TextEditor })),
);

/** What the user wrote into a file and did not save; undefined where the file is not being edited. */
export function useFileDraft(
  threadId: string,
  path: string,
): readonly [FileDraft | undefined, (draft: FileDraft | undefined) => void] {
  return useKept<FileDraft | undefined>(fileDraftName(threadId, path), undefined);
}

/** Begins to edit a file that need not be on the screen; what was written into it already stays. */
export function useStartDraft(threadId: string): (path: string, draft: FileDraft) => void {
  const keep = useKeep();
  return (path, draft) => keep(fileDraftName(threadId, path), (before) => before ?? draft);
}

interface FileEditorProps {
  readonly threadId: string;
  readonly path: string;
  readonly name: string;
  readonly extension: string;
  readonly draft: FileDraft;
  /** The file as it is now; null where it is gone, or is not yet there; undefined where that is not known. */
  readonly now: FileNow | null | undefined;
  /** Whether the user has just begun to edit it. */
  readonly isFresh: boolean;
}

/** A text file that the user edits: saved by a button or by keyboard, never over what somebody else wrote. */
export function FileEditor(props: FileEditorProps): ReactNode {
  const { threadId, path, name, extension, draft, now, isFresh } = props;
  const { bridge, rereadFile } = useSession();
  const keep = useKeep();
  const place = useRef<HTMLDivElement>(null);
  const [isSaving, setSaving] = useState(false);
  const [isClosing, setClosing] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** Changes the draft, if there still is one: a save may end long after the editor was closed. */
  const update = (change: (before: FileDraft) => FileDraft | undefined): void =>
    keep(fileDraftName(threadId, path), (before) =>
      isFileDraft(before) ? change(before) : before,
    );
  const hash = now === null ? null : (now?.sha256 ?? NOT_COMPARED);
  const [was = null] = draft.known;
  const isChanged = isUnsaved(draft);
  const isOther = now !== undefined && !isSaving && !draft.known.includes(hash);

  useEffect(() => {
    if (now === undefined || isSaving) return;
    // The file is what was saved: whatever else it becomes from now on is somebody else's.
    if (draft.known.length > 1 && hash === draft.known[0]) {
      update((before) => ({ ...before, known: [hash] }));
    } else if (!isChanged && isOther && now !== null && now.sha256 !== null) {
      // Nothing of it is the user's.
      update(({ generation = 0 }) => ({ ...draftOfFile(now), generation: generation + 1 }));
    }
  });

  const save = async (over: string | null): Promise<string | null> => {
    if (isSaving) return null;
    setSaving(true);
    const { text } = draft;
    const result = await bridge.request('files.write', { threadId, path, text, was: over });
    if (result.ok) {
      const known = [result.data.sha256, over];
      update((before) => ({ ...before, saved: text, known }));
    }
    rereadFile(threadId, path);
    setSaving(false);
    setProblem(result.ok ? null : result.error);
    return result.ok ? text : null;
  };
  const saveIfChanged = (): void => {
    if (isChanged) void save(was);
  };
  const close = (): void => update(() => undefined);
  const goOn = (): void => {
    setClosing(false);
    place.current?.querySelector<HTMLElement>('.cm-content')?.focus();
  };
  const saveAndClose = async (): Promise<void> => {
    const saved = await save(was);
    // What was typed meanwhile is not saved.
    if (saved !== null) update((before) => (before.text === saved ? undefined : before));
    goOn();
  };

  return (
    <div className="file-editor" ref={place}>
      <div className="file-editor-bar">
        <span className="muted" role="status">
          {isChanged ? words.unsaved : words.saved}
        </span>
        <span className="spacer" />
        <Button
          size="small"
          variant="primary"
          disabled={isSaving || !isChanged}
          onClick={saveIfChanged}
        >
          {words.save}
        </Button>
        <Button size="small" onClick={() => (isChanged ? setClosing(true) : close())}>
          {words.close}
        </Button>
      </div>
      {isClosing && <Closing onSave={() => void saveAndClose()} onDiscard={close} onStay={goOn} />}
      {problem !== null && !(isOther && problem.code === 'CONFLICT') && (
        <p className="banner file-editor-note" data-tone="danger" role="alert">
          <VisibleText text={problem.message} />
        </p>
      )}
      {isOther && (
        <ChangedMeanwhile
          {...{ path, draft, now, isSaving }}
          onSaveOver={() => void save(hash)}
          onDiscard={close}
        />
      )}
      <Suspense fallback={<Skeleton label={words.opening} lines={6} />}>
        <TextEditor
          key={draft.generation ?? 0}
          label={words.text(name)}
          initial={draft.text}
          extension={extension}
          takesFocus={isFresh}
          onChange={(text) => update((before) => ({ ...before, text }))}
          onSave={saveIfChanged}
        />
      </Suspense>
      <p className="muted file-editor-keys">{words.keys}</p>
    </div>
  );
}

type Problem = Pick<ErrorEnvelope, 'code' | 'message'>;

const NOT_COMPARED = 'not compared';

/** Asks what becomes of changes that are not saved. */
function Closing({
  onSave,
  onDiscard,
  onStay,
}: {
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly onStay: () => void;
}): ReactNode {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <div className="banner file-editor-note" role="alert">
      <span>{words.sure}</span>
      <div className="file-editor-actions">
        <Button ref={first} size="small" variant="primary" onClick={onSave}>
          {words.saveAndClose}
        </Button>
        <Button size="small" onClick={onDiscard}>
          {words.discard}
        </Button>
        <Button size="small" variant="ghost" onClick={onStay}>
          {words.stay}
        </Button>
      </div>
    </div>
  );
}

/** The file is not the one that is being edited: the user sees how they differ, and decides. */
function ChangedMeanwhile({
  path,
  draft,
  now,
  isSaving,
  onSaveOver,
  onDiscard,
}: Pick<FileEditorProps, 'path' | 'draft' | 'now'> & {
  readonly isSaving: boolean;
  readonly onSaveOver: () => void;
  readonly onDiscard: () => void;
}): ReactNode {
  const [isShown, setShown] = useState(false);
  const isText = now != null && now.sha256 !== null;
  return (
    <div className="banner file-editor-note" data-tone="warning" role="alert">
      <span>{now === null ? words.gone : isText ? words.other : words.notText}</span>
      <div className="file-editor-actions">
        {isText && (
          <Button size="small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {words.compare}
          </Button>
        )}
        {(now === null || isText) && (
          <Button size="small" disabled={isSaving} onClick={onSaveOver}>
            {now === null ? words.saveAgain : words.saveOver}
          </Button>
        )}
        <Button size="small" onClick={onDiscard}>
          {words.discard}
        </Button>
      </div>
      {isShown && isText && (
        <div className="file-editor-sides">
          <p>{words.legend}</p>
          <FileSides path={path} sides={{ before: sideOf(now.text), after: sideOf(draft.text) }} />
        </div>
      )}
    </div>
  );
}

function sideOf(text: string): FileSide {
  return { kind: 'text', text, truncated: false };
}
