import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OUT = join(ROOT, 'out');
const STAMP = '.built-at';
const SOURCES = [
  'src-main',
  'src-preload',
  'src-renderer',
  'scripts/build',
  'electron.vite.config.ts',
  'package-lock.json',
];
const PRODUCTS = [
  'main/index.js',
  'main/web.js',
  'main/cli.js',
  'preload/index.cjs',
  'renderer/index.html',
];

/** Whether `out/` is incomplete or older than a source. */
export function isBuildStale(): boolean {
  if ([STAMP, ...PRODUCTS].some((file) => !existsSync(join(OUT, file)))) return true;
  const builtAt = statSync(join(OUT, STAMP)).mtimeMs;
  return SOURCES.some((name) => newestChange(join(ROOT, name)) > builtAt);
}

/** Time of the newest change at or under `path`. Includes folders, because they show deletions. */
function newestChange(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/**
 * Builds everything into `out/`. False if the build failed, with its output on stderr. `out/` is replaced
 * as a whole and only by a successful build, so that neither two builds at once nor a failed one leaves
 * it incomplete.
 */
export function build(): boolean {
  const startedAt = new Date();
  const fresh = join(ROOT, 'node_modules', `.out-${process.pid}`);
  const replaced = `${fresh}-replaced`;
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js'), 'build', '--outDir', fresh],
      { cwd: ROOT, encoding: 'utf8' },
    );
    if (status !== 0) {
      process.stderr.write(`${stdout}${stderr}`);
      return false;
    }
    // Dated to the start of the build, so that a file saved during the build counts as newer.
    writeFileSync(join(fresh, STAMP), '');
    utimesSync(join(fresh, STAMP), startedAt, startedAt);
    if (existsSync(OUT)) renameSync(OUT, replaced);
    renameSync(fresh, OUT);
    return true;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(replaced, { recursive: true, force: true });
  }
}
