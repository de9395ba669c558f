import { Plus, RefreshCw, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { LibraryFolder } from '#contract/library.ts';
import { Button, IconButton } from '../components/button.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useApp, useSession } from '../session-context.ts';
import { Field, useSaving, useSettings } from './field.tsx';
import { LibrarySearch } from './library-search.tsx';
import { libraryStrings as words } from './library-strings.ts';
import { ModelSelect } from './model-select.tsx';

/** The folders that research looks things up in. */
export function LibrarySection(): ReactNode {
  const { library } = useSession();
  const folders = useApp((state) => state.library?.folders ?? NO_FOLDERS);
  useEffect(() => void library.load(), [library]);
  return (
    <>
      <p className="muted">{words.hint}</p>
      <ul className="settings-list library-folders">
        {folders.map((folder) => (
          <li key={folder.path}>
            <FolderEntry folder={folder} />
          </li>
        ))}
      </ul>
      {folders.length === 0 && <p className="muted">{words.none}</p>}
      <AddFolder />
      {folders.length > 0 && (
        <Button onClick={() => void library.refresh()}>
          <RefreshCw aria-hidden="true" size={14} />
          {words.refreshAll}
        </Button>
      )}
      <EmbeddingModel />
      {folders.length > 0 && <LibrarySearch />}
    </>
  );
}

const NO_FOLDERS: readonly LibraryFolder[] = [];

function FolderEntry({ folder }: { readonly folder: LibraryFolder }): ReactNode {
  const { library } = useSession();
  const { path, state, problem, problems, issues, leftOut } = folder;
  return (
    <div className="library-folder">
      <div className="library-folder-line">
        <code className="ellipsis">
          <VisibleText text={path} />
        </code>
        <span className="spacer" />
        <IconButton
          label={words.refresh(path)}
          size="small"
          onClick={() => void library.refresh(path)}
        >
          <RefreshCw aria-hidden="true" size={14} />
        </IconButton>
        <IconButton
          label={words.remove(path)}
          size="small"
          onClick={() => void library.remove(path)}
        >
          <Trash2 aria-hidden="true" size={14} />
        </IconButton>
      </div>
      <p className="field-note" role="status">
        {words.states[state]}. {words.counts(folder)}.
      </p>
      {problem !== null && <p className="field-note library-problem">{problem}</p>}
      {leftOut > 0 && <p className="field-note">{words.leftOut(leftOut)}</p>}
      {problems > 0 && (
        <details>
          <summary>{words.problems(problems)}</summary>
          <ul className="library-issues">
            {issues.map((issue) => (
              <li key={issue.file}>
                <code>
                  <VisibleText text={issue.file} />
                </code>{' '}
                {issue.problem}
              </li>
            ))}
            {problems > issues.length && <li>{words.more(problems - issues.length)}</li>}
          </ul>
        </details>
      )}
    </div>
  );
}

function AddFolder(): ReactNode {
  const { library } = useSession();
  const [path, setPath] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const refusal = await library.add(path.trim());
    setProblem(refusal?.message ?? null);
    if (refusal === null) setPath('');
  };
  return (
    <form className="inline-form" data-fields="1" onSubmit={(event) => void submit(event)}>
      <Field label={words.folder} problem={problem}>
        {({ id, describedBy }) => (
          <input
            id={id}
            className="text-input"
            aria-describedby={describedBy}
            aria-invalid={problem !== null}
            value={path}
            placeholder={words.placeholder}
            spellCheck={false}
            onChange={(event) => setPath(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={path.trim() === ''}>
        <Plus aria-hidden="true" size={14} />
        {words.add}
      </Button>
    </form>
  );
}

function EmbeddingModel(): ReactNode {
  const { embeddingModel } = useSettings();
  const { problem, saved, save } = useSaving();
  const embeddings = useApp((state) => state.library?.embeddings ?? null);
  return (
    <section className="settings-group">
      <Field label={words.embeddings} hint={words.embeddingsHint} problem={problem} saved={saved}>
        {(ids) => (
          <ModelSelect
            {...ids}
            value={embeddingModel}
            none={words.words}
            onChoose={(model) => void save({ embeddingModel: model })}
          />
        )}
      </Field>
      {embeddings !== null && embeddings.state !== 'off' && (
        <p className="field-note" role="status">
          {embeddings.problem ?? words.embedded(embeddings.embedded, embeddings.passages)}
        </p>
      )}
    </section>
  );
}
