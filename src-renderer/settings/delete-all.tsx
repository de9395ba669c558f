import { Trash2 } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../components/button.tsx';
import { formatBytes } from '../format.ts';
import { useSession } from '../session-context.ts';
import { userDataStrings } from '../strings/user-data.ts';
import { SettingsGroup } from './field.tsx';
import type { StoredState } from './stored-data.tsx';

const words = userDataStrings.remove;

/** Deletes everything that the app stored, after a typed word, which main checks. */
export function DeleteAll({ stored }: Pick<StoredState, 'stored'>): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingsGroup title={words.title}>
      <p className="muted">{words.hint}</p>
      <Button variant="danger" disabled={stored === null} onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" size={14} />
        {words.open}
      </Button>
      {isOpen && stored !== null && (
        <DeleteAllDialog
          folder={stored.dataDir}
          modelBytes={stored.parts.find(({ kind }) => kind === 'models')?.bytes ?? 0}
          onClose={() => setOpen(false)}
        />
      )}
    </SettingsGroup>
  );
}

function DeleteAllDialog({
  folder,
  modelBytes,
  onClose,
}: {
  readonly folder: string;
  readonly modelBytes: number;
  readonly onClose: () => void;
}): ReactNode {
  const { bridge, store } = useSession();
  const [typed, setTyped] = useState('');
  const [withModels, setWithModels] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const isTyped = typed.normalize('NFKC').trim().toLowerCase() === words.word;
  const remove = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isTyped || busy) return;
    setBusy(true);
    setProblem(null);
    const input = { confirmation: typed, keepModels: !withModels };
    const result = await bridge.request('data.delete', input);
    setBusy(false);
    if (!result.ok) {
      setProblem(result.error.message);
      return;
    }
    const { next } = result.data;
    store.update((state) => ({ ...state, drafts: new Map(), queued: new Map(), deleted: next }));
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="overlay delete-all-overlay" />
        <AlertDialog.Content className="modal delete-all-dialog" data-size="small">
          <AlertDialog.Title className="modal-title">{words.question}</AlertDialog.Title>
          <AlertDialog.Description className="modal-description">
            {words.text(folder)}
          </AlertDialog.Description>
          <form className="delete-all" onSubmit={(event) => void remove(event)}>
            {modelBytes > 0 && (
              <label className="delete-models">
                <input
                  type="checkbox"
                  checked={withModels}
                  onChange={(event) => setWithModels(event.target.checked)}
                />
                {words.models(formatBytes(modelBytes))}
              </label>
            )}
            <label className="field-label" htmlFor={id}>
              {words.type(words.word)}
            </label>
            <input
              id={id}
              className="text-input"
              value={typed}
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              onChange={(event) => setTyped(event.target.value)}
            />
            {problem !== null && (
              <p className="field-note" role="alert" data-invalid="true">
                {problem}
              </p>
            )}
            <div className="modal-actions">
              <AlertDialog.Cancel asChild>
                <Button>{words.keep}</Button>
              </AlertDialog.Cancel>
              <Button variant="danger" type="submit" disabled={!isTyped || busy}>
                {words.confirm}
              </Button>
            </div>
          </form>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
