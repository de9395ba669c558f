import { mkdtempSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build-state.ts';
import { type Made, makePackage, STAND_IN } from '../../scripts/package/make-package.ts';
import { nodeProgram } from '../../scripts/package/node-executable.ts';
import { type Target, targetNamed } from '../../scripts/package/targets.ts';
import { ensureBuilt } from './built-app.ts';

/** What suites of packages say in their names where they are skipped. */
export const canPack: boolean = process.platform === 'linux';
export const packNote: string = canPack ? '' : ' (skipped: stand-ins run on Linux)';

/** The target of this computer. */
export const LINUX: Target = targetNamed(process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64');
export const WINDOWS: Target = targetNamed('win32-x64');

/** A folder below the home, for the sandbox has a `/tmp` of its own. */
export function packageFolder(): string {
  return realpathSync(mkdtempSync(join(homedir(), '.hyperagent-test-')));
}

/**
 * A package of the built app. Electron is a stand-in; for Linux, Node, the native modules and the packages of the app
 * templates are the real ones of this computer. `npm run package -- --stand-in` does the same for all targets.
 */
export async function packageFor(target: Target, output: string): Promise<Made> {
  ensureBuilt();
  const isLinux = target.platform === 'linux';
  return await makePackage({
    ...{ root: ROOT, target, modules: join(ROOT, 'node_modules'), withTemplates: isLinux },
    electron: STAND_IN,
    node: isLinux ? await nodeProgram(target, { root: ROOT, cache: output }) : STAND_IN,
    ...{ output, formats: ['dir'] },
  });
}
