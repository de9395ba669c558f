import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { appStrings } from '../strings/app.ts';
import { IconButton } from './button.tsx';
import { useFocusBack } from './use-focus-back.ts';

/** Focuses the first control in the dialog, not the button that closes it. */
function focusContent(event: Event): void {
  const body = (event.currentTarget as HTMLElement).querySelector('.modal-body');
  // Focusing another tab would select it.
  const tab = body?.querySelector<HTMLElement>('[role=tab][data-state=active]');
  const first = tab ?? body?.querySelector<HTMLElement>('input, textarea, button, [tabindex="0"]');
  if (first === undefined || first === null) return;
  event.preventDefault();
  first.focus();
}

/** A dialog over the window: the focus stays in it, and goes back to where it was. */
export function Modal({
  title,
  description,
  size = 'small',
  onClose,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly size?: 'small' | 'large';
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const focusBack = useFocusBack();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="modal"
          data-size={size}
          onOpenAutoFocus={(event) => {
            focusBack.onOpenAutoFocus();
            focusContent(event);
          }}
          onCloseAutoFocus={focusBack.onCloseAutoFocus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="modal-header">
            <Dialog.Title className="modal-title">{title}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={appStrings.close} size="small">
                <X aria-hidden="true" size={16} />
              </IconButton>
            </Dialog.Close>
          </header>
          {description !== undefined && (
            <Dialog.Description className="modal-description">{description}</Dialog.Description>
          )}
          <div className="modal-body">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
