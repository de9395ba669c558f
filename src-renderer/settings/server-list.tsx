import { Plus, Trash2 } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { Lockable } from '../components/locked.tsx';
import { useKept } from '../components/use-kept.ts';
import { useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import { Field, SettingsGroup, TextInput, useSaving, useSettings } from './field.tsx';
import { ServerStatus } from './server-status.tsx';

const words = settingsStrings.models;

/** OpenAI-compatible servers: those that are set up, and a form for another. */
export function ServerList(): ReactNode {
  const { servers } = useSettings();
  const { settings } = useSession();
  const { problem, save } = useSaving();
  const remove = (name: string): void => {
    void save({ servers: servers.filter((server) => server.name !== name) }).then(() =>
      settings.refreshServers(),
    );
  };
  return (
    <SettingsGroup title={words.servers}>
      <p className="muted">{words.serversHint}</p>
      {servers.length === 0 && <p className="muted">{words.noServers}</p>}
      <Lockable names={['servers']}>
        <ul className="settings-list">
          {servers.map((server) => (
            <li key={server.name}>
              <strong>{server.name}</strong>
              <span className="muted ellipsis">{server.baseUrl}</span>
              <ServerStatus provider={server.name} />
              <span className="spacer" />
              <IconButton
                label={words.remove(server.name)}
                size="small"
                onClick={() => remove(server.name)}
              >
                <Trash2 aria-hidden="true" size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
        {problem !== null && (
          <p className="field-note" role="alert" data-invalid="true">
            {problem}
          </p>
        )}
        <AddServer />
      </Lockable>
    </SettingsGroup>
  );
}

function AddServer(): ReactNode {
  const { servers } = useSettings();
  const { settings } = useSession();
  const { problem, save } = useSaving();
  const [name, setName] = useKept('server name', '');
  const [baseUrl, setBaseUrl] = useKept('server address', '');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const added = { name: name.trim(), baseUrl: baseUrl.trim(), models: {}, thinking: null };
    const others = servers.filter((server) => server.name !== added.name);
    if (!(await save({ servers: [...others, added] }))) return;
    setName(undefined);
    setBaseUrl(undefined);
    await settings.refreshServers();
  };
  return (
    <form className="inline-form" onSubmit={(event) => void submit(event)}>
      <Field label={words.name} hint={words.nameHint} problem={problem}>
        {(ids) => (
          <TextInput
            ids={ids}
            aria-invalid={problem !== null}
            value={name}
            placeholder="lm-studio"
            spellCheck={false}
            onText={setName}
          />
        )}
      </Field>
      <Field label={words.baseUrl} problem={null}>
        {(ids) => (
          <TextInput
            ids={ids}
            inputMode="url"
            value={baseUrl}
            placeholder="http://127.0.0.1:1234/v1"
            spellCheck={false}
            onText={setBaseUrl}
          />
        )}
      </Field>
      <Button type="submit" disabled={name.trim() === '' || baseUrl.trim() === ''}>
        <Plus aria-hidden="true" size={14} />
        {words.add}
      </Button>
    </form>
  );
}
