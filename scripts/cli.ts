import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, isBuildStale, ROOT } from './build-state.ts';

/** `npm run cli -- ARGUMENTS`: builds if necessary, then runs the CLI in this process. */
function isBuilt(): boolean {
  if (!isBuildStale()) return true;
  process.stderr.write('Building HyperAgent…\n');
  return build();
}

if (isBuilt()) await import(pathToFileURL(join(ROOT, 'out/main/cli.js')).href);
else process.exitCode = 1;
