import { type FormEvent, type ReactNode, useState } from 'react';
import type { Thread } from '#contract/entities.ts';
import { Button } from '../components/button.tsx';
import { Modal } from '../components/modal.tsx';
import { useSession } from '../session-context.ts';
import { appStrings } from '../strings/app.ts';
import { dialogStrings } from '../strings/dialogs.ts';

export function RenameDialog({
  thread,
  onClose,
}: {
  readonly thread: Thread;
  readonly onClose: () => void;
}): ReactNode {
  const { threads } = useSession();
  const [title, setTitle] = useState(thread.title);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    if (await threads.rename(thread.id, title.trim())) onClose();
    else setBusy(false);
  };
  return (
    <Modal title={dialogStrings.rename.title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span className="field-label">{dialogStrings.rename.label}</span>
          <input
            className="text-input"
            value={title}
            maxLength={200}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <div className="modal-actions">
          <Button onClick={onClose}>{appStrings.cancel}</Button>
          <Button type="submit" variant="primary" disabled={busy || title.trim() === ''}>
            {dialogStrings.rename.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
