import { RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { LibraryFolder } from '#contract/library.ts';
import { Button, IconButton } from '../components/button.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useApp, useSession } from '../session-context.ts';
import { libraryStrings as words } from '../strings/library.ts';
import { Field, useSaving, useSettings } from './field.tsx';
import { FolderList } from './folder-list.tsx';
import { LibrarySearch } from './library-search.tsx';
import { ModelSelect } from './model-select.tsx';

/** The folders that research looks things up in. */
export function LibrarySection(): ReactNode {
  const { library } = useSession();
  const folders = useApp((state) => state.library?.folders ?? NO_FOLDERS);
  useEffect(() => void library.load(), [library]);
  const facts = new Map(folders.map((folder) => [folder.path, folder]));
  return (
    <>
      <p className="muted">{words.hint}</p>
      <FolderList
        words={words}
        keptAs="library folder"
        paths={folders.map(({ path }) => path)}
        onAdd={async (path) => (await library.add(path))?.message ?? null}
        onRemove={(path) => library.remove(path)}
        actions={(path) => (
          <IconButton
            label={words.refresh(path)}
            size="small"
            onClick={() => void library.refresh(path)}
          >
            <RefreshCw aria-hidden="true" size={14} />
          </IconButton>
        )}
        facts={(path) => {
          const folder = facts.get(path);
          return folder === undefined ? null : <FolderFacts folder={folder} />;
        }}
      />
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

function FolderFacts({ folder }: { readonly folder: LibraryFolder }): ReactNode {
  const { state, problem, problems, issues, leftOut, reading } = folder;
  return (
    <>
      <p className="field-note" role="status">
        {words.states[state]}. {words.counts(folder)}.
      </p>
      {problem !== null && <p className="field-note library-problem">{problem}</p>}
      {reading !== null && <p className="field-note">{words.reading(reading)}</p>}
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
    </>
  );
}

function EmbeddingModel(): ReactNode {
  const { embeddingModel } = useSettings();
  const { problem, saved, save } = useSaving();
  const embeddings = useApp((state) => state.library?.embeddings ?? null);
  return (
    <section className="settings-group">
      <Field
        label={words.embeddings}
        hint={words.embeddingsHint}
        problem={problem}
        saved={saved}
        settings={['embeddingModel']}
      >
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
