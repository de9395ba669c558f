import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '#main/base/canonical-json.ts';
import { checkPackage, type Expected, type PackageFacts } from './check-package.ts';
import { assertCompiledFor } from './executable-header.ts';
import { type Packed, pack } from './pack.ts';
import { hashesIn } from './package-files.ts';
import { PACKS, stageApp } from './stage-app.ts';
import { writeElectronStandIn, writeProgramStandIn } from './stand-in.ts';
import type { Target } from './targets.ts';

/** A program that does nothing, of the right kind. */
export const STAND_IN = Symbol('stand-in');

export interface Making {
  /** The folder of the project, built. */
  readonly root: string;
  readonly target: Target;
  /** The `node_modules` that `npm ci` makes on the target. */
  readonly modules: string;
  /** Whether the packages of the app templates come too: `modules` must be of the target. */
  readonly withTemplates: boolean;
  /** A folder with Electron; null: electron-builder downloads it. */
  readonly electron: string | typeof STAND_IN | null;
  readonly node: string | typeof STAND_IN;
  readonly output: string;
  /** Names of electron-builder's formats; empty: those of `electron-builder.json`. */
  readonly formats: readonly string[];
}

export interface Made {
  readonly packed: Packed;
  readonly facts: PackageFacts;
  /** What went in, to check the package again. */
  readonly expected: Expected;
}

/** Stages, packs and checks the app for one target. Throws only if nothing could be packed. */
export async function makePackage(making: Making): Promise<Made> {
  const { root, target, output } = making;
  const work = await mkdtemp(join(tmpdir(), 'hyperagent-package-'));
  try {
    const staged = join(work, 'app');
    await stageApp({ ...making, dir: staged });
    const electron = making.electron === STAND_IN ? join(work, 'electron') : making.electron;
    if (making.electron === STAND_IN) await writeElectronStandIn(target, join(work, 'electron'));
    const node = making.node === STAND_IN ? join(work, 'node') : making.node;
    if (making.node === STAND_IN) await writeProgramStandIn(target, node);
    assertCompiledFor(node, target);
    await mkdir(output, { recursive: true });
    const packed = await pack({ ...making, staged, electron, node });
    const expected = {
      templates: hashesIn(join(staged, PACKS)),
      node: sha256(await readFile(node)),
    };
    const facts = await checkPackage({ packed, target, root, expected });
    return { packed, facts, expected };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
