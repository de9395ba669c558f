import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { besideArchive, shippedNode } from '../../base/packaged-files.ts';
import { findProgram } from '../os-provider/host-facts.ts';

const execFileAsync = promisify(execFile);
const QUESTION_MS = 30_000;

/** The Node and the file that start the launcher. */
export type LauncherProgram = readonly [node: string, ...arguments: string[]];

/**
 * How to start the launcher; null if there is no Node to run it. The desktop app cannot run as Node (a fuse of the
 * package prevents it), so there it takes the one that the package brings, else the one of this computer.
 */
export async function findLauncher(
  environment: NodeJS.ProcessEnv,
): Promise<LauncherProgram | null> {
  const isNode = process.versions.electron === undefined;
  const node = isNode
    ? process.execPath
    : (shippedNode() ?? (await findProgram('node', environment)));
  return node === null ? null : [node, launcherFile()];
}

/** Beside this module among the sources, beside the entry points in the bundle, and unpacked from an archive. */
function launcherFile(): string {
  const type = extname(import.meta.filename);
  const beside = join(import.meta.dirname, `landlock-launcher${type}`);
  const file = existsSync(beside)
    ? beside
    : join(import.meta.dirname, '..', 'landlock-launcher.js');
  return besideArchive(file);
}

/** The version of Landlock, found by trying; or one line that says why it cannot be tried. */
export async function askLandlockVersion([node, ...given]: LauncherProgram): Promise<
  number | string
> {
  try {
    const options = { timeout: QUESTION_MS, env: {}, cwd: '/' };
    const { stdout } = await execFileAsync(node, [...given, 'version'], options);
    const version = Number.parseInt(stdout, 10);
    return Number.isNaN(version) ? stdout.trim() : version;
  } catch (error) {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const line = /^\s*(?:\w*Error.*)$/m.exec(text)?.[0] ?? text.split('\n')[0] ?? '';
    return line.trim();
  }
}
