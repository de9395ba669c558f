import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedOfCommit } from '../test/setup/sampling.ts';
import { BROKEN_LINES } from './broken-lines/broken-lines.ts';
import { ROOT } from './build-state.ts';

/**
 * `npm run broken [-- AREA…]`: in a clone of the current commit, breaks one line of the product in each
 * area and runs the tests of that area with the samples of this commit. Each must fail. If one passes, the
 * tests have a gap, and this exits with 1.
 */
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BROKEN_LINES.some(({ area }) => area === name));
if (unknown.length > 0) {
  const areas = BROKEN_LINES.map(({ area }) => area).join(', ');
  process.stderr.write(`There is no area ${unknown.join(', ')}. Use one of: ${areas}\n`);
  process.exit(2);
}
const seed = String(seedOfCommit());
const folder = mkdtempSync(join(tmpdir(), 'hyperagent-broken-'));
const clone = join(folder, 'app');
try {
  const cloned = run('git', ['clone', '--quiet', ROOT, clone], folder);
  if (cloned.status !== 0) throw new Error(cloned.stderr);
  for (const shared of ['node_modules', '.embedded']) {
    symlinkSync(join(ROOT, shared), join(clone, shared));
  }
  for (const { area, file, line, broken, tests } of BROKEN_LINES) {
    if (wanted.length > 0 && !wanted.includes(area)) continue;
    const whole = readFileSync(join(clone, file), 'utf8');
    if (whole.split(line).length !== 2)
      throw new Error(`${file} must contain this line exactly once: ${line}`);
    writeFileSync(
      join(clone, file),
      whole.replace(line, () => broken),
    );
    const args = ['scripts/test.ts', '--seed', seed, ...tests];
    const { status, stdout, stderr } = run(process.execPath, args, clone);
    writeFileSync(join(clone, file), whole);
    const counts = /^\d+ passed, [1-9]\d* failed, .*$/m.exec(stdout)?.[0];
    if (status === 0 || counts === undefined) {
      process.exitCode = 1;
      process.stdout.write(`NOT NOTICED: ${area}, ${file}\n${stdout.slice(-2000)}${stderr}\n`);
    } else {
      process.stdout.write(`red: ${area}, ${file} (seed ${seed}): ${counts}\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string, args: readonly string[], cwd: string) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}
