import { AppError } from '#contract/errors.ts';
import type { FolderChange, RefusedChange, UserFolder } from '#contract/user-folder.ts';
import { isConfirmed } from '../confirm.ts';
import { describeSides } from '../describe-sides.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { styleFor } from '../style.ts';
import { showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

export interface ApplyFlags extends ReadFlags {
  readonly yes?: boolean;
}

/** The user's folder of a task, and the files that differ between it and its copy. */
export async function showFolder(
  threadId: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await open(flags, environment, { readOnly: true });
  const { folder } = app.api['folders.get']({ threadId });
  if (folder === null) throw new AppError('NOT_FOUND', 'This task has no folder of yours.');
  const { changes, count, leftOut, leftOutCount } = await app.api['folders.changes']({ threadId });
  if (flags.json) {
    print(jsonLine({ folder, changes, count, leftOut, leftOutCount }));
    return EXIT.complete;
  }
  print(describeFolder(folder));
  if (changes.length === 0) print('No file differs.\n');
  for (const change of changes) print(describeChange(change));
  if (count > changes.length) print(`and ${count - changes.length} more\n`);
  for (const { path } of leftOut) print(`not compared: ${showControls(path)}\n`);
  if (leftOutCount > leftOut.length) {
    print(`not compared: ${leftOutCount - leftOut.length} more\n`);
  }
  return EXIT.complete;
}

/** What applying would change in one file. */
export async function diffFolder(
  { threadId, path }: { readonly threadId: string; readonly path: string },
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await open(flags, environment, { readOnly: true });
  const { changes } = await app.api['folders.changes']({ threadId });
  const { now, becomes } = changeAt(changes, path);
  const sides = await app.api['folders.diff']({ threadId, path, now, becomes });
  const style = styleFor(process.stdout, process.env);
  const named = { now: sides.now, applied: sides.becomes };
  print(flags.json ? jsonLine(sides) : describeSides(named, style));
  return EXIT.complete;
}

/**
 * Writes changes to the user's folder, after confirmation: the named files, or all that are safe to apply. What was
 * edited meanwhile, or runs by itself, must be named.
 */
export async function applyFolder(
  { threadId, paths }: { readonly threadId: string; readonly paths: readonly string[] },
  flags: ApplyFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await open(flags, environment, { readOnly: false });
  const { changes, count } = await app.api['folders.changes']({ threadId });
  const chosen = choose(changes, paths);
  const left = changes.filter((change) => !chosen.includes(change));
  for (const change of chosen) printError(describeChange(change));
  if (paths.length === 0) {
    for (const change of left) printError(`not applied: ${describeChange(change)}`);
  }
  if (count > changes.length) {
    printError(`${count - changes.length} more are not listed: apply these first.\n`);
  }
  if (chosen.length === 0) {
    printError('There is nothing to apply.\n');
    return EXIT.complete;
  }
  const question = `Write ${filesIn(chosen.length)} to your folder?`;
  if (flags.yes !== true && !(await isConfirmed(question))) {
    printError('Nothing was changed.\n');
    return EXIT.failed;
  }
  const outcome = await app.api['folders.apply']({
    threadId,
    changes: chosen.map(({ path, now, becomes }) => ({ path, now, becomes })),
  });
  if (flags.json) print(jsonLine(outcome));
  else {
    print(`Wrote ${filesIn(outcome.written.length)}.\n`);
    print(describeRefused(outcome.refused));
    if (outcome.written.length > 0) print(`To undo, run: hyperagent folder undo ${threadId}\n`);
  }
  return outcome.refused.length === 0 ? EXIT.complete : EXIT.failed;
}

/** Takes back what was applied last. */
export async function undoFolder(
  threadId: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app = await open(flags, environment, { readOnly: false });
  const outcome = await app.api['folders.undo']({ threadId });
  if (flags.json) print(jsonLine(outcome));
  else {
    print(`Restored ${filesIn(outcome.written.length)}.\n`);
    print(describeRefused(outcome.refused));
  }
  return outcome.refused.length === 0 ? EXIT.complete : EXIT.failed;
}

function open(
  { dataDir }: ReadFlags,
  environment: CliEnvironment,
  { readOnly }: { readonly readOnly: boolean },
): ReturnType<typeof openApp> {
  return openApp(environment, { dataDir, attended: false, readOnly });
}

/** Throws `NOT_FOUND` for a named file that does not differ, `BAD_REQUEST` for one that cannot be applied. */
function choose(changes: readonly FolderChange[], paths: readonly string[]): FolderChange[] {
  if (paths.length === 0) {
    return changes.filter(
      ({ blocked, isEditedMeanwhile, runsByItself }) =>
        blocked === null && !isEditedMeanwhile && !runsByItself,
    );
  }
  return paths.map((path) => {
    const change = changeAt(changes, path);
    if (change.blocked === null) return change;
    throw new AppError('BAD_REQUEST', `${path} cannot be applied: ${BLOCKED[change.blocked]}.`);
  });
}

function changeAt(changes: readonly FolderChange[], path: string): FolderChange {
  const change = changes.find((one) => one.path === path);
  if (change !== undefined) return change;
  throw new AppError('NOT_FOUND', `${path} does not differ. List what does with "folder show".`);
}

const ACCESS: Readonly<Record<UserFolder['access'], string>> = {
  read: 'to read',
  copy: 'changes can be applied',
};

function describeFolder({ path, name, access, contents, applied }: UserFolder): string {
  const lines = [
    `${showControls(path)} (${ACCESS[access]})`,
    `copied to /workspace/${showControls(name)}: ${filesIn(contents.files)}, ${contents.bytes} bytes`,
  ];
  if (contents.leftOutCount > 0) {
    const shown = contents.leftOut.slice(0, 5).map(({ path: one }) => showControls(one));
    const more = contents.leftOutCount - shown.length;
    lines.push(`not copied: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
  }
  if (applied !== null) lines.push(`applied last: ${filesIn(applied.files)}`);
  return `${lines.join('\n')}\n`;
}

const SIGNS: Readonly<Record<FolderChange['kind'], string>> = {
  created: '+',
  modified: '~',
  deleted: '-',
};

const BLOCKED: Readonly<Record<NonNullable<FolderChange['blocked']>, string>> = {
  link: 'it is a link',
  not_a_file: 'in your folder it is no plain file, or lies behind a link',
  name: 'its name is not allowed',
};

function describeChange(change: FolderChange): string {
  const notes = [
    ...(change.blocked === null ? [] : [BLOCKED[change.blocked]]),
    ...(change.isEditedMeanwhile ? ['edited in your folder since it was copied'] : []),
    ...(change.runsByItself ? ['other programs run it by themselves'] : []),
  ];
  const note = notes.length === 0 ? '' : `  (${notes.join('; ')})`;
  return `${SIGNS[change.kind]} ${showControls(change.path)}${note}\n`;
}

const REASONS: Readonly<Record<RefusedChange['reason'], string>> = {
  changed: 'it was changed in the meantime; look at it again',
  blocked: 'it is not a plain file, or lies behind a link',
  denied: 'the system denied access',
  disk_full: 'the disk is full',
};

function describeRefused(refused: readonly RefusedChange[]): string {
  return refused
    .map(({ path, reason }) => `left alone: ${showControls(path)}: ${REASONS[reason]}\n`)
    .join('');
}

function filesIn(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString('en')} files`;
}
