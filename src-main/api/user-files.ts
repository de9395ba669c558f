import { createHash } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import { EDITED_FILE_BYTES } from '#contract/limits.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import { letServerHear } from '../apps/let-server-hear.ts';
import type { AppService } from '../apps/types.ts';
import type { Workspace } from '../sandbox/types.ts';
import type { UserEdits } from '../sandbox/user-edits.ts';

export interface UserFileParts {
  readonly workspace: Workspace;
  readonly edits: Pick<UserEdits, 'saved'>;
  readonly apps: Pick<AppService, 'state'>;
}

/** Who the change of a file is credited to; no call has such an id. */
const USER = 'user';
const BOM = '\uFEFF';

/**
 * Writes a text file of a task for its user, in place: it keeps its rights, and programs that watch it hear of it.
 * Throws `CONFLICT` where the file is not the one that was edited; nothing is written then. These three are called
 * while nobody else changes files of the task: see `Workspace.exclusively`.
 */
export async function writeFile(
  { threadId, path: given, text, was }: RequestInput<'files.write'>,
  { workspace, edits, apps }: UserFileParts,
): Promise<RequestOutput<'files.write'>> {
  const path = placeOf(given, workspace);
  const files = workspace.withoutLinks();
  if (text.length > EDITED_FILE_BYTES) throw tooLong();
  using watch = await workspace.watch(USER, [path]);
  const before = await bytesOf(path, files);
  const now = before === null ? null : hashOf(before);
  if (now !== was) throw changedMeanwhile(path, now);
  const after = Buffer.from(startsWithMark(before) && !text.startsWith(BOM) ? BOM + text : text);
  if (after.length > EDITED_FILE_BYTES) throw tooLong();
  // Saved twice: nothing changes, and nobody has anything new to see.
  if (before?.equals(after) === true) return { sha256: hashOf(after) };
  try {
    await files.write(path, after);
  } catch (error) {
    // Whatever hindered it, such as a full disk: the text that was there takes the room that it took.
    if (before !== null) await files.write(path, before).catch(() => undefined);
    throw error;
  }
  edits.saved(threadId, { path, kind: before === null ? 'created' : 'modified' });
  const { signal } = new AbortController();
  await letServerHear(path, { threadId, apps, workspace, signal });
  await watch.end();
  return { sha256: hashOf(after) };
}

function tooLong(): AppError {
  const limit = `${EDITED_FILE_BYTES / 1024 / 1024} MB`;
  return new AppError('FILE_TOO_LARGE', `A file that is edited here has at most ${limit}.`);
}

/** Gives a file another name. Throws `NOT_FOUND`, and `CONFLICT` where the name is taken. */
export async function moveFile(
  { threadId, path: given, to: wanted }: RequestInput<'files.move'>,
  { workspace, edits }: UserFileParts,
): Promise<RequestOutput<'files.move'>> {
  const [path, to] = [placeOf(given, workspace), placeOf(wanted, workspace)];
  if (path === to) return {};
  const files = workspace.withoutLinks();
  await requireFile(path, files);
  if (await isThere(to, files)) {
    throw new AppError('CONFLICT', `There is a file or folder ${to} already. Use another name.`);
  }
  using watch = await workspace.watch(USER, [path, to]);
  await files.move(path, to);
  edits.saved(threadId, { path, kind: 'deleted' });
  edits.saved(threadId, { path: to, kind: 'created' });
  await watch.end();
  return {};
}

/** Deletes a file. Throws `NOT_FOUND`. */
export async function removeFile(
  { threadId, path: given }: RequestInput<'files.remove'>,
  { workspace, edits }: UserFileParts,
): Promise<RequestOutput<'files.remove'>> {
  const path = placeOf(given, workspace);
  const files = workspace.withoutLinks();
  await requireFile(path, files);
  using watch = await workspace.watch(USER, [path]);
  await files.remove(path);
  edits.saved(threadId, { path, kind: 'deleted' });
  await watch.end();
  return {};
}

/** Where a file of the user's is. Throws what leads out, and `BAD_REQUEST` for what belongs to the app. */
function placeOf(given: string, workspace: Pick<Workspace, 'pathOf'>): string {
  const path = workspace.pathOf(given, 'keep');
  const isOfApp = /^\.hyperagent(?:\/|$)/i.test(path);
  if (path !== '' && !isOfApp) return path;
  const message = isOfApp
    ? 'The folder .hyperagent belongs to the app. Use another one.'
    : 'Name a file, not the workspace itself.';
  throw new AppError('BAD_REQUEST', message);
}

/** Throws for what is no plain file: `NOT_FOUND` for nothing, `BAD_REQUEST` for a folder, `CONFLICT` for a link. */
async function requireFile(path: string, files: Pick<Workspace, 'read'>): Promise<void> {
  await files.read(path, 0);
}

/** Whether there is anything, also a folder or a link. */
async function isThere(path: string, files: Pick<Workspace, 'read'>): Promise<boolean> {
  try {
    await requireFile(path, files);
    return true;
  } catch (error) {
    if (error instanceof AppError) return error.code !== 'NOT_FOUND';
    throw error;
  }
}

/** The hash by which `files.write` knows a file; null for one that is not text, or too long to be edited. */
export function editedHash(data: Uint8Array, size: number): string | null {
  return data.length < size || size > EDITED_FILE_BYTES || data.includes(0) ? null : hashOf(data);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function startsWithMark(bytes: Uint8Array | null): boolean {
  return bytes?.[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Null where there is no such file. Throws `CONFLICT` for one that is too long to be the one that was edited. */
async function bytesOf(path: string, files: Pick<Workspace, 'read'>): Promise<Buffer | null> {
  try {
    const { data, size } = await files.read(path, EDITED_FILE_BYTES);
    if (size > data.length) throw changedMeanwhile(path);
    return data;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

function changedMeanwhile(path: string, now?: string | null): AppError {
  const what = now === null ? 'was deleted' : 'was changed';
  return new AppError(
    'CONFLICT',
    `${path} ${what} meanwhile, so it was not saved. Look at what it is now, then save it again or give up your changes.`,
    { details: now === undefined ? {} : { now } },
  );
}
