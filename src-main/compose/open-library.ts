import { Library, type LibraryParts } from '../library/library.ts';
import {
  createEmbeddingService,
  type EmbeddingParts,
} from '../models/embeddings/embedding-service.ts';
import type { ComposeOptions } from './app.ts';

/** Delay of the first scan, so that startup work on the window comes first. */
const FIRST_SCAN_MS = 3_000;

type OwnParts = Omit<LibraryParts, 'embeddings' | 'readOnly' | 'dataDir'>;

/**
 * Opens the library of this data folder. The desktop app and the web UI scan for changes a few seconds
 * after the start; CLI commands scan only on request.
 */
export function openLibrary(
  options: ComposeOptions,
  { parts, models }: { readonly parts: OwnParts; readonly models: EmbeddingParts },
): Library & AsyncDisposable {
  const { dataDir, entryPoint } = options;
  const readOnly = options.readOnly || options.secondary === true;
  const embeddings = createEmbeddingService({
    ...models,
    ...(options.modelOverrides === undefined ? {} : { overrides: options.modelOverrides }),
  });
  const library = new Library({ ...parts, embeddings, readOnly, dataDir });
  const scan = (): void => void library.refresh();
  const firstScan =
    readOnly || entryPoint === 'terminal' ? null : setTimeout(scan, FIRST_SCAN_MS).unref();
  const dispose = library[Symbol.asyncDispose].bind(library);
  return Object.assign(library, {
    [Symbol.asyncDispose]: async () => {
      if (firstScan !== null) clearTimeout(firstScan);
      await dispose();
    },
  });
}
