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
import { searchLibrary } from './library-search.ts';
import { putVectors, removeOthers, unembedded } from './passage-vectors.ts';
import { VectorPages } from './vector-pages.ts';

/**
 * The thread that owns the index: it reads the folders, writes and searches. Whatever a folder or a file
 * costs, it costs this thread. Searches have their turn between two steps of the indexing.
 */
const port = parentPort;
if (port === null) throw new Error('This file is the start of a thread.');

/** The window is told of progress less often than that. */
const PROGRESS_MS = 100;

const { root, ...place } = workerData as IndexPlace;
const documents = new DocumentReader(root);
const atWork = new Map<number, { readonly stop: AbortController; readonly done: Promise<void> }>();
let opened: Opened | null = null;

interface Opened {
  readonly connection: Connection;
  readonly store: LibraryStore;
  readonly vectors: VectorPages;
}

/** By the first call: what goes wrong is the answer to it. */
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

type Answers = {
  readonly [Name in IndexCall]: (
    input: IndexInput<Name>,
    scope: Scope,
  ) => Promise<IndexOutput<Name>>;
};

const say = (message: FromIndex): void => port.postMessage(message);

const answers: Answers = {
  look: ({ folder, except, maxFiles }, { store, ...scope }) => {
    const onUnread = (file: string, error: unknown): void =>
      say({ kind: 'unread', file, why: told(error).message });
    const parts = { store, documents, clock: systemClock, maxFiles, onUnread };
    return indexFolder(folder, parts, { ...scope, except });
  },
  forget: ({ folder }, { store, signal }) => forgetFolder(folder, store, signal),
  search: (query, { store, vectors, signal }) =>
    searchLibrary({ store, vectors }, { ...query, signal }),
  read: async ({ key }, { store }) => {
    const file = store.fileByKey(key);
    if (file === null || file.passages === 0) return null;
    return { folder: file.folder, title: file.title, text: store.textOf(file.id) };
  },
  unembedded: async (page, { store }) => unembedded(store, page),
  putVectors: (given, { store }) => putVectors(store, given),
  removeOthers: ({ model }, { store, signal }) => removeOthers(store, model, signal),
};

port.on('message', (message: ToIndex) => {
  switch (message.kind) {
    case 'call': {
      const stop = new AbortController();
      const done = answer(message, stop.signal).finally(() => atWork.delete(message.id));
      atWork.set(message.id, { stop, done });
      return;
    }
    case 'abort':
      atWork.get(message.id)?.stop.abort();
      return;
    case 'close':
      void close();
      return;
  }
});

async function answer(
  { id, name, input }: ToIndex & { kind: 'call' },
  signal: AbortSignal,
): Promise<void> {
  try {
    // An abort that was sent right behind it comes first.
    await nextTurn();
    signal.throwIfAborted();
    const work = answers[name] as (given: unknown, scope: Scope) => Promise<unknown>;
    const scope: Scope = { ...open(), signal, onProgress: teller(id) };
    say({ kind: 'done', id, output: await work(input, scope) });
  } catch (error) {
    say({ kind: 'failed', id, failure: told(error) });
  }
}

/** Ten thousand small files are not ten thousand messages. */
function teller(id: number): Scope['onProgress'] {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    say({ kind: 'progress', id, progress });
  };
}

async function close(): Promise<void> {
  for (const { stop } of atWork.values()) stop.abort();
  await Promise.all([...atWork.values()].map(({ done }) => done));
  await documents[Symbol.asyncDispose]();
  opened?.vectors.clear();
  if (!place.readOnly) opened?.connection.pragma('wal_checkpoint(TRUNCATE)');
  opened?.connection.close();
  port?.close();
}

function told(error: unknown): Failure {
  if (error instanceof AppError) {
    const { code, message, details, stack } = error;
    return { code, message, details, stack };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: null, message, details: {}, stack };
}
