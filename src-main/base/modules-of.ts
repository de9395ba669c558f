import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Which modules below a folder (`./*.ts`), and which of their exports. */
interface ModuleQuery {
  readonly pattern: string;
  readonly name: string;
}

/**
 * What `import.meta.glob` is in a build, for sources that Node runs as they are (tests, scripts): the export of each
 * module by its path, loaded when it is called.
 */
export function lazyModulesOf<Export>(
  folder: string,
  { pattern, name }: ModuleQuery,
): Record<string, () => Promise<Export>> {
  const load = createRequire(join(folder, 'index.ts'));
  const loadOne = async (file: string): Promise<Export> => load(file)[name];
  const files = pathsOf(folder, pattern);
  return Object.fromEntries(files.map((file) => [file, () => loadOne(file)]));
}

/** The same, loaded at once: `import.meta.glob` with `eager`. */
export function modulesOf<Export>(
  folder: string,
  { pattern, name }: ModuleQuery,
): Record<string, Export> {
  const load = createRequire(join(folder, 'index.ts'));
  const files = pathsOf(folder, pattern);
  return Object.fromEntries(files.map((file) => [file, load(file)[name]]));
}

function pathsOf(folder: string, pattern: string): string[] {
  const files = globSync(pattern, { cwd: folder });
  return files.map((file) => `./${file.replaceAll('\\', '/')}`).sort();
}
