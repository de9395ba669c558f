import type { ComposeOptions } from '../ipc/types.ts';
import { Library, type LibraryParts } from '../library/library.ts';
import {
  createEmbeddingService,
  type EmbeddingParts,
} from '../models/embeddings/embedding-service.ts';

/** After the start, what shows on the screen comes first. */
const FIRST_LOOK_MS = 3_000;

type GivenParts = Omit<LibraryParts, 'embeddings' | 'readOnly' | 'dataDir'>;

/**
 * The library of this data folder. A window looks for changes some seconds after the start; a command of
 * the terminal only when it is told to.
 */
export function openLibrary(
  options: ComposeOptions,
  { parts, models }: { readonly parts: GivenParts; readonly models: EmbeddingParts },
): Library & AsyncDisposable {
  const { dataDir, entryPoint } = options;
  const readOnly = options.readOnly || options.secondary === true;
  const embeddings = createEmbeddingService({
    ...models,
    ...(options.modelOverrides === undefined ? {} : { overrides: options.modelOverrides }),
  });
  const library = new Library({ ...parts, embeddings, readOnly, dataDir });
  const look = (): void => void library.refresh();
  const first =
    readOnly || entryPoint === 'terminal' ? null : setTimeout(look, FIRST_LOOK_MS).unref();
  const dispose = library[Symbol.asyncDispose].bind(library);
  return Object.assign(library, {
    [Symbol.asyncDispose]: async () => {
      if (first !== null) clearTimeout(first);
      await dispose();
    },
  });
}
