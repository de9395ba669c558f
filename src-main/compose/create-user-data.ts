import type { Broadcast } from '../api/types.ts';
import { userDataRequests } from '../api/user-data.ts';
import type { Clock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { DataStores } from '../storage/open-stores.ts';
import { DataExporter } from '../user-data/data-exporter.ts';
import { measure } from '../user-data/stored-data.ts';
import type { ComposeOptions } from './app.ts';

export interface UserDataParts {
  readonly stores: DataStores;
  readonly secrets: KnownSecrets;
  readonly clock: Clock;
  readonly broadcast: Broadcast;
}

/** What shows and exports all data. Disposing stops an export. */
export function createUserData(
  { chooseFile }: Pick<ComposeOptions, 'chooseFile'>,
  { stores, secrets, clock, broadcast }: UserDataParts,
) {
  const { paths } = stores;
  const exporter = new DataExporter({
    ...{ clock, chooseFile: chooseFile ?? null },
    data: {
      ...{ paths, secrets, stores: stores.runStores, settings: stores.settings.get },
      ...{ rules: stores.rules, skills: stores.skills },
      models: () => measure(paths.models, new AbortController().signal),
    },
    onChange: (state) => broadcast({ kind: 'data_export', export: state }),
  });
  const { threads } = stores.runStores;
  return {
    exporter,
    requests: userDataRequests({ paths, threads, secrets: stores.secrets, exporter }),
    [Symbol.asyncDispose]: () => exporter[Symbol.asyncDispose](),
  };
}
