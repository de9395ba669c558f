import { Download, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import type { ModelPull } from '#contract/models.ts';
import { Button, IconButton } from '../components/button.tsx';
import { useKept } from '../components/use-kept.ts';
import { formatBytes } from '../format.ts';
import { useApp, useSession } from '../session-context.ts';
import { modelKey } from '../store/app-state.ts';
import { settingsStrings } from '../strings/settings.ts';
import { Field, SettingsGroup, TextInput } from './field.tsx';

const words = settingsStrings.pull;

/** Downloads a model through Ollama. A download continues when the settings are closed. */
export function PullModel(): ReactNode {
  const { models } = useSession();
  const pulls = useApp((state) => state.pulls);
  const [name, setName] = useKept('model to pull', '');
  useEffect(() => void models.loadPulls(), [models]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void models.pull({ provider: 'ollama', name: name.trim() });
    setName(undefined);
  };
  return (
    <SettingsGroup title={words.title}>
      <form className="inline-form" data-fields="1" onSubmit={submit}>
        <Field label={words.name} hint={words.hint} problem={null}>
          {(ids) => (
            <TextInput
              ids={ids}
              value={name}
              placeholder="qwen3:8b"
              spellCheck={false}
              onText={setName}
            />
          )}
        </Field>
        <Button type="submit" disabled={name.trim() === ''}>
          <Download aria-hidden="true" size={14} />
          {words.start}
        </Button>
      </form>
      <ul className="settings-list">
        {[...pulls.values()].map((pull) => (
          <li key={modelKey(pull.model)}>
            <Pull pull={pull} />
          </li>
        ))}
      </ul>
    </SettingsGroup>
  );
}

function Pull({ pull }: { readonly pull: ModelPull }): ReactNode {
  const { models } = useSession();
  const { model, status, step, completedBytes, totalBytes, problem } = pull;
  return (
    <div className="pull">
      <strong>{model.name}</strong>
      {status === 'running' ? (
        <progress
          aria-label={words.progress(model.name)}
          value={completedBytes}
          max={totalBytes ?? undefined}
        />
      ) : (
        <span data-status={status}>{words.ends[status]}</span>
      )}
      <span className="muted">
        {problem ??
          (totalBytes === null
            ? step
            : words.size(formatBytes(completedBytes), formatBytes(totalBytes)))}
      </span>
      {status === 'running' ? (
        <IconButton
          label={words.cancel(model.name)}
          size="small"
          onClick={() => models.cancelPull(model)}
        >
          <X aria-hidden="true" size={14} />
        </IconButton>
      ) : (
        status !== 'completed' && (
          <Button size="small" variant="ghost" onClick={() => void models.pull(model)}>
            {words.resume}
          </Button>
        )
      )}
    </div>
  );
}
