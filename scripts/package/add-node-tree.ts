import { chmod, copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readArchive } from './read-archive.ts';
import { PACKS } from './stage-app.ts';
import type { Target } from './targets.ts';

/** Node, below the resources of a package; `shippedNode` of the app looks for it here. */
export const NODE_FILE = {
  linux: 'node/bin/node',
  darwin: 'node/bin/node',
  win32: 'node/node.exe',
};

/** Of a link to it too, which is how it gets on the path. */
const SHELL_COMMAND = `#!/bin/sh
# Starts the command line of HyperAgent. To have it on the path, link to this file from a folder that is on it.
self=$0
while [ -h "$self" ]; do
  link=$(readlink -- "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname -- "$self")/$link ;;
  esac
done
# Without CDPATH, by which a relative folder could lead elsewhere.
resources=$(CDPATH= cd -- "$(dirname -- "$self")/.." > /dev/null && pwd -P) || exit 1
exec "$resources/node/bin/node" "$resources/app.asar.unpacked/out/main/cli.js" "$@"
`;

const WINDOWS_COMMAND = [
  '@rem Starts the command line of HyperAgent. To have it on the path, add this folder to PATH.',
  '@"%~dp0..\\node\\node.exe" "%~dp0..\\app.asar.unpacked\\out\\main\\cli.js" %*',
  '',
].join('\r\n');

/** The command line of a package: its file below the resources, and what is in it. */
export function commandOf({ platform }: Target): { readonly path: string; readonly text: string } {
  return platform === 'win32'
    ? { path: 'bin/hyperagent.cmd', text: WINDOWS_COMMAND }
    : { path: 'bin/hyperagent', text: SHELL_COMMAND };
}

/**
 * Puts Node and all that it runs beside the archive. The app's fuses forbid Electron to run as Node, and Node does not read
 * archives: the command line, the launcher of the sandbox and the programs inside it need plain files. Electron reads
 * the scripts from the archive, whose integrity it checks, and native modules and data (`asarUnpack`) from here.
 */
export async function addNodeTree(parts: {
  readonly target: Target;
  readonly staged: string;
  readonly node: string;
  readonly resources: string;
}): Promise<void> {
  const { target, staged, resources } = parts;
  const beside = join(resources, 'app.asar.unpacked');
  for (const { path, content } of readArchive(join(resources, 'app.asar'))) {
    if (content === null) continue;
    await mkdir(dirname(join(beside, path)), { recursive: true });
    await writeFile(join(beside, path), content);
  }
  await cp(join(staged, PACKS), join(beside, PACKS), { recursive: true });
  const node = join(resources, NODE_FILE[target.platform]);
  await mkdir(dirname(node), { recursive: true });
  await copyFile(parts.node, node);
  await chmod(node, 0o755);
  const command = commandOf(target);
  await mkdir(join(resources, 'bin'), { recursive: true });
  await writeFile(join(resources, command.path), command.text);
  await chmod(join(resources, command.path), 0o755);
}
