import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { Spinner } from '../components/spinner.tsx';
import { useKept } from '../components/use-kept.ts';
import { VisibleText } from '../components/visible-text.tsx';
import { Field, TextInput } from './field.tsx';

interface FolderWords {
  readonly none: string;
  readonly folder: string;
  readonly placeholder: string;
  readonly add: string;
  readonly remove: (path: string) => string;
}

interface FolderListProps {
  readonly words: FolderWords;
  /** Under which the path is kept that is typed and not added. */
  readonly keptAs: string;
  readonly paths: readonly string[];
  /** Resolves to an error message, or to null once the folder is in the list. */
  readonly onAdd: (path: string) => Promise<string | null>;
  readonly onRemove: (path: string) => Promise<unknown>;
  /** Buttons of a folder, besides the one that removes it. */
  readonly actions?: (path: string) => ReactNode;
  /** What is known of a folder. */
  readonly facts?: (path: string) => ReactNode;
}

/** Folders of the user, and a field to add one. */
export function FolderList(props: FolderListProps): ReactNode {
  const { words, paths, onRemove, actions, facts } = props;
  const field = useRef<HTMLInputElement>(null);
  const remove = async (path: string): Promise<void> => {
    await onRemove(path);
    // Its button is gone too, so the focus moves to the field.
    field.current?.focus();
  };
  return (
    <>
      {paths.length === 0 ? (
        <p className="muted">{words.none}</p>
      ) : (
        <ul className="settings-list">
          {paths.map((path) => (
            <li key={path} className="folder">
              <div className="folder-line">
                <code className="folder-path">
                  <VisibleText text={path} />
                </code>
                {actions?.(path)}
                <IconButton
                  label={words.remove(path)}
                  size="small"
                  onClick={() => void remove(path)}
                >
                  <Trash2 aria-hidden="true" size={14} />
                </IconButton>
              </div>
              {facts?.(path)}
            </li>
          ))}
        </ul>
      )}
      <AddFolder {...props} field={field} />
    </>
  );
}

function AddFolder({
  words,
  keptAs,
  onAdd,
  field,
}: Pick<FolderListProps, 'words' | 'keptAs' | 'onAdd'> & {
  readonly field: RefObject<HTMLInputElement | null>;
}): ReactNode {
  const [path, setPath] = useKept(keptAs, '');
  const [problem, setProblem] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (path.trim() === '' || adding) return;
    setAdding(true);
    const refusal = await onAdd(path.trim());
    setAdding(false);
    setProblem(refusal);
    if (refusal === null) setPath(undefined);
    field.current?.focus();
  };
  return (
    <form className="inline-form" data-fields="1" onSubmit={(event) => void submit(event)}>
      <Field label={words.folder} problem={problem}>
        {(ids) => (
          <TextInput
            ids={ids}
            ref={field}
            aria-invalid={problem !== null}
            value={path}
            placeholder={words.placeholder}
            spellCheck={false}
            onText={(text) => {
              setPath(text);
              setProblem(null);
            }}
          />
        )}
      </Field>
      <Button type="submit" disabled={path.trim() === '' || adding}>
        {adding ? <Spinner /> : <Plus aria-hidden="true" size={14} />}
        {words.add}
      </Button>
    </form>
  );
}
