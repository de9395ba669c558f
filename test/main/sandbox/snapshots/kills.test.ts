import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { BlobStore } from '#main/sandbox/snapshots/blob-store.ts';
import { captureTree } from '#main/sandbox/snapshots/capture-tree.ts';
import { isFile, unpackManifest } from '#main/sandbox/snapshots/manifest.ts';
import { WorkspaceSnapshots } from '#main/sandbox/snapshots/workspace-snapshots.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { openSnapshots } from '#main/storage/snapshot-store.ts';
import { insertRun, open, temporaryDir } from '../../storage/support.ts';
import { filesBelow } from './support.ts';

const CHILD = fileURLToPath(new URL('./children/busy-snapshots.ts', import.meta.url));
const KILLS = 25;
const ACTS = ['take', 'restore', 'sweep'];

/** Lets the child run, and kills it shortly after an action began; returns the last action. */
async function workAndDie(dataDir: string, act: string, afterMs: number): Promise<string> {
  const child = spawn(process.execPath, [CHILD, dataDir, 'thr_1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let problems = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  await expect.poll(() => said.includes(act) || problems !== '', { interval: 2 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect({ problems, signal: child.signalCode }).toEqual({ problems: '', signal: 'SIGKILL' });
  return said.trimEnd().split('\n').at(-1) ?? '';
}

test('killed anywhere: no row without contents, no orphan after the next start, every snapshot restores', async () => {
  const dataDir = temporaryDir();
  const first = open(dataDir);
  insertRun(first);
  first.close();
  let restored = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const act = await workAndDie(dataDir, ACTS[kill % 3] ?? '', (kill * 7) % 40);
    const { connection, paths, close } = openDatabase({
      ...{ dataDir, logger: silentLogger, clock: systemClock, entryPoint: 'terminal' },
    });
    try {
      const store = openSnapshots(connection);
      const blobs = new BlobStore(paths.snapshots);
      const named = new Set<string>();
      for (const id of store.ids()) {
        for (const { sha256 } of unpackManifest(store.manifest(id)).entries.filter(isFile)) {
          named.add(sha256);
        }
      }
      for (const sha256 of named) await blobs.verify(sha256);
      // The child's fast clock writes rows of the future: nothing has expired here.
      const snapshots = new WorkspaceSnapshots({
        ...{ store, blobs, workspaceDir: paths.workspace, quiet: async () => undefined },
        settings: () => ({ snapshotLimitMb: 100, snapshotHours: 24 * 365 }),
        ...{ clock: systemClock, logger: silentLogger },
      });
      // Not always: leftovers of a kill must not mislead the next one either.
      if (kill % 2 === 1) {
        await snapshots.reconcile();
        const catalogues = join(paths.snapshots, 'blobs');
        expect(existsSync(catalogues) ? filesBelow(catalogues) : []).toEqual([...named].sort());
        const secondary = join(paths.snapshots, 'aside');
        expect(existsSync(secondary) ? readdirSync(secondary) : []).toEqual([]);
      }
      // The one that was cut off, where there is one, else the oldest.
      const list = snapshots.list('thr_1');
      const wanted = list.find(({ id }) => act === `restore ${id}`) ?? list.at(-1);
      if (wanted === undefined) continue;
      const manifest = unpackManifest(store.manifest(wanted.id));
      await snapshots.restore('thr_1', wanted.id);
      const now = await captureTree(paths.workspace('thr_1'), {
        ...{ lease: blobs.lease(), cache: new Map(), limitBytes: null },
        signal: new AbortController().signal,
      });
      expect(now.manifest).toEqual(manifest);
      restored += 1;
    } finally {
      close();
    }
  }
  expect(restored).toBeGreaterThan(KILLS / 2);
});
