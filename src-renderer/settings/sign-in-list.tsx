import { Trash2 } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import type { SavedSignIn } from '#contract/sign-ins.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { Button, IconButton } from '../components/button.tsx';
import { useNow } from '../components/use-now.ts';
import { VisibleText } from '../components/visible-text.tsx';
import { formatMoment } from '../format.ts';
import { useSession } from '../session-context.ts';
import { signInStrings as words } from '../strings/sign-ins.ts';
import { SettingsGroup } from './field.tsx';

/** The sign-ins that the user saved, to be deleted; they are saved and used in the Browser tab. */
export function SignInList(): ReactNode {
  const session = useSession();
  const now = useNow(false);
  const [stored, setStored] = useState<RequestOutput<'signIns.list'> | null>(null);
  const [leaving, setLeaving] = useState<SavedSignIn | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const read = useCallback(async () => {
    const result = await session.bridge.request('signIns.list', {});
    if (result.ok) setStored(result.data);
    else session.showError(result.error.message);
  }, [session]);
  useEffect(() => void read(), [read]);
  const remove = async ({ id }: SavedSignIn): Promise<void> => {
    setLeaving(null);
    const result = await session.bridge.request('signIns.delete', { signInId: id });
    if (!result.ok) session.showError(result.error.message);
    await read();
    // Its button is gone.
    place.current?.focus();
  };
  return (
    <SettingsGroup title={words.title}>
      <div ref={place} className="sign-ins" tabIndex={-1}>
        {stored !== null && (
          <p className="muted">
            {stored.storage === null ? words.noStorage : words.list.hint(stored.storage)}
          </p>
        )}
        {stored?.signIns.length === 0 && <p className="muted">{words.none}</p>}
        <ul className="settings-list">
          {stored?.signIns.map((signIn) => (
            <li key={signIn.id}>
              <div className="sign-in">
                <strong>
                  <VisibleText text={signIn.name} />
                </strong>{' '}
                <code>
                  <VisibleText text={signIn.site} />
                </code>
                <p className="muted">{timesOf(signIn, now)}</p>
              </div>
              <span className="spacer" />
              <IconButton
                label={words.list.remove(makeVisible(signIn.name))}
                size="small"
                onClick={() => setLeaving(signIn)}
              >
                <Trash2 aria-hidden="true" size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
      </div>
      {leaving !== null && (
        <DeleteSignIn
          name={leaving.name}
          onClose={() => setLeaving(null)}
          onDelete={() => void remove(leaving)}
        />
      )}
    </SettingsGroup>
  );
}

function timesOf({ savedAt, usedAt }: SavedSignIn, now: number): string {
  const used = usedAt === null ? words.list.unused : words.list.used(formatMoment(usedAt, now));
  return `${words.list.saved(formatMoment(savedAt, now))} · ${used}`;
}

function DeleteSignIn({
  name,
  onClose,
  onDelete,
}: {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}): ReactNode {
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="overlay delete-all-overlay" />
        <AlertDialog.Content className="modal delete-all-dialog" data-size="small">
          <AlertDialog.Title className="modal-title">{words.remove.title}</AlertDialog.Title>
          <AlertDialog.Description className="modal-description">
            {words.remove.text(makeVisible(name))}
          </AlertDialog.Description>
          <div className="modal-actions">
            <AlertDialog.Cancel asChild>
              <Button>{words.remove.keep}</Button>
            </AlertDialog.Cancel>
            <Button variant="danger" onClick={onDelete}>
              {words.remove.confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
