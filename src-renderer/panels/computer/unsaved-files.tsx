import { Pencil } from 'lucide-react';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import '../../styles/file-editor.css';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { unsavedFiles } from '../../store/file-draft.ts';
import { fileEditorStrings as words } from '../../strings/file-editor.ts';

/** The files of a task with text that is not saved, new ones too; nothing where there are none. */
export function UnsavedFiles({
  threadId,
  onOpen,
}: {
  readonly threadId: string;
  readonly onOpen: (path: string) => void;
}): ReactNode {
  const { kept } = useSession();
  const drafts = useSyncExternalStore(kept.subscribe, kept.get);
  const paths = useMemo(() => unsavedFiles(drafts, threadId), [drafts, threadId]);
  if (paths.length === 0) return null;
  return (
    <ul className="files-unsaved" aria-label={words.unsaved}>
      {paths.map((path) => (
        <li key={path}>
          <button type="button" className="file-entry" onClick={() => onOpen(path)}>
            <Pencil aria-hidden="true" size={14} />
            <span className="file-name">
              <VisibleText text={path} />
            </span>
            <span className="tag">{words.unsaved}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
