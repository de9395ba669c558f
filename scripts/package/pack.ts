import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addNodeTree } from './add-node-tree.ts';
import { type AfterPack, loadElectronBuilder } from './electron-builder.ts';
import { setModes } from './package-files.ts';
import type { Target } from './targets.ts';

export interface Packing {
  /** The folder of the project. */
  readonly root: string;
  readonly target: Target;
  /** The staged app: see `stageApp`. */
  readonly staged: string;
  /** The program `node` for the target. */
  readonly node: string;
  /** A folder in place of Electron's distribution; null: electron-builder downloads it. */
  readonly electron: string | null;
  /** Where the packages go. */
  readonly output: string;
  /** Names of electron-builder's formats, such as `tar.gz`; `dir` is the unpacked folder alone. */
  readonly formats: readonly string[];
}

export interface Packed {
  /** The folder that installers are made from. */
  readonly dir: string;
  /** Its resources: the archive, and what is beside it. */
  readonly resources: string;
  /** The files for users, such as an installer; empty for `dir`. */
  readonly files: readonly string[];
}

const PLATFORMS = { linux: 'LINUX', win32: 'WINDOWS', darwin: 'MAC' } as const;

/** Packs the staged app by `electron-builder.json`. Throws what electron-builder throws. */
export async function pack(packing: Packing): Promise<Packed> {
  const { root, target, staged, electron, output, formats } = packing;
  const manifest = await readFile(join(root, 'node_modules/electron/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const { build, Platform, Arch } = await loadElectronBuilder();
  let packed: Omit<Packed, 'files'> | undefined;
  const files = await build({
    projectDir: root,
    publish: 'never',
    targets: Platform[PLATFORMS[target.platform]].createTarget([...formats], Arch[target.arch]),
    config: {
      electronVersion: version,
      ...(electron === null ? {} : { electronDist: electron }),
      directories: { app: staged, output },
      // Native modules come compiled, and what is staged is all: nothing is to be installed or looked for.
      beforeBuild: async () => false,
      afterPack: async ({ appOutDir, packager }: AfterPack) => {
        packed = { dir: appOutDir, resources: packager.getResourcesDir(appOutDir) };
        await addNodeTree({ ...packing, resources: packed.resources });
        if (process.platform !== 'win32') setModes(appOutDir);
      },
    },
  });
  if (packed === undefined) throw new Error('electron-builder packed nothing.');
  return { ...packed, files };
}
