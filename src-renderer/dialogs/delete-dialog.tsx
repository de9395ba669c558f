import { AlertDialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import type { Thread } from '#contract/entities.ts';
import { Button } from '../components/button.tsx';
import { useSession } from '../session-context.ts';
import { appStrings } from '../strings/app.ts';
import { dialogStrings } from '../strings/dialogs.ts';

/** Asks before a task is deleted; the safe answer has the focus. */
export function DeleteDialog({
  thread,
  onClose,
}: {
  readonly thread: Thread;
  readonly onClose: () => void;
}): ReactNode {
  const { threads } = useSession();
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    if (await threads.remove(thread.id)) onClose();
    else setBusy(false);
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="overlay" />
        <AlertDialog.Content className="modal" data-size="small">
          <AlertDialog.Title className="modal-title">
            {dialogStrings.remove.title}
          </AlertDialog.Title>
          <AlertDialog.Description className="modal-description">
            {dialogStrings.remove.text(thread.title || appStrings.untitled)}
          </AlertDialog.Description>
          <div className="modal-actions">
            <AlertDialog.Cancel asChild>
              <Button>{dialogStrings.remove.keep}</Button>
            </AlertDialog.Cancel>
            <Button variant="danger" disabled={busy} onClick={() => void remove()}>
              {dialogStrings.remove.confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
