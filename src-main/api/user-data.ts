import { AppError } from '#contract/errors.ts';
import type { RunService } from '../run/run-service.ts';
import type { DataPaths } from '../storage/data-paths.ts';
import type { SecretStore } from '../storage/secret-store.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { DataExporter } from '../user-data/data-exporter.ts';
import { checkConfirmation, markForDeletion } from '../user-data/delete-data.ts';
import { measureStored } from '../user-data/stored-data.ts';
import type { Requests } from './types.ts';

/** How the app ends after its data was marked for deletion. */
export interface Ending {
  /** Whether it starts again by itself. */
  readonly next: 'restarts' | 'ends';
  readonly end: () => void;
}

export interface UserDataParts {
  readonly paths: DataPaths;
  readonly threads: Pick<ThreadReader, 'list'>;
  readonly runs: Pick<RunService, 'list' | 'isActive'>;
  readonly secrets: Pick<SecretStore, 'names'>;
  readonly exporter: Pick<DataExporter, 'state' | 'start' | 'cancel'>;
  /** Ends the app, whose next start deletes the data; null in a process that does not own them. */
  readonly ending: Ending | null;
}

/** Requests about everything that is stored at once. */
export function userDataRequests({
  paths,
  threads,
  runs,
  secrets,
  exporter,
  ending,
}: UserDataParts) {
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
    /** Only decides it and ends the app: what is open cannot be deleted, and no part of the app must see it go. */
    'data.delete': ({ confirmation, keepModels }) => {
      checkConfirmation(confirmation);
      if (ending === null) {
        throw new AppError(
          'CONFLICT',
          'This process cannot delete the data. Use: hyperagent data delete',
        );
      }
      const active = runs.list().filter(({ id }) => runs.isActive(id)).length;
      if (active > 0) {
        const count = active === 1 ? '1 run is' : `${active} runs are`;
        throw new AppError('CONFLICT', `Nothing was deleted: ${count} active. Stop them first.`);
      }
      markForDeletion(paths.dataDir, { keepModels });
      ending.end();
      return { next: ending.next };
    },
  } satisfies Requests<'data'>;
}
