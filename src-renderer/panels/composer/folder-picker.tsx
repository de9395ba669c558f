import { Folder, FolderPlus, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { FolderAccess } from '#contract/user-folder.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { formatBytes } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import type { DraftFolder } from '../../store/app-state.ts';
import { hasFolder } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { folderStrings as words } from '../../strings/user-folder.ts';

/** Gives the task a folder of the computer with the next message. A task has one at most. */
export function FolderPicker({
  threadId,
  draftKey,
}: {
  readonly threadId: string | null;
  readonly draftKey: string;
}): ReactNode {
  const isTaken = useApp((state) => hasFolder(state, threadId));
  const [isOpen, setOpen] = useState(false);
  if (isTaken) return null;
  return (
    <>
      <IconButton label={words.give} onClick={() => setOpen(true)}>
        <FolderPlus aria-hidden="true" size={16} />
      </IconButton>
      {isOpen && <FolderDialog draftKey={draftKey} onClose={() => setOpen(false)} />}
    </>
  );
}

const CHOICES = ['copy', 'read'] as const satisfies readonly FolderAccess[];

/** Asks main what the folder holds before it becomes part of the message. */
function FolderDialog({
  draftKey,
  onClose,
}: {
  readonly draftKey: string;
  readonly onClose: () => void;
}): ReactNode {
  const { bridge, drafts } = useSession();
  const [path, setPath] = useState('');
  const [access, setAccess] = useState<FolderAccess>('copy');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const noteId = useId();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (path.trim() === '' || isBusy) return;
    setBusy(true);
    const result = await bridge.request('folders.check', { path: path.trim() });
    setBusy(false);
    if (!result.ok) {
      setProblem(result.error.message);
      return;
    }
    drafts.change(draftKey, { folder: { ...result.data, access } });
    onClose();
  };
  return (
    <Modal title={words.dialog.title} description={words.dialog.text} onClose={onClose}>
      <form className="folder-form" onSubmit={(event) => void submit(event)}>
        <label className="field" data-invalid={problem !== null}>
          <span className="field-label">{words.dialog.path}</span>
          <input
            className="text-input"
            value={path}
            placeholder={words.dialog.placeholder}
            spellCheck={false}
            aria-invalid={problem !== null}
            aria-describedby={noteId}
            onChange={(event) => {
              setPath(event.target.value);
              setProblem(null);
            }}
          />
          <span id={noteId} className="field-note" role={problem === null ? undefined : 'alert'}>
            {problem}
          </span>
        </label>
        <fieldset className="choice">
          <legend className="field-label">{words.dialog.access}</legend>
          {CHOICES.map((candidate) => (
            <label key={candidate} className="choice-option">
              <input
                type="radio"
                name="folder-access"
                checked={candidate === access}
                onChange={() => setAccess(candidate)}
              />
              {words.dialog.accessChoices[candidate]}
            </label>
          ))}
        </fieldset>
        <div className="modal-actions">
          <Button onClick={onClose}>{appStrings.cancel}</Button>
          <Button type="submit" variant="primary" disabled={isBusy || path.trim() === ''}>
            {isBusy && <Spinner />}
            {words.dialog.use}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** The folder of the next message. */
export function FolderChip({
  draftKey,
  folder,
}: {
  readonly draftKey: string;
  readonly folder: DraftFolder | null;
}): ReactNode {
  const { drafts } = useSession();
  if (folder === null) return null;
  const { path, access, contents } = folder;
  const facts = [
    words.chip(contents.files, formatBytes(contents.bytes)),
    ...(contents.leftOutCount === 0 ? [] : [words.leftOut(contents.leftOutCount)]),
    words.inMessage[access],
  ];
  return (
    <ul className="attachment-list">
      <li className="attachment folder-chip" data-state="ready" title={path}>
        <Folder aria-hidden="true" size={14} />
        <span className="attachment-name">{nameOf(path)}</span>
        <span className="muted">{facts.join(' · ')}</span>
        <IconButton
          label={words.remove(nameOf(path))}
          size="small"
          onClick={() => drafts.change(draftKey, { folder: null })}
        >
          <X aria-hidden="true" size={12} />
        </IconButton>
      </li>
    </ul>
  );
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}
