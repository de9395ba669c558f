import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, isBuildStale, ROOT } from './build-state.ts';

/**
 * `npm run bench [NAME]`: runs `test/bench/NAME.ts`, or all benchmarks in turn, on a current build. Each
 * prints its figures next to the floor of the same run.
 */
const folder = join(ROOT, 'test', 'bench');
/** The baseline of the others; not a benchmark itself. */
const FLOOR = 'floor';
const all = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => entry.name.slice(0, -'.ts'.length))
  .filter((name) => name !== FLOOR);
const [wanted, ...rest] = process.argv.slice(2);

if (wanted !== undefined && !all.includes(wanted)) {
  process.stderr.write(`There is no benchmark ${wanted}. Use one of: ${all.join(', ')}\n`);
  process.exitCode = 2;
} else if (isBuildStale() && !build()) {
  process.exitCode = 1;
} else {
  for (const name of wanted === undefined ? all : [wanted]) {
    const { status } = spawnSync(process.execPath, [join(folder, `${name}.ts`), ...rest], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}
