import type { Snapshot, SnapshotChange } from '#contract/workspace.ts';
import { describeSides } from '../describe-sides.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { styleFor } from '../style.ts';
import { showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

/** The snapshots of a task's files, newest first. */
export async function listSnapshots(
  threadId: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { dataDir } = flags;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const { snapshots } = app.api['snapshots.list']({ threadId });
  if (flags.json) print(jsonLine(snapshots));
  else if (snapshots.length === 0) print('This task has no snapshots.\n');
  else for (const snapshot of snapshots) print(describe(snapshot));
  return EXIT.complete;
}

export interface DiffFlags extends ReadFlags {
  readonly since?: string;
}

/** What a snapshot changed since the one before, or since another: its files, or the lines of one. */
export async function diffSnapshot(
  {
    threadId,
    snapshotId,
    path,
  }: { readonly threadId: string; readonly snapshotId: string; readonly path?: string },
  { dataDir, json, since }: DiffFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const compared = { threadId, snapshotId, since: since ?? null };
  if (path !== undefined) {
    const sides = await app.api['snapshots.diff']({ ...compared, path });
    print(json ? jsonLine(sides) : describeSides(sides, styleFor(process.stdout, process.env)));
    return EXIT.complete;
  }
  const { changes, count } = app.api['snapshots.changes'](compared);
  if (json) print(jsonLine({ changes, count }));
  else if (count === 0) print('No file differs.\n');
  else {
    for (const change of changes) print(`${SIGNS[change.kind]} ${showControls(change.path)}\n`);
    if (count > changes.length) print(`and ${count - changes.length} more\n`);
  }
  return EXIT.complete;
}

/** Restores the files of a task. Its current files become a snapshot first. */
export async function restoreSnapshot(
  { threadId, snapshotId }: { readonly threadId: string; readonly snapshotId: string },
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { dataDir } = flags;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const restored = await app.api['snapshots.restore']({ threadId, snapshotId });
  if (flags.json) {
    print(jsonLine(restored));
    return EXIT.complete;
  }
  const { before, now, kept } = restored;
  print(`Restored ${now.files} files from ${snapshotId}.\n`);
  print(`To undo, run: hyperagent snapshots restore ${threadId} ${before.id}\n`);
  for (const path of kept) {
    print(`kept, because no snapshot contains it: ${showControls(path)}\n`);
  }
  print(OUTSIDE);
  return EXIT.complete;
}

const OUTSIDE =
  'Packages and anything else that programs put outside /workspace are in no snapshot: they were neither removed nor brought back.\n';

const SIGNS: Readonly<Record<SnapshotChange['kind'], string>> = {
  created: '+',
  modified: '~',
  deleted: '-',
};

const CAUSES: Readonly<Record<Snapshot['cause'], string>> = {
  step: 'step',
  before_restore: 'before a restore',
  restore: 'after a restore',
};

function describe(snapshot: Snapshot): string {
  const { id, at, cause, runId, seq, files, bytes, leftOut, leftOutCount } = snapshot;
  const { created, modified, deleted } = snapshot;
  const when = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const step = runId === null ? CAUSES[cause] : `${runId} event ${seq}`;
  const changes = `+${created} ~${modified} -${deleted}`;
  const lines = [`${id}  ${when}  ${step}  ${files} files, ${bytes} bytes  ${changes}`];
  for (const one of leftOut) {
    lines.push(`    skipped (${one.reason}): ${showControls(one.path)}, ${one.bytes} bytes`);
  }
  const more = leftOutCount - leftOut.length;
  if (more > 0) lines.push(`    and ${more} more`);
  return `${lines.join('\n')}\n`;
}
