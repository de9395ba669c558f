import { KeyRound, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from 'react';
import { CLOUD_IDS } from '#contract/clouds.ts';
import { SEARCH_KEYS } from '#contract/search.ts';
import { Button, IconButton } from '../components/button.tsx';
import { useKept } from '../components/use-kept.ts';
import { useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import { Field, useSettings } from './field.tsx';

const words = settingsStrings.models;

/** Keys that have a place of their own. */
const SHOWN_ELSEWHERE: readonly string[] = [
  ...SEARCH_KEYS.map(({ secret }) => secret),
  ...CLOUD_IDS,
];

export interface StoredKeys {
  readonly names: readonly string[];
  /** Null where nothing would protect the keys, so none can be stored. */
  readonly storage: string | null;
}

/** Keys of the servers. They are write-only, as the section of the clouds says: the window knows only their names. */
export function KeyList(): ReactNode {
  const { servers } = useSettings();
  const { keys, read } = useStoredKeys();
  if (keys === null) return null;
  const others = keys.names.filter((name) => !SHOWN_ELSEWHERE.includes(name));
  const names = [...new Set([...servers.map((server) => server.name), ...others])];
  if (names.length === 0) return null;
  return (
    <section className="settings-group">
      <h4>{words.keys}</h4>
      <ul className="settings-list">
        {names.map((name) => (
          <li key={name}>
            <KeyLine name={name} label={name} keys={keys} onChange={read} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The one key of that name, with how it is stored. */
export function KeyOf({ name }: { readonly name: string }): ReactNode {
  return <KeysOf entries={[{ name, label: name }]} />;
}

/** The keys of these names, each with its label, and how they are stored. */
export function KeysOf({
  entries,
}: {
  readonly entries: readonly { readonly name: string; readonly label: string }[];
}): ReactNode {
  const { keys, read } = useStoredKeys();
  if (keys === null) return null;
  return (
    <>
      <p className="muted">{words.keysHint(keys.storage)}</p>
      {entries.map(({ name, label }) => (
        <KeyLine key={name} name={name} label={label} keys={keys} onChange={read} />
      ))}
    </>
  );
}

export function useStoredKeys(): {
  readonly keys: StoredKeys | null;
  readonly read: () => Promise<void>;
} {
  const session = useSession();
  const [keys, setKeys] = useState<StoredKeys | null>(null);
  const read = useCallback(async () => {
    const result = await session.bridge.request('secrets.list', {});
    if (result.ok) setKeys(result.data);
    else session.showError(result.error.message);
  }, [session]);
  useEffect(() => void read(), [read]);
  return { keys, read };
}

/** The form of one key: to store it, replace it, or delete it. */
export function KeyLine({
  name,
  label,
  hint,
  keys,
  onChange,
}: {
  readonly name: string;
  readonly label: string;
  /** In place of the note that no key is stored. */
  readonly hint?: string;
  readonly keys: StoredKeys;
  readonly onChange: () => Promise<void>;
}): ReactNode {
  const session = useSession();
  const stored = keys.names.includes(name);
  const [value, setValue] = useKept(`key of ${name}`, '');
  const [problem, setProblem] = useState<string | null>(null);
  const store = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await session.bridge.request('secrets.set', { name, value });
    setProblem(result.ok ? null : result.error.message);
    if (!result.ok) return;
    setValue(undefined);
    await onChange();
  };
  const remove = async (): Promise<void> => {
    const result = await session.bridge.request('secrets.delete', { name });
    setProblem(result.ok ? null : result.error.message);
    await onChange();
  };
  return (
    <form className="key-line" onSubmit={(event) => void store(event)}>
      <Field
        label={words.key(label)}
        problem={problem}
        hint={stored ? words.keySet : (hint ?? words.keyMissing)}
      >
        {({ id, describedBy }) => (
          <input
            id={id}
            className="text-input"
            type="password"
            autoComplete="off"
            disabled={keys.storage === null}
            aria-describedby={describedBy}
            aria-invalid={problem !== null}
            value={value}
            placeholder={stored ? words.replaceKey : ''}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="small" disabled={value === ''}>
        <KeyRound aria-hidden="true" size={14} />
        {words.setKey}
      </Button>
      {stored && (
        <IconButton label={words.deleteKey(label)} size="small" onClick={() => void remove()}>
          <Trash2 aria-hidden="true" size={14} />
        </IconButton>
      )}
    </form>
  );
}
