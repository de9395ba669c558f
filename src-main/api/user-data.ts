import type { DataPaths } from '../storage/data-paths.ts';
import type { SecretStore } from '../storage/secret-store.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { DataExporter } from '../user-data/data-exporter.ts';
import { measureStored } from '../user-data/stored-data.ts';
import type { Requests } from './types.ts';

export interface UserDataParts {
  readonly paths: DataPaths;
  readonly threads: Pick<ThreadReader, 'list'>;
  readonly secrets: Pick<SecretStore, 'names'>;
  readonly exporter: Pick<DataExporter, 'state' | 'start' | 'cancel'>;
}

/** Requests about everything that is stored at once. */
export function userDataRequests({ paths, threads, secrets, exporter }: UserDataParts) {
  return {
    'data.get': async (_input, { closed }) => ({
      dataDir: paths.dataDir,
      parts: await measureStored(paths, closed),
      tasks: threads.list().length,
      keys: secrets.names(),
      export: exporter.state,
    }),
    'data.export': () => exporter.start(),
    'data.cancelExport': async () => {
      await exporter.cancel();
      return {};
    },
  } satisfies Requests<'data'>;
}
