import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '#main/base/logger.ts';
import { BlobStore } from '#main/sandbox/snapshots/blob-store.ts';
import { WorkspaceSnapshots } from '#main/sandbox/snapshots/workspace-snapshots.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { openSnapshots } from '#main/storage/snapshot-store.ts';

/**
 * Changes files, takes and restores snapshots and sweeps until it is killed. Prints each action before it
 * begins.
 *
 *   node busy-snapshots.ts DATA_DIR THREAD_ID
 */
const [dataDir = '', threadId = ''] = process.argv.slice(2);
const began = Date.now();
// Hours pass in seconds, so that snapshots expire.
const clock = {
  now: () => began + (Date.now() - began) * 20_000,
  monotonic: () => (Date.now() - began) * 20_000,
};
const { connection, paths } = openDatabase({
  ...{ dataDir, logger: silentLogger, clock, entryPoint: 'terminal' },
});
const snapshots = new WorkspaceSnapshots({
  store: openSnapshots(connection),
  blobs: new BlobStore(paths.snapshots),
  workspaceDir: paths.workspace,
  quiet: async () => undefined,
  settings: () => ({ snapshotLimitMb: 100, snapshotHours: 1 }),
  ...{ clock, logger: silentLogger },
});
const dir = paths.workspace(threadId);
mkdirSync(dir, { recursive: true });
const random = (below: number): number => Math.floor(Math.random() * below);
const say = (what: string): void => void process.stdout.write(`${what}\n`);

function change(): void {
  for (let i = random(8); i >= 0; i -= 1) {
    const at = join(dir, `d${random(4)}`, `f${random(12)}`);
    rmSync(at, { recursive: true, force: true });
    mkdirSync(join(at, '..'), { recursive: true });
    const kind = random(6);
    if (kind === 0) symlinkSync(`f${random(9)}`, at);
    else if (kind === 1) mkdirSync(at);
    else if (kind < 4) writeFileSync(at, `text ${random(4)} `.repeat(2000 * random(6)));
    else writeFileSync(at, randomBytes(random(150_000)));
  }
  chmodSync(dir, 0o755);
}

for (let seq = 1; ; seq += 1) {
  change();
  say('take');
  await snapshots.take({
    ...{ threadId, step: { runId: 'run_1', seq }, cause: 'step', persist: (work) => work() },
    signal: new AbortController().signal,
  });
  const known = snapshots.list(threadId);
  const one = known[random(known.length)];
  if (random(2) === 0 && one !== undefined) {
    say(`restore ${one.id}`);
    await snapshots.restore(threadId, one.id).catch((error) => {
      // It expired meanwhile, in its own sweep.
      if (error.code !== 'NOT_FOUND') throw error;
    });
  }
  if (random(3) === 0) {
    say('sweep');
    await snapshots.reconcile();
  }
}
