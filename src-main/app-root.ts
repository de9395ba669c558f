import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of `package.json`, above the sources as well as above the bundle and inside an Electron
 * archive. `resources/` and `out/renderer/` lie in it.
 */
export function appRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The app is not complete: package.json is missing.');
    folder = parent;
  }
  return folder;
}
