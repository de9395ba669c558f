import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The resources of a package, from a path in its archive or beside it; `scripts/package` lays it out. */
const IN_PACKAGE = /^(.*[\\/])app\.asar(?:\.unpacked)?[\\/]/;

/**
 * The same path outside an Electron archive: where a package has what other programs than Electron read. Outside a
 * package, the path itself.
 */
export function besideArchive(file: string): string {
  return file.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked');
}

/** The Node that a package brings; null where the code at `file` is not in a package. */
export function shippedNode(file: string = import.meta.filename): string | null {
  const [, resources] = IN_PACKAGE.exec(file) ?? [];
  if (resources === undefined) return null;
  const name = process.platform === 'win32' ? 'node.exe' : join('bin', 'node');
  const node = join(resources, 'node', name);
  return existsSync(node) ? node : null;
}
