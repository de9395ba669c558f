import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, ROOT } from './build-state.ts';

/** `npm test`: builds and runs every suite. */
if (!build()) process.exit(1);
const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
