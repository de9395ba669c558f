import type { ReactNode } from 'react';
import { useApp } from '../session-context.ts';
import { loadedValue } from '../store/selectors.ts';
import { Field, TextSetting, toNumber, useSaving, useSettings } from './field.tsx';
import { KeyList } from './key-list.tsx';
import { ServerList } from './server-list.tsx';
import { settingsStrings } from './strings.ts';

export function ModelsSection(): ReactNode {
  const { ollamaUrl, contextWindow, maxRounds } = useSettings();
  const words = settingsStrings.models;
  return (
    <>
      <DefaultModel />
      <TextSetting
        label={words.ollamaUrl}
        value={ollamaUrl}
        inputMode="url"
        toChanges={(text) => ({ ollamaUrl: text })}
      />
      <TextSetting
        label={words.contextWindow}
        hint={words.contextWindowHint}
        value={contextWindow === null ? '' : String(contextWindow)}
        placeholder={words.automatic}
        inputMode="numeric"
        toChanges={(text) => ({ contextWindow: text === '' ? null : toNumber(text) })}
      />
      <TextSetting
        label={words.maxRounds}
        value={String(maxRounds)}
        inputMode="numeric"
        toChanges={(text) => ({ maxRounds: toNumber(text) })}
      />
      <ServerList />
      <KeyList />
    </>
  );
}

function DefaultModel(): ReactNode {
  const { model } = useSettings();
  const servers = useApp((state) => loadedValue(state.servers) ?? NO_SERVERS);
  const { problem, saved, save } = useSaving();
  const models = servers
    .filter((server) => server.kind !== 'demo')
    .flatMap((server) => server.models.map((entry) => ({ server, entry })));
  const isKnown = models.some(
    ({ entry }) => entry.provider === model?.provider && entry.name === model.name,
  );
  return (
    <Field label={settingsStrings.models.default} problem={problem} saved={saved}>
      {({ id, describedBy }) => (
        <select
          id={id}
          className="text-input"
          aria-describedby={describedBy}
          value={model === null ? '' : JSON.stringify([model.provider, model.name])}
          onChange={(event) => {
            if (event.target.value === '') return void save({ model: null });
            const [provider, name] = JSON.parse(event.target.value) as [string, string];
            return void save({ model: { provider, name } });
          }}
        >
          <option value="">{settingsStrings.models.none}</option>
          {model !== null && !isKnown && (
            <option value={JSON.stringify([model.provider, model.name])}>
              {model.name} ({model.provider})
            </option>
          )}
          {models.map(({ server, entry }) => (
            <option
              key={`${entry.provider} ${entry.name}`}
              value={JSON.stringify([entry.provider, entry.name])}
            >
              {entry.name} ({server.label}
              {entry.cloud ? ', cloud' : ''})
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const NO_SERVERS = [] as const;
