import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';

/** The folder into which `npm run embedded` installs node-llama-cpp; an installer may use it too. */
const FOLDER = '.embedded';

/** The folder in which node-llama-cpp is installed, at or below the app's `root`; null if there is none. */
export function findEmbeddedRuntime(root: string): string | null {
  const folders = [join(root, FOLDER), root];
  return (
    folders.find((folder) => existsSync(join(folder, 'node_modules', 'node-llama-cpp'))) ?? null
  );
}

/** Throws `MODEL_SERVER_UNREACHABLE` with how to install it. */
export function requireEmbeddedRuntime(root: string): string {
  const folder = findEmbeddedRuntime(root);
  if (folder !== null) return folder;
  throw new AppError('MODEL_SERVER_UNREACHABLE', NOT_INSTALLED);
}

export const NOT_INSTALLED =
  'The embedded runtime is not installed. In the app folder, run: npm run embedded (downloads about 90 MB, once).';
