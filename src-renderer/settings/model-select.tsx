import type { ReactNode } from 'react';
import type { ModelRef, ModelSummary } from '#contract/entities.ts';
import { useApp } from '../session-context.ts';
import type { AppState } from '../store/app-state.ts';
import { loadedValue } from '../store/selectors.ts';

interface ModelSelectProps {
  readonly id: string;
  readonly describedBy: string;
  readonly value: ModelRef | null;
  /** The label for no choice. */
  readonly none: string;
  readonly onChoose: (model: ModelRef | null) => void;
}

/** One of the models that were found; a chosen one that is not there now stays in the list. */
export function ModelSelect(props: ModelSelectProps): ReactNode {
  const { id, describedBy, value, none, onChoose } = props;
  const servers = useApp((state) => loadedValue(state.servers) ?? NO_SERVERS);
  const models = servers
    .filter((server) => server.kind !== 'demo')
    .flatMap((server) => server.models.map((entry) => ({ server, entry })));
  const isKnown = models.some(({ entry }) => isSame(entry, value));
  return (
    <select
      id={id}
      className="text-input"
      aria-describedby={describedBy}
      value={value === null ? '' : JSON.stringify([value.provider, value.name])}
      onChange={(event) => {
        if (event.target.value === '') return onChoose(null);
        const [provider, name] = JSON.parse(event.target.value) as [string, string];
        return onChoose({ provider, name });
      }}
    >
      <option value="">{none}</option>
      {value !== null && !isKnown && (
        <option value={JSON.stringify([value.provider, value.name])}>
          {value.name} ({value.provider})
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
  );
}

const NO_SERVERS = [] as const;

function isSame(entry: ModelRef, value: ModelRef | null): boolean {
  return entry.provider === value?.provider && entry.name === value.name;
}

/** Every model of a server that the user runs. */
export function installedModels(state: AppState): readonly ModelSummary[] {
  const servers = loadedValue(state.servers) ?? NO_SERVERS;
  return servers
    .filter(({ kind }) => kind !== 'demo' && kind !== 'cloud')
    .flatMap(({ models }) => models);
}
