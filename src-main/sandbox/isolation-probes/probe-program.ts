import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A probe program of `resources/sandbox/` as one text, with its shared code first. */
export async function readProbeProgram(
  resourcesDir: string,
  probes: 'isolation_probes.py' | 'remote_probes.py',
): Promise<string> {
  const read = (name: string) => readFile(join(resourcesDir, name), 'utf8');
  return (await Promise.all([read('probe_kit.py'), read(probes)])).join('\n\n');
}
