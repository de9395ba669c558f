import type { ReactNode } from 'react';
import { useSession } from '../session-context.ts';
import { settingsStrings } from '../strings/settings.ts';
import { CloudList } from './cloud-list.tsx';
import { EmbeddedModels } from './embedded-models.tsx';
import { ChoiceSetting, Field, TextSetting, toNumber, useSaving, useSettings } from './field.tsx';
import { InstalledModels } from './installed-models.tsx';
import { KeyList } from './key-list.tsx';
import { ModelSelect } from './model-select.tsx';
import { PullModel } from './pull-model.tsx';
import { ServerList } from './server-list.tsx';
import { ServerStatus } from './server-status.tsx';
import { ServersAsJson } from './servers-as-json.tsx';
import { TierList } from './tier-list.tsx';

export function ModelsSection(): ReactNode {
  const { ollamaUrl, contextWindow, maxRounds } = useSettings();
  const { settings } = useSession();
  const words = settingsStrings.models;
  return (
    <>
      <DefaultModel />
      <TierList />
      <InstalledModels />
      <PullModel />
      <CloudList />
      <div>
        <TextSetting
          label={words.ollamaUrl}
          value={ollamaUrl}
          inputMode="url"
          toChanges={(text) => ({ ollamaUrl: text })}
          onSaved={() => void settings.refreshServers()}
        />
        <ServerStatus provider="ollama" />
      </div>
      <TextSetting
        label={words.contextWindow}
        hint={words.contextWindowHint}
        value={contextWindow === null ? '' : String(contextWindow)}
        placeholder={words.automatic}
        inputMode="numeric"
        toChanges={(text) => ({ contextWindow: text === '' ? null : toNumber(text) })}
      />
      <LongConversations />
      <TextSetting
        label={words.maxRounds}
        value={String(maxRounds)}
        inputMode="numeric"
        toChanges={(text) => ({ maxRounds: toNumber(text) })}
      />
      <ServerList />
      <ServersAsJson />
      <EmbeddedModels />
      <KeyList />
    </>
  );
}

function LongConversations(): ReactNode {
  const { compression, compressionThreshold, compressionKeep } = useSettings();
  const words = settingsStrings.models.compression;
  return (
    <>
      <ChoiceSetting
        label={words.label}
        value={compression ? 'on' : 'off'}
        choices={words.choices}
        toChanges={(value) => ({ compression: value === 'on' })}
      />
      {compression && (
        <div className="field-row">
          <TextSetting
            label={words.threshold}
            hint={words.thresholdHint}
            value={String(compressionThreshold)}
            inputMode="numeric"
            toChanges={(text) => ({ compressionThreshold: toNumber(text) })}
          />
          <TextSetting
            label={words.keep}
            hint={words.keepHint}
            value={String(compressionKeep)}
            inputMode="numeric"
            toChanges={(text) => ({ compressionKeep: toNumber(text) })}
          />
        </div>
      )}
    </>
  );
}

function DefaultModel(): ReactNode {
  const { model } = useSettings();
  const { problem, saved, save } = useSaving();
  return (
    <Field
      label={settingsStrings.models.default}
      problem={problem}
      saved={saved}
      settings={['model']}
    >
      {(ids) => (
        <ModelSelect
          {...ids}
          value={model}
          none={settingsStrings.models.none}
          onChoose={(chosen) => void save({ model: chosen })}
        />
      )}
    </Field>
  );
}
