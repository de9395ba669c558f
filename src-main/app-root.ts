import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of `package.json`: above the sources, above the bundle, or inside an Electron archive. It
 * contains `resources/` and `out/renderer/`.
 */
export function appRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(
        'The installation is incomplete: package.json is missing. Install the app again.',
      );
    folder = parent;
  }
  return folder;
}
