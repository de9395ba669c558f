import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The file of a worker thread: `<name>.ts` in `sourceDir`, the caller's own folder, when the app runs from its
 * sources; otherwise `out/main/<name>.js` below `root`, an entry of the build.
 */
export function workerFile(
  name: string,
  { sourceDir, root }: { readonly sourceDir: string; readonly root: string },
): string {
  const source = path.join(sourceDir, `${name}.ts`);
  return existsSync(source) ? source : path.join(root, 'out', 'main', `${name}.js`);
}
