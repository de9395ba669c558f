import { Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { LibraryHit } from '#contract/library.ts';
import { Button } from '../components/button.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { useSession } from '../session-context.ts';
import { libraryStrings as words } from '../strings/library.ts';
import { Field, TextInput } from './field.tsx';

/** Tries a library search, as research would do it. */
export function LibrarySearch(): ReactNode {
  const { library } = useSession();
  const [query, setQuery] = useState('');
  const [hits, setHits] = useState<readonly LibraryHit[] | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setHits(await library.search(query.trim()));
  };
  return (
    <section className="settings-group">
      <h4>{words.tryTitle}</h4>
      <search>
        <form className="inline-form" data-fields="1" onSubmit={(event) => void submit(event)}>
          <Field label={words.query} problem={null}>
            {(ids) => <TextInput ids={ids} type="search" value={query} onText={setQuery} />}
          </Field>
          <Button type="submit" disabled={query.trim() === ''}>
            <Search aria-hidden="true" size={14} />
            {words.search}
          </Button>
        </form>
      </search>
      <div role="status">
        {hits?.length === 0 && <p className="muted">{words.nothing}</p>}
        {hits !== null && hits.length > 0 && (
          <ol className="library-hits">
            {hits.map(({ url, title, path, snippet }) => (
              <li key={url}>
                <strong>
                  <VisibleText text={title} />
                </strong>
                <code className="field-note">
                  <VisibleText text={path} />
                </code>
                <p>
                  <VisibleText text={snippet} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}
