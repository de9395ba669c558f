import { createHash } from 'node:crypto';
import path from 'node:path/posix';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { ExtractedDocument, ScanProgress } from '../documents/types.ts';
import type { LibraryFile, LibraryStore } from '../storage/library-types.ts';
import { documentKey } from './document-url.ts';
import type { CheckedFolder } from './folder-rules.ts';
import { type FoundFile, type ScanOptions, type ScanResult, scanFolder } from './folder-scan.ts';
import { cutPassages, overlapOf } from './passages.ts';
import { readWithin } from './read-within.ts';
import { indexedWords } from './words.ts';
import { WriteBatcher } from './write-batcher.ts';

export interface FolderIndexParts {
  readonly store: LibraryStore;
  readonly documents: Pick<DocumentReader, 'extractText' | 'maxBytes'>;
  readonly clock: Clock;
  /** Limit for the files of one folder. */
  readonly maxFiles: number;
  readonly onUnread: (file: string, error: unknown) => void;
}

export interface FolderProgress {
  readonly state: 'looking' | 'indexing';
  readonly files: number;
  readonly leftOut: number;
  readonly reading: ReadingPage | null;
}

/** A page of a scanned document, which takes a second and more. */
export interface ReadingPage extends ScanProgress {
  /** Relative to the folder. */
  readonly file: string;
}

/** What a scan of a folder found; see `ScanResult`. */
export interface FolderFindings extends Omit<ScanResult, 'files'> {
  readonly files: number;
}

export interface FolderRun {
  readonly except: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FolderProgress) => void;
}

const FILES_AT_ONCE = 500;
/** Cost of removing a passage, as a number of indexed characters. */
const REMOVAL_CHARS = 500;
/** Passages that one step removes. */
const REMOVED_AT_ONCE = 100;
/** Pages of the index that one step compacts, some milliseconds of work. */
const PAGES_AT_ONCE = 100;
/** Stands in place of the hash of a file that could not be opened. */
const UNREAD = 'unread';

interface Run extends FolderRun {
  readonly parts: FolderIndexParts;
  readonly writes: WriteBatcher;
  readonly folder: CheckedFolder;
}

/**
 * Brings the index of a folder up to date: deleted files are removed from it, files with another size or
 * time are read, and parsed if their content differs. A problem with a file is stored with that file.
 * Returns what the scan found. After an abort, the next run continues where this one stopped.
 */
export async function indexFolder(
  folder: CheckedFolder,
  parts: FolderIndexParts,
  run: FolderRun,
): Promise<FolderFindings> {
  const { store, maxFiles } = parts;
  const { signal, onProgress, except } = run;
  const { files, ...rest } = await scan(folder, { maxFiles, except, signal });
  const { leftOut, incomplete } = rest;
  const all: Run = { ...run, parts, writes: new WriteBatcher(store), folder };
  const known = new Map<string, LibraryFile>();
  for await (const file of filesOf(store, folder.path)) known.set(file.path, file);
  const report = (reading: ReadingPage | null = null): void =>
    onProgress({ state: 'indexing', files: files.length, leftOut, reading });
  report();
  for (const found of files) {
    signal.throwIfAborted();
    const before = known.get(found.path);
    known.delete(found.path);
    if (before !== undefined && isUnchanged(before, found)) continue;
    await indexFile(found, before, { ...all, onReading: report });
    report();
  }
  // The files left in `known` were not found again. Below a folder that was not scanned completely they
  // may still exist, so those stay.
  for (const gone of known.values()) {
    if (incomplete.some((at) => at === '' || gone.path.startsWith(`${at}/`))) continue;
    await forgetFile(gone, all);
  }
  await all.writes.flush();
  return { files: files.length, ...rest };
}

async function scan(folder: CheckedFolder, options: ScanOptions): Promise<ScanResult> {
  try {
    return await scanFolder(folder.real, options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const message = `${folder.path} can no longer be read (${code}). Check that the folder exists and that the app may read it.`;
    throw new AppError('LIBRARY_UNREADABLE', message, { details: { folder: folder.path } });
  }
}

/** Removes everything about a folder from the index, and its text from the disk. */
export async function forgetFolder(
  folder: string,
  store: LibraryStore,
  signal: AbortSignal,
): Promise<void> {
  const writes = new WriteBatcher(store);
  for await (const file of filesOf(store, folder)) {
    signal.throwIfAborted();
    await forgetFile(file, { parts: { store }, writes });
  }
  await writes.flush();
  await purgeIndex(store, signal);
}

/** Erases the words of removed texts from the index file: SQLite keeps them until they are merged away. */
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
    // Pages that a reader still uses are freed another time.
    if (now >= left) return;
    left = now;
  }
}

/** A file that could not be opened is tried each time: a change of permissions leaves its time unchanged. */
function isUnchanged(before: LibraryFile, found: FoundFile): boolean {
  const isSame = before.size === found.size && before.modifiedAt === found.modifiedAt;
  return isSame && before.sha256 !== '' && before.sha256 !== UNREAD && !isUnreadScan(before);
}

/** Indexed by a version that read no scans. */
function isUnreadScan({ problem }: LibraryFile): boolean {
  return problem?.startsWith('It has pages but no text') === true;
}

async function indexFile(
  found: FoundFile,
  before: LibraryFile | undefined,
  run: Run & { readonly onReading: (reading: ReadingPage) => void },
): Promise<void> {
  const { parts, folder, writes, signal, onReading } = run;
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
    if (before?.sha256 === sha256 && !isUnreadScan(before)) {
      await writes.add(() => store.touchFile(before.id, { ...state, at }));
      return;
    }
    const onPage = (page: ScanProgress): void => onReading({ file: found.path, ...page });
    document = await documents.extractText(bytes, { name: found.path, scans: { onPage } }, signal);
    problem =
      document.leftOut === null
        ? null
        : `Only part of it is indexed. Missing: ${document.leftOut}.`;
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
  { parts: { store }, folder, writes, signal }: Run,
): Promise<void> {
  const { found, before, document, end } = entry;
  const key = documentKey(folder.path, found.path);
  const title = document?.title ?? path.basename(found.path);
  const foundBy = indexedWords(`${title} ${found.path.replaceAll(/[/._-]+/g, ' ')}`);
  let fileId = 0;
  const place = { key, folder: folder.path, path: found.path };
  await writes.add(() => {
    fileId = store.beginFile({ ...place, title, kind: found.kind, at: end.at });
  });
  if (before !== undefined) await removePassages(before, { parts: { store }, writes });
  let position = 0;
  let overlap = '';
  for (const text of document === null ? [] : cutPassages(document.text)) {
    signal.throwIfAborted();
    const words = indexedWords(overlap + text);
    const passage = { position, text, title: foundBy, words };
    await writes.add(() => store.addPassage(fileId, passage), text.length);
    overlap = overlapOf(text);
    position += 1;
  }
  await writes.add(() => store.finishFile(fileId, end));
}

/** Every file of a folder, one page per turn of the event loop. */
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

type Removal = Pick<Run, 'writes'> & { readonly parts: { readonly store: LibraryStore } };

async function forgetFile(file: LibraryFile, run: Removal): Promise<void> {
  await removePassages(file, run);
  await run.writes.add(() => run.parts.store.removeFile(file.id));
}

async function removePassages(
  file: LibraryFile,
  { parts: { store }, writes }: Removal,
): Promise<void> {
  // A file whose indexing was interrupted has more passages than its row says; see below.
  const times = Math.ceil(Math.max(file.passages, 1) / REMOVED_AT_ONCE);
  for (let time = 0; time < times; time += 1) {
    const passages = Math.min(file.passages, REMOVED_AT_ONCE);
    await writes.add(
      () => void store.removePassages(file.id, REMOVED_AT_ONCE),
      passages * REMOVAL_CHARS,
    );
  }
  if (file.sha256 === '') {
    for (let removed = 1; removed > 0; ) {
      await writes.add(() => {
        removed = store.removePassages(file.id, REMOVED_AT_ONCE);
      }, Number.POSITIVE_INFINITY);
    }
  }
}

/** The problem of one file, for the user. Rethrows what concerns the index and its disk. */
function problemOf(error: unknown): string {
  if (error instanceof AppError) {
    if (error.code === 'FILE_TOO_LARGE' || error.code === 'LIBRARY_UNREADABLE')
      return error.message;
    throw error;
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return 'The app has no permission to read it.';
  if (code === 'ELOOP') return 'It has become a symbolic link, and links are not followed.';
  if (code !== undefined) return `It cannot be read (${code}).`;
  throw error;
}
