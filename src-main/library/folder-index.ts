import { createHash } from 'node:crypto';
import path from 'node:path/posix';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { ExtractedDocument } from '../documents/types.ts';
import type { LibraryFile, LibraryStore } from '../storage/library-types.ts';
import { documentKey } from './document-url.ts';
import type { CheckedFolder } from './folder-rules.ts';
import { type FoundFile, type ScanOptions, type ScanResult, scanFolder } from './folder-scan.ts';
import { cutPassages, overlapOf } from './passages.ts';
import { readWithin } from './read-within.ts';
import { indexedWords } from './words.ts';
import { WritePace } from './write-pace.ts';

export interface FolderIndexParts {
  readonly store: LibraryStore;
  readonly documents: Pick<DocumentReader, 'extractText' | 'maxBytes'>;
  readonly clock: Clock;
  /** Most files of one folder. */
  readonly maxFiles: number;
  readonly onUnread: (file: string, error: unknown) => void;
}

export interface FolderProgress {
  readonly state: 'looking' | 'indexing';
  readonly files: number;
  readonly leftOut: number;
}

/** What was found in a folder; see `ScanResult`. */
export interface FolderFindings extends Omit<ScanResult, 'files'> {
  readonly files: number;
}

export interface FolderRun {
  readonly except: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FolderProgress) => void;
}

const FILES_AT_ONCE = 500;
/** What a passage that is forgotten costs, in characters that are indexed. */
const REMOVAL_CHARS = 500;
/** Passages that go in one transaction when a file is forgotten. */
const REMOVED_AT_ONCE = 100;
/** Pages of the index that are tidied between two turns, some milliseconds of work. */
const PAGES_AT_ONCE = 100;
/** In place of the hash of a file that could not be opened. */
const UNREAD = 'unread';

interface Run extends FolderRun {
  readonly parts: FolderIndexParts;
  readonly pace: WritePace;
  readonly folder: CheckedFolder;
}

/**
 * Brings the index of a folder up to date: files that are gone go, files with another size or time are
 * read, and parsed if their contents differ. What a file has wrong with it is kept with it. Gives what
 * was found. Aborting leaves an index that the next run goes on with.
 */
export async function indexFolder(
  folder: CheckedFolder,
  parts: FolderIndexParts,
  run: FolderRun,
): Promise<FolderFindings> {
  const { store, maxFiles } = parts;
  const { signal, onProgress, except } = run;
  const { files, ...rest } = await scan(folder, { maxFiles, except, signal });
  const { leftOut, closed } = rest;
  const all: Run = { ...run, parts, pace: new WritePace(store), folder };
  const known = new Map<string, LibraryFile>();
  for await (const file of filesOf(store, folder.path)) known.set(file.path, file);
  const tell = (): void => onProgress({ state: 'indexing', files: files.length, leftOut });
  tell();
  for (const found of files) {
    signal.throwIfAborted();
    const before = known.get(found.path);
    known.delete(found.path);
    if (before !== undefined && isUnchanged(before, found)) continue;
    await indexFile(found, before, all);
    tell();
  }
  // What is left was not found again; below a folder that cannot be listed nobody knows.
  for (const gone of known.values()) {
    if (closed.some((at) => at === '' || gone.path.startsWith(`${at}/`))) continue;
    await forgetFile(gone, all);
  }
  await all.pace.flush();
  return { files: files.length, ...rest };
}

async function scan(folder: CheckedFolder, options: ScanOptions): Promise<ScanResult> {
  try {
    return await scanFolder(folder.real, options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const message = `${folder.path} cannot be read any more (${code}).`;
    throw new AppError('LIBRARY_UNREADABLE', message, { details: { folder: folder.path } });
  }
}

/** Forgets everything that is indexed of a folder, on the disk as well. */
export async function forgetFolder(
  folder: string,
  store: LibraryStore,
  signal: AbortSignal,
): Promise<void> {
  const pace = new WritePace(store);
  for await (const file of filesOf(store, folder)) {
    signal.throwIfAborted();
    await forgetFile(file, { parts: { store }, pace });
  }
  await pace.flush();
  await purgeIndex(store, signal);
}

/** Words of texts that are gone stay in the index, and their pages in the file, until that is done. */
async function purgeIndex(store: LibraryStore, signal: AbortSignal): Promise<void> {
  let isMore = store.mergeWords(PAGES_AT_ONCE, 'first');
  while (isMore) {
    await nextTurn();
    signal.throwIfAborted();
    isMore = store.mergeWords(PAGES_AT_ONCE, 'next');
  }
  for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
    await nextTurn();
    signal.throwIfAborted();
    const now = store.freePages(PAGES_AT_ONCE);
    // What a reader still looks at is given back another time.
    if (now >= left) return;
    left = now;
  }
}

/** What could not even be opened is tried each time: its rights may have changed, which no time shows. */
function isUnchanged(before: LibraryFile, found: FoundFile): boolean {
  const isSame = before.size === found.size && before.modifiedAt === found.modifiedAt;
  return isSame && before.sha256 !== '' && before.sha256 !== UNREAD;
}

async function indexFile(
  found: FoundFile,
  before: LibraryFile | undefined,
  run: Run,
): Promise<void> {
  const { parts, folder, pace, signal } = run;
  const { store, documents, clock, onUnread } = parts;
  const at = clock.now();
  let state = { size: found.size, modifiedAt: found.modifiedAt };
  let sha256 = UNREAD;
  let document: ExtractedDocument | null = null;
  let problem: string | null = null;
  try {
    const { bytes, ...facts } = await readWithin(folder.real, found.path, documents.maxBytes);
    state = facts;
    sha256 = createHash('sha256').update(bytes).digest('hex');
    if (before?.sha256 === sha256) {
      await pace.add(() => store.touchFile(before.id, { ...state, at }));
      return;
    }
    document = await documents.extractText(bytes, { name: found.path }, signal);
    problem = document.leftOut === null ? null : `Not all of it is indexed: ${document.leftOut}.`;
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      if (before !== undefined) await forgetFile(before, run);
      return;
    }
    problem = problemOf(error);
    onUnread(found.path, error);
  }
  await putDocument({ found, before, document, end: { ...state, sha256, problem, at } }, run);
}

type FileEnd = Parameters<LibraryStore['finishFile']>[1];

async function putDocument(
  entry: {
    readonly found: FoundFile;
    readonly before: LibraryFile | undefined;
    readonly document: ExtractedDocument | null;
    readonly end: FileEnd;
  },
  { parts: { store }, folder, pace, signal }: Run,
): Promise<void> {
  const { found, before, document, end } = entry;
  const key = documentKey(folder.path, found.path);
  const title = document?.title ?? path.basename(found.path);
  const foundBy = indexedWords(`${title} ${found.path.replaceAll(/[/._-]+/g, ' ')}`);
  let fileId = 0;
  const place = { key, folder: folder.path, path: found.path };
  await pace.add(() => {
    fileId = store.beginFile({ ...place, title, kind: found.kind, at: end.at });
  });
  if (before !== undefined) await removePassages(before, { parts: { store }, pace });
  let position = 0;
  let overlap = '';
  for (const text of document === null ? [] : cutPassages(document.text)) {
    signal.throwIfAborted();
    const words = indexedWords(overlap + text);
    const passage = { position, text, title: foundBy, words };
    await pace.add(() => store.addPassage(fileId, passage), text.length);
    overlap = overlapOf(text);
    position += 1;
  }
  await pace.add(() => store.finishFile(fileId, end));
}

/** Every file of a folder, a page between two turns of the event loop. */
async function* filesOf(store: LibraryStore, folder: string): AsyncGenerator<LibraryFile> {
  let after = 0;
  for (;;) {
    const page = store.filesAfter(folder, after, FILES_AT_ONCE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
    await nextTurn();
  }
}

type Removal = Pick<Run, 'pace'> & { readonly parts: { readonly store: LibraryStore } };

async function forgetFile(file: LibraryFile, run: Removal): Promise<void> {
  await removePassages(file, run);
  await run.pace.add(() => run.parts.store.removeFile(file.id));
}

async function removePassages(
  file: LibraryFile,
  { parts: { store }, pace }: Removal,
): Promise<void> {
  // A file whose index was cut off has more than its row says.
  const times = Math.ceil(Math.max(file.passages, 1) / REMOVED_AT_ONCE);
  for (let time = 0; time < times; time += 1) {
    const passages = Math.min(file.passages, REMOVED_AT_ONCE);
    await pace.add(
      () => void store.removePassages(file.id, REMOVED_AT_ONCE),
      passages * REMOVAL_CHARS,
    );
  }
  if (file.sha256 === '') {
    for (let removed = 1; removed > 0; ) {
      await pace.add(() => {
        removed = store.removePassages(file.id, REMOVED_AT_ONCE);
      }, Number.POSITIVE_INFINITY);
    }
  }
}

/** What is wrong with one file. What is wrong with the disk that the index lies on is thrown on. */
function problemOf(error: unknown): string {
  if (error instanceof AppError) {
    if (error.code === 'FILE_TOO_LARGE' || error.code === 'LIBRARY_UNREADABLE')
      return error.message;
    throw error;
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return 'The app may not read it.';
  if (code === 'ELOOP') return 'It is a link by now, and links are not followed.';
  if (code !== undefined) return `It cannot be read (${code}).`;
  throw error;
}
