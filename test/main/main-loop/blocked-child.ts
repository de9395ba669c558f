import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchMainLoop } from '#main/main-loop/watch-main-loop.ts';

/**
 * A process whose main thread is blocked: it computes forever (`spin`) or until that is logged (`go`), or
 * waits for another program longer than a computing thread would survive (`wait`).
 */
const [what = '', logsDir = ''] = process.argv.slice(2);
const log = join(logsDir, 'hyperagent.log');
const watch = watchMainLoop({
  ...{ root: process.cwd(), logsDir, logMs: 300 },
  endMs: what === 'go' ? 3_600_000 : 1_500,
});
const isLogged = (message: string): boolean =>
  existsSync(log) && readFileSync(log, 'utf8').includes(message);

function spinHere(isOver: () => boolean): void {
  while (!isOver());
}

process.stdout.write('blocking\n');
// Let the watch start first.
await new Promise((resolve) => setTimeout(resolve, 50));
if (what === 'spin') spinHere(() => false);
if (what === 'go') spinHere(() => isLogged('The main thread is blocked'));
if (what === 'wait') {
  spawnSync('sh', ['-c', `until grep -q blocked "${log}"; do sleep 0.1; done; sleep 2`]);
}
process.stdout.write('continues\n');
while (!isLogged('The main thread continues'))
  await new Promise((resolve) => setTimeout(resolve, 20));
await watch[Symbol.asyncDispose]();
