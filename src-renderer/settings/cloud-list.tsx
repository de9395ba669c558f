import { type ReactNode, useCallback } from 'react';
import { CLOUD_IDS, CLOUD_SERVICES, type CloudId } from '#contract/clouds.ts';
import type { ModelServer } from '#contract/entities.ts';
import { Button } from '../components/button.tsx';
import { useApp, useSession } from '../session-context.ts';
import { loadedValue } from '../store/selectors.ts';
import { settingsStrings } from '../strings/settings.ts';
import { SettingsGroup, useSaving, useSettings } from './field.tsx';
import { KeyLine, type StoredKeys, useStoredKeys } from './key-list.tsx';

const words = settingsStrings.clouds;

/** The cloud services: a key for each, and once it has one, its models for the tiers. */
export function CloudList(): ReactNode {
  const { settings } = useSession();
  const { keys, read } = useStoredKeys();
  const servers = useApp((state) => loadedValue(state.servers) ?? NO_SERVERS);
  const onChange = useCallback(async () => {
    await Promise.all([read(), settings.refreshServers()]);
  }, [read, settings]);
  if (keys === null) return null;
  return (
    <SettingsGroup title={words.title}>
      <p className="muted">{words.hint}</p>
      <p className="muted">{settingsStrings.models.keysHint(keys.storage)}</p>
      <ul className="settings-list">
        {CLOUD_IDS.map((id) => (
          <li key={id} className="cloud-service">
            <CloudService
              id={id}
              keys={keys}
              server={servers.find(({ provider }) => provider === id) ?? null}
              onChange={onChange}
            />
          </li>
        ))}
      </ul>
    </SettingsGroup>
  );
}

const NO_SERVERS = [] as const;

function CloudService({
  id,
  keys,
  server,
  onChange,
}: {
  readonly id: CloudId;
  readonly keys: StoredKeys;
  /** Null without a key. */
  readonly server: ModelServer | null;
  readonly onChange: () => Promise<void>;
}): ReactNode {
  const { model } = useSettings();
  const { problem, save } = useSaving();
  const { label, keyVariable, tiers } = CLOUD_SERVICES[id];
  const hint = server === null ? words.variable(keyVariable) : words.fromEnvironment(keyVariable);
  return (
    <>
      <KeyLine name={id} label={label} hint={hint} keys={keys} onChange={onChange} />
      {server?.problem != null && (
        <p className="field-note" role="alert" data-invalid="true">
          {server.problem}
        </p>
      )}
      {server?.reachable === true && (
        <div className="cloud-tiers">
          <span className="muted">{words.tiers(tiers)}</span>
          {model?.provider === id ? (
            <span className="muted">{words.used(model.name)}</span>
          ) : (
            <Button
              size="small"
              onClick={() => void save({ model: { provider: id, name: tiers.pro } })}
            >
              {words.use(tiers.pro)}
            </Button>
          )}
        </div>
      )}
      {problem !== null && (
        <p className="field-note" role="alert" data-invalid="true">
          {problem}
        </p>
      )}
    </>
  );
}
