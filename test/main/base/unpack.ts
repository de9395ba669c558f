import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDir } from '../storage/support.ts';

const run = promisify(execFile);

const PROGRAM = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    assert bad is None, bad
    archive.extractall(sys.argv[2])
`;

/** Unpacks an archive with Python's library, which checks every checksum; and with `unzip` too, where it is. */
export async function unpack(file: string): Promise<ReadonlyMap<string, Buffer>> {
  const dir = temporaryDir();
  await run('python3', ['-c', PROGRAM, file, dir]);
  const unzip = ['/usr/bin/unzip', '/bin/unzip'].find((path) => existsSync(path));
  if (unzip !== undefined) await run(unzip, ['-tqq', file]);
  const files = new Map<string, Buffer>();
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const path = join(dir, name);
    if (lstatSync(path).isFile()) files.set(name, readFileSync(path));
  }
  return files;
}
