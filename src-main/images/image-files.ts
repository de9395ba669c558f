import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { ImageRecord, MOST_IMAGES } from '#contract/images.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import type { WorkspaceFiles } from '../sandbox/types.ts';

/** Of a picture that the app made, and of what is kept about it. */
const LARGEST_PICTURE = 64 * 1024 * 1024;
const LARGEST_RECORD = 64 * 1024;
/** Files of one name before another name is needed. */
const MOST_NAMES = 30;
const NAME_CHARS = 48;

/** What is kept about a picture, beside it, under the hash of the file. */
const StoredImage = z.strictObject({
  version: z.literal(1),
  /** The call that made it: one that a crash interrupted finds its pictures. */
  call: z.string().max(200),
  record: ImageRecord,
});
type StoredImage = z.infer<typeof StoredImage>;

type Files = Pick<WorkspaceFiles, 'read' | 'replace'>;

/** Paths for new pictures of this description, in order: the first free ones are taken. */
export function imagePaths(prompt: string): string[] {
  const words = prompt
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  const name = (words ?? []).slice(0, 6).join('-').slice(0, NAME_CHARS).replace(/-+$/, '');
  return numbered(`images/${name || 'picture'}.png`, MOST_NAMES);
}

/** The files of an order whose first one the caller named. */
export function namedPaths(file: string): string[] {
  return numbered(file, MOST_IMAGES);
}

function numbered(file: string, count: number): string[] {
  const stem = file.replace(/\.png$/i, '');
  return Array.from({ length: count }, (_, i) => (i === 0 ? file : `${stem}-${i + 1}.png`));
}

/** Keeps how a picture was made, then writes the picture: one without the other is only the first. */
export async function writeImage(
  files: Files,
  path: string,
  {
    png,
    call,
    record,
  }: { readonly png: Uint8Array; readonly call: string; readonly record: ImageRecord },
): Promise<void> {
  const stored: StoredImage = { version: 1, call, record };
  await files.replace(storedAt(hashOf(png)), JSON.stringify(stored));
  await files.replace(path, Buffer.from(png));
}

/** How the picture at `path` was made, and by which call; null for one that was not made here, or changed since. */
export async function readImageRecord(
  files: Files,
  path: string,
): Promise<(Pick<StoredImage, 'call' | 'record'> & { readonly size: number }) | null> {
  const { data, size } = await files.read(path, LARGEST_PICTURE);
  if (data.length < size) return null;
  try {
    const found = await files.read(storedAt(hashOf(data)), LARGEST_RECORD);
    // Programs in the sandbox can write there: what is not exactly such a record is none.
    const parsed = safeParse(StoredImage, parseOutsideJson(found.data.toString('utf8')));
    return parsed.success ? { ...parsed.data, size } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Whether there is a file. */
export async function isTaken(files: Files, path: string): Promise<boolean> {
  try {
    await files.read(path, 0);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

function storedAt(hash: string): string {
  return `.hyperagent/images/${hash}.json`;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
