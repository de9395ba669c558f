import { Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import {
  SEARCH_KEYS,
  SEARCH_PROVIDERS,
  SEARCH_QUERY_CHARS,
  SearchProviderName,
} from '#contract/search.ts';
import type { Settings } from '#contract/settings.ts';
import { Button } from '../components/button.tsx';
import { Spinner } from '../components/spinner.tsx';
import { VisibleText } from '../components/visible-text.tsx';
import { listOf } from '../format.ts';
import { useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import {
  ChoiceSetting,
  Field,
  SettingsGroup,
  TextInput,
  TextSetting,
  useSettings,
} from './field.tsx';
import { KeysOf } from './key-list.tsx';

const words = settingsStrings.search;
/** Results that a test search shows. */
const SHOWN = 3;
const KEYS = SEARCH_KEYS.map(({ secret, label }) => ({ name: secret, label }));
const CHOICES = Object.fromEntries([
  ['auto', words.auto],
  ...SearchProviderName.options.map((name) => [name, SEARCH_PROVIDERS[name].choice]),
]) as Readonly<Record<Settings['searchProvider'], string>>;

export function SearchSection(): ReactNode {
  const { searchProvider, searxngUrl } = useSettings();
  return (
    <>
      <ChoiceSetting
        label={words.provider}
        value={searchProvider}
        choices={CHOICES}
        toChanges={(value) => ({ searchProvider: value })}
      />
      <p className="muted">{words.leaves}</p>
      <TextSetting
        label={words.searxngUrl}
        hint={words.searxngHint}
        value={searxngUrl}
        placeholder="http://127.0.0.1:8888"
        inputMode="url"
        toChanges={(text) => ({ searxngUrl: text })}
      />
      <SettingsGroup title={words.keys}>
        <KeysOf entries={KEYS} />
      </SettingsGroup>
      <Trial />
    </>
  );
}

type Found = RequestOutput<'search.try'>;

/** One search as the agent would make it, with its results. */
function Trial(): ReactNode {
  const session = useSession();
  const [query, setQuery] = useState('');
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const search = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const input = { query: query.trim() || words.tryExample, limit: SHOWN };
    const result = await session.bridge.request('search.try', input);
    setFound(result.ok ? result.data : null);
    setProblem(result.ok ? null : result.error.message);
    setBusy(false);
  };
  return (
    <SettingsGroup title={words.try}>
      <form className="inline-form" data-fields="1" onSubmit={(event) => void search(event)}>
        <Field label={words.tryQuery} problem={problem}>
          {(ids) => (
            <TextInput
              ids={ids}
              value={query}
              maxLength={SEARCH_QUERY_CHARS}
              placeholder={words.tryExample}
              onText={setQuery}
            />
          )}
        </Field>
        <Button type="submit" disabled={busy}>
          {busy ? <Spinner /> : <Search aria-hidden="true" size={14} />}
          {busy ? words.trying : words.try}
        </Button>
      </form>
      {found !== null && <FoundSources found={found} />}
    </SettingsGroup>
  );
}

function FoundSources({
  found: { results, asked, problems },
}: {
  readonly found: Found;
}): ReactNode {
  const names = listOf(asked.map((name) => SEARCH_PROVIDERS[name].label));
  return (
    <>
      <p className="muted" role="status">
        {results.length === 0 && `${words.nothing} `}
        {words.asked(names)}
      </p>
      {problems.map((text) => (
        <p key={text} className="banner" data-tone="warning">
          {text}
        </p>
      ))}
      <ul className="settings-list found-sources" aria-label={words.found}>
        {results.map(({ url, title, snippet }) => (
          <li key={url}>
            <strong>
              <VisibleText text={title} />
            </strong>
            <code>
              <VisibleText text={url} />
            </code>
            <span>
              <VisibleText text={snippet} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
