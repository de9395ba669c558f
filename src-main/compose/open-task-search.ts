import type { DataStores } from '../storage/open-stores.ts';
import { TaskIndexer, type TaskIndexerParts } from '../task-search/task-indexer.ts';
import type { ComposeOptions } from './app.ts';

/** Delay of the first turn, so that startup work comes first. */
const FIRST_TURN_MS = 3_000;

/**
 * The index over the words of all tasks. The desktop app and the web UI bring it up to date in the background; a
 * command of the CLI does when it searches.
 */
export function openTaskIndex(
  { entryPoint, ...options }: ComposeOptions,
  { taskSearch: store, logger }: Pick<DataStores, 'taskSearch'> & Pick<TaskIndexerParts, 'logger'>,
): {
  readonly index: TaskIndexer;
  readonly isReadOnly: boolean;
  readonly poke: () => void;
} & Disposable {
  const isReadOnly = options.readOnly || options.secondary === true;
  const index = new TaskIndexer({ store, logger });
  const isBackground = !isReadOnly && entryPoint !== 'terminal';
  const poke = (): void => {
    if (isBackground) index.poke();
  };
  const first = setTimeout(poke, FIRST_TURN_MS).unref();
  return {
    ...{ index, isReadOnly, poke },
    [Symbol.dispose]: () => {
      clearTimeout(first);
      index[Symbol.dispose]();
    },
  };
}
