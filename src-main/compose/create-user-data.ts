import type { Broadcast } from '../api/types.ts';
import { type Ending, userDataRequests } from '../api/user-data.ts';
import type { Clock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { RunService } from '../run/run-service.ts';
import type { DataStores } from '../storage/open-stores.ts';
import { DataExporter } from '../user-data/data-exporter.ts';
import { measure } from '../user-data/stored-data.ts';
import type { ComposeOptions } from './app.ts';

/** The answer to the window goes first. */
const END_AFTER_MS = 250;

export interface UserDataParts {
  readonly stores: DataStores;
  readonly secrets: KnownSecrets;
  readonly runs: Pick<RunService, 'list' | 'isActive'>;
  readonly clock: Clock;
  readonly broadcast: Broadcast;
}

/** What shows, exports and deletes all data. Disposing stops an export. */
export function createUserData(
  { chooseFile, endForDeletion, readOnly, secondary }: ComposeOptions,
  { stores, secrets, runs, clock, broadcast }: UserDataParts,
) {
  const { paths } = stores;
  const exporter = new DataExporter({
    ...{ clock, chooseFile: chooseFile ?? null },
    data: {
      ...{ paths, secrets, stores: stores.runStores, settings: stores.settings.get },
      ...{ rules: stores.rules, skills: stores.skills, connectors: stores.connectors },
      models: () => measure(paths.models, new AbortController().signal),
    },
    onChange: (state) => broadcast({ kind: 'data_export', export: state }),
  });
  const { threads } = stores.runStores;
  return {
    exporter,
    requests: userDataRequests({
      ...{ paths, threads, runs, secrets: stores.secrets, exporter },
      ending: readOnly || secondary === true ? null : later(endForDeletion),
    }),
    [Symbol.asyncDispose]: () => exporter[Symbol.asyncDispose](),
  };
}

function later(ending: Ending | undefined): Ending | null {
  if (ending === undefined) return null;
  return { ...ending, end: () => void setTimeout(ending.end, END_AFTER_MS) };
}
