import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf, type Target } from './targets.ts';

const NEVER = ['--ignore-scripts', '--no-audit', '--no-fund'];
/** Written last: a folder without it was left half full. */
const DONE = '.complete';

/** Installs packages into `dir`, also those of another system. No script of a package runs. */
export function installPackages(dir: string, packages: readonly string[]): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{"private":true}\n');
  npm(dir, ['install', '--force', '--no-save', ...NEVER, ...packages]);
}

/**
 * The `node_modules` that `npm ci` makes on the target, in `cache`: the lockfile's packages, with the native ones of that
 * system. Kept for the next time, unless the lockfile has changed.
 */
export function modulesFor(
  target: Target,
  { root, cache, lockHash }: { root: string; cache: string; lockHash: string },
): string {
  const dir = join(cache, `modules-${nameOf(target)}-${lockHash.slice(0, 16)}`);
  const modules = join(dir, 'node_modules');
  if (existsSync(join(dir, DONE))) return modules;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(root, file), join(dir, file));
  const libc = target.platform === 'linux' ? ['--libc', 'glibc'] : [];
  npm(dir, ['ci', '--os', target.platform, '--cpu', target.arch, ...libc, ...NEVER]);
  writeFileSync(join(dir, DONE), '');
  return modules;
}

function npm(cwd: string, args: readonly string[]): void {
  const program = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...{ cwd, encoding: 'utf8', shell: process.platform === 'win32' },
  });
  if (status === 0) return;
  throw new Error(
    `npm ${args[0]} for another system failed: ${error?.message ?? `${stdout}${stderr}`}`,
  );
}
