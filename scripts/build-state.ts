import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const STAMP = join(ROOT, 'out', '.built-at');
const SOURCES = ['src-main', 'src-preload', 'src-renderer', 'electron.vite.config.ts'];
const PRODUCTS = [
  'out/main/index.js',
  'out/main/web.js',
  'out/main/cli.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
];

/** Whether `out/` lacks something or is older than a source. */
export function isBuildStale(): boolean {
  if (!existsSync(STAMP) || PRODUCTS.some((file) => !existsSync(join(ROOT, file)))) return true;
  const builtAt = statSync(STAMP).mtimeMs;
  return [...SOURCES, 'package-lock.json'].some((name) => newestChange(join(ROOT, name)) > builtAt);
}

/** Milliseconds of the newest change at or under `path`, folders included, for deletions show there. */
function newestChange(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/** Builds everything into `out/`; false when the build failed, with its output on stderr. */
export function build(): boolean {
  const startedAt = new Date();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`);
    return false;
  }
  mkdirSync(join(ROOT, 'out'), { recursive: true });
  // Dated to the start, so that a file saved during the build counts as newer.
  writeFileSync(STAMP, startedAt.toISOString());
  return true;
}
