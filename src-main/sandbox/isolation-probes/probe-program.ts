import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The probes of `resources/sandbox/` as one text, with what they are made of before them. */
export async function readProbeProgram(
  resourcesDir: string,
  probes: 'isolation_probes.py' | 'remote_probes.py',
): Promise<string> {
  const read = (name: string) => readFile(join(resourcesDir, name), 'utf8');
  return (await Promise.all([read('probe_kit.py'), read(probes)])).join('\n\n');
}
