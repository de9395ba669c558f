import { Plus, Trash2 } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { GetModel } from '../components/get-model/get-model.tsx';
import { Lockable } from '../components/locked.tsx';
import { useKept } from '../components/use-kept.ts';
import { useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import { Field, SettingsGroup, TextInput, useSaving, useSettings } from './field.tsx';

const words = settingsStrings.embedded;

/** Files of models that run without any server. */
export function EmbeddedModels(): ReactNode {
  const { embeddedModels } = useSettings();
  const { settings } = useSession();
  const { problem, save } = useSaving();
  const [path, setPath] = useKept('model file', '');
  const change = async (files: readonly string[]): Promise<boolean> => {
    const isSaved = await save({ embeddedModels: [...files] });
    if (isSaved) await settings.refreshServers();
    return isSaved;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await change([...new Set([...embeddedModels, path.trim()])])) setPath(undefined);
  };
  return (
    <SettingsGroup title={words.title}>
      <p className="muted">{words.hint}</p>
      <GetModel />
      <Lockable names={['embeddedModels']}>
        <ul className="settings-list">
          {embeddedModels.map((file) => (
            <li key={file}>
              <span className="ellipsis">{file}</span>
              <span className="spacer" />
              <IconButton
                label={words.remove(file)}
                size="small"
                onClick={() => void change(embeddedModels.filter((one) => one !== file))}
              >
                <Trash2 aria-hidden="true" size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
        <form className="inline-form" data-fields="1" onSubmit={(event) => void submit(event)}>
          <Field label={words.file} problem={problem}>
            {(ids) => (
              <TextInput
                ids={ids}
                value={path}
                placeholder="/home/me/models/qwen3-4b.gguf"
                spellCheck={false}
                onText={setPath}
              />
            )}
          </Field>
          <Button type="submit" disabled={!/\.gguf$/i.test(path.trim())}>
            <Plus aria-hidden="true" size={14} />
            {words.add}
          </Button>
        </form>
      </Lockable>
    </SettingsGroup>
  );
}
