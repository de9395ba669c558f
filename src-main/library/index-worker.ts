import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import { systemClock } from '../base/clock.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import type { Connection } from '../storage/connection.ts';
import { openLibraryDatabase } from '../storage/library-database.ts';
import { openLibraryStore } from '../storage/library-store.ts';
import type { LibraryStore } from '../storage/library-types.ts';
import { type FolderProgress, forgetFolder, indexFolder } from './folder-index.ts';
import type {
  Failure,
  FromIndex,
  IndexCall,
  IndexInput,
  IndexOutput,
  IndexPlace,
  ToIndex,
} from './index-messages.ts';
import { hitOf, searchLibrary } from './library-search.ts';
import { passagesToEmbed, putVectors, removeOtherModels } from './passage-vectors.ts';
import { ScanCalls } from './scan-calls.ts';
import { VectorPages } from './vector-pages.ts';

/**
 * The thread that owns the index: it reads the folders, writes and searches, so that no folder or file
 * can slow down the main thread. Searches run between two steps of the indexing.
 */
const port = parentPort;
if (port === null) throw new Error('This file must run as a worker thread.');

/** Minimum time between two reports of progress. */
const PROGRESS_MS = 100;

const { root, ...place } = workerData as IndexPlace;
const scans = new ScanCalls((message) => post(message));
const documents = new DocumentReader(root, {}, scans.read);
const running = new Map<number, { readonly stop: AbortController; readonly done: Promise<void> }>();
let opened: Opened | null = null;

interface Opened {
  readonly connection: Connection;
  readonly store: LibraryStore;
  readonly vectors: VectorPages;
}

/** Opens on the first call, which then fails if the index cannot be opened. */
function open(): Opened {
  if (opened !== null) return opened;
  const connection = openLibraryDatabase(place);
  const store = openLibraryStore(connection);
  opened = { connection, store, vectors: new VectorPages(store) };
  return opened;
}

interface Scope extends Opened {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FolderProgress) => void;
}

type Handlers = {
  readonly [Name in IndexCall]: (
    input: IndexInput<Name>,
    scope: Scope,
  ) => Promise<IndexOutput<Name>>;
};

const post = (message: FromIndex): void => port.postMessage(message);

const handlers: Handlers = {
  indexFolder: ({ folder, except, maxFiles }, { store, ...scope }) => {
    const onUnread = (file: string, error: unknown): void =>
      post({ kind: 'unread', file, why: toFailure(error).message });
    const parts = { store, documents, clock: systemClock, maxFiles, onUnread };
    return indexFolder(folder, parts, { ...scope, except });
  },
  forgetFolder: ({ folder }, { store, signal }) => forgetFolder(folder, store, signal),
  search: (query, { store, vectors, signal }) =>
    searchLibrary({ store, vectors }, { ...query, signal }),
  findByName: async (query, { store }) => store.filesNamed(query).map((file) => hitOf(file, '')),
  read: async ({ key }, { store }) => {
    const file = store.fileByKey(key);
    if (file === null || file.passages === 0) return null;
    return { folder: file.folder, title: file.title, text: store.textOf(file.id) };
  },
  passagesToEmbed: async (page, { store }) => passagesToEmbed(store, page),
  putVectors: (given, { store }) => putVectors(store, given),
  removeOtherModels: ({ model }, { store, signal }) => removeOtherModels(store, model, signal),
};

port.on('message', (message: ToIndex) => {
  switch (message.kind) {
    case 'call': {
      const stop = new AbortController();
      const done = handle(message, stop.signal).finally(() => running.delete(message.id));
      running.set(message.id, { stop, done });
      return;
    }
    case 'abort':
      running.get(message.id)?.stop.abort();
      return;
    case 'scan_page':
    case 'scanned':
    case 'scan_failed':
      scans.receive(message);
      return;
    case 'close':
      void close();
      return;
  }
});

async function handle(
  { id, name, input }: ToIndex & { kind: 'call' },
  signal: AbortSignal,
): Promise<void> {
  try {
    // Lets an abort that follows immediately take effect first.
    await nextTurn();
    signal.throwIfAborted();
    const handler = handlers[name] as (input: unknown, scope: Scope) => Promise<unknown>;
    const scope: Scope = { ...open(), signal, onProgress: progressReporter(id) };
    post({ kind: 'done', id, output: await handler(input, scope) });
  } catch (error) {
    post({ kind: 'failed', id, failure: toFailure(error) });
  }
}

/** Throttles progress: ten thousand small files must not become ten thousand messages. */
function progressReporter(id: number): Scope['onProgress'] {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    post({ kind: 'progress', id, progress });
  };
}

async function close(): Promise<void> {
  for (const { stop } of running.values()) stop.abort();
  await Promise.all([...running.values()].map(({ done }) => done));
  await documents[Symbol.asyncDispose]();
  opened?.vectors.clear();
  if (!place.readOnly) opened?.connection.pragma('wal_checkpoint(TRUNCATE)');
  opened?.connection.close();
  port?.close();
}

function toFailure(error: unknown): Failure {
  if (error instanceof AppError) {
    const { code, message, details, stack } = error;
    return { code, message, details, stack };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: null, message, details: {}, stack };
}
