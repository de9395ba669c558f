import { AlertDialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { appStrings } from '../strings/app.ts';
import { Button } from './button.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
  readonly variant?: 'primary' | 'danger';
  /** The dialog stays until it is done. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something happens; the safe answer has the focus. */
export function ConfirmDialog({
  title,
  text,
  confirmLabel,
  variant = 'primary',
  onConfirm,
  onClose,
}: ConfirmDialogProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    await onConfirm();
    setBusy(false);
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && !isBusy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="overlay" />
        <AlertDialog.Content className="modal" data-size="small">
          <AlertDialog.Title className="modal-title">{title}</AlertDialog.Title>
          <AlertDialog.Description className="modal-description">{text}</AlertDialog.Description>
          <div className="modal-actions">
            <AlertDialog.Cancel asChild>
              <Button disabled={isBusy}>{appStrings.cancel}</Button>
            </AlertDialog.Cancel>
            <Button variant={variant} disabled={isBusy} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
