import { AppError } from '#contract/errors.ts';
import {
  LIBRARY_ISSUES_SHOWN,
  LIBRARY_RESULTS,
  type LibraryHit,
  type LibraryState,
} from '#contract/library.ts';
import type { Settings } from '#contract/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ReadScans } from '../documents/types.ts';
import type { EmbeddingService } from '../models/embeddings/embedding-service.ts';
import type { LibraryReader, SearchResult } from '../search/types.ts';
import type { LibraryCounts } from '../storage/library-counts.ts';
import { isDamage } from '../storage/library-database.ts';
import { keyOfUrl } from './document-url.ts';
import { checkFolder, folderPath, isWithin } from './folder-rules.ts';
import { IndexThread } from './index-thread.ts';
import { LibraryWork, type WorkState } from './library-work.ts';
import { modelName } from './passage-embedding.ts';
import { QueryEmbedder } from './query-embedder.ts';

export interface LibraryParts {
  readonly counts: LibraryCounts;
  readonly embeddings: EmbeddingService;
  readonly settings: () => Settings;
  /** Stores folders that were attached or detached. */
  readonly saveFolders: (folders: readonly string[]) => void;
  readonly dataDir: string;
  /** The app's folder. */
  readonly root: string;
  /** Whether this process may write to the index. */
  readonly readOnly: boolean;
  /** Reads scanned pages for the index. */
  readonly readScans: ReadScans;
  readonly onChange: (state: LibraryState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Limit for the files of one folder. */
  readonly maxFiles?: number;
}

const MAX_FILES = 20_000;
/** Minimum time between two calls of `onChange`. */
const NOTIFY_MS = 250;
const DEFAULT_RESULTS = 10;

/**
 * The folders that the user attached: searches and reads them; see `LibraryReader`. The index is updated
 * in the background, one folder at a time. Disposing interrupts that; the next start continues it.
 */
export class Library implements LibraryReader, AsyncDisposable {
  readonly #parts: LibraryParts;
  readonly #work: LibraryWork;
  readonly #queryEmbedder: QueryEmbedder;
  readonly #index: IndexThread;
  #notifyTimer: NodeJS.Timeout | null = null;
  #lastNotified = Number.NEGATIVE_INFINITY;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
    const { counts, dataDir, readOnly, root, maxFiles = MAX_FILES, logger } = parts;
    this.#index = new IndexThread({
      file: counts.file,
      dataDir,
      readOnly,
      root,
      readScans: parts.readScans,
      onUnread: (file, why) => logger.info('Could not read a file of the library', { file, why }),
    });
    this.#work = new LibraryWork({
      ...parts,
      maxFiles,
      index: this.#index,
      onChange: () => this.#notify(),
    });
    this.#queryEmbedder = new QueryEmbedder(parts.embeddings, (error) =>
      logger.warn('Searched the library without embeddings', { error }),
    );
  }

  get isEmpty(): boolean {
    return this.#folders().every((folder) => this.#parts.counts.countsOf(folder).indexed === 0);
  }

  async search(
    query: string,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly SearchResult[]> {
    const hits = await this.find(query, options);
    return hits.map(({ url, title, snippet, modifiedAt }) => ({
      url,
      title,
      snippet,
      provider: 'library' as const,
      publishedAt: new Date(modifiedAt).toISOString(),
    }));
  }

  /** Like `search`, with the paths of the files. */
  async find(
    query: string,
    {
      limit = DEFAULT_RESULTS,
      signal,
    }: { readonly limit?: number | undefined; readonly signal: AbortSignal },
  ): Promise<LibraryHit[]> {
    const { counts, settings } = this.#parts;
    const folders = new Set(this.#folders());
    if (folders.size === 0) return [];
    const { embeddingModel } = settings();
    const isEmbedded = embeddingModel !== null && counts.vectorCount(modelName(embeddingModel)) > 0;
    const embedding = isEmbedded
      ? await this.#queryEmbedder.embed(query, embeddingModel, signal)
      : null;
    const input = { query, embedding, folders, limit: Math.min(limit, LIBRARY_RESULTS) };
    return await this.#repairIfDamaged(this.#index.call('search', input, { signal }));
  }

  /** Documents with this part of a name or title, the newest first, without a passage. Asks no model. */
  async findByName(
    part: string,
    {
      limit = DEFAULT_RESULTS,
      signal,
    }: { readonly limit?: number | undefined; readonly signal: AbortSignal },
  ): Promise<LibraryHit[]> {
    const folders = this.#folders();
    if (folders.length === 0) return [];
    const input = { part, folders, limit: Math.min(limit, LIBRARY_RESULTS) };
    return await this.#repairIfDamaged(this.#index.call('findByName', input, { signal }));
  }

  async read(url: string, signal: AbortSignal): Promise<{ title: string; text: string }> {
    signal.throwIfAborted();
    const key = this.#folders().length === 0 ? null : keyOfUrl(url);
    const found =
      key === null
        ? null
        : await this.#repairIfDamaged(this.#index.call('read', { key }, { signal }));
    if (found === null || !this.#folders().includes(found.folder)) {
      throw new AppError(
        'NOT_FOUND',
        'The library has no such document. It may have been deleted, or its folder detached.',
      );
    }
    return { title: found.title, text: found.text };
  }

  /** The folders, and the progress of their index. */
  list(): LibraryState {
    const { counts, settings } = this.#parts;
    const model = settings().embeddingModel;
    const passages = counts.passageCount();
    const embedded = model === null ? 0 : counts.vectorCount(modelName(model));
    const { problem, isWorking } = this.#work.embedding;
    const state = problem !== null ? 'failed' : isWorking ? 'working' : 'ready';
    return {
      folders: this.#folders().map((path) => this.#folder(path)),
      embeddings: {
        model,
        passages,
        embedded,
        state: model === null ? 'off' : state,
        problem: model === null ? null : problem,
      },
    };
  }

  /** Attaches a folder. Throws `BAD_REQUEST`, `LIBRARY_UNREADABLE`. */
  async add(text: string): Promise<LibraryState> {
    this.#requireWritable();
    const folder = folderPath(text);
    const { real } = await checkFolder(folder, this.#parts.dataDir);
    const folders = this.#folders();
    if (folders.includes(folder)) return this.refresh(folder);
    for (const other of folders) {
      const attached = await checkFolder(other, this.#parts.dataDir).catch(() => null);
      if (attached !== null && isWithin(real, attached.real)) {
        throw new AppError(
          'BAD_REQUEST',
          `${folder} is already in the library, as part of ${other}.`,
        );
      }
    }
    this.#parts.saveFolders([...folders, folder]);
    this.settingsChanged();
    return this.list();
  }

  /** Detaches a folder: from now on nothing in it is found or read. Throws `NOT_FOUND`. */
  remove(folder: string): LibraryState {
    this.#requireWritable();
    const folders = this.#folders();
    const path = folders.includes(folder) ? folder : folderPath(folder);
    if (!folders.includes(path)) {
      throw new AppError('NOT_FOUND', `${path} is not in the library.`);
    }
    this.#parts.saveFolders(folders.filter((one) => one !== path));
    this.settingsChanged();
    return this.list();
  }

  /** Updates the index of one folder or of all. Throws `NOT_FOUND`. */
  refresh(folder?: string): LibraryState {
    this.#requireWritable();
    const folders = this.#folders();
    if (folder !== undefined && !folders.includes(folder)) {
      throw new AppError('NOT_FOUND', `${folder} is not in the library.`);
    }
    this.#work.index(folder === undefined ? folders : [folder]);
    return this.list();
  }

  /** Call this when the settings have changed: indexes new folders, removes old ones, updates embeddings. */
  settingsChanged(): void {
    if (!this.#parts.readOnly) this.#work.settingsChanged();
  }

  /** Resolves once no background job is left. */
  async settled(): Promise<void> {
    await this.#work.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#notifyTimer !== null) clearTimeout(this.#notifyTimer);
    await this.#work[Symbol.asyncDispose]();
    await this.#queryEmbedder[Symbol.asyncDispose]();
    await this.#index[Symbol.asyncDispose]();
  }

  #folders(): readonly string[] {
    return this.#parts.settings().libraryFolders;
  }

  #folder(path: string): LibraryState['folders'][number] {
    const counts = this.#parts.counts.countsOf(path);
    const work: WorkState = this.#work.stateOf(path);
    return {
      path,
      state: work.state,
      files: Math.max(work.files, counts.files),
      indexed: counts.indexed,
      problems: counts.problems,
      issues: this.#parts.counts.issuesOf(path, LIBRARY_ISSUES_SHOWN),
      leftOut: work.leftOut,
      reading: work.reading,
      problem: work.problem,
      at: work.at ?? counts.at,
    };
  }

  /** Starts a rebuild if the call failed because the index is damaged. */
  async #repairIfDamaged<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (!this.#parts.readOnly) this.#work.rebuildIndex();
      throw new AppError(
        'LIBRARY_UNREADABLE',
        'The library index is damaged. The app rebuilds it from your folders. Search again when that is done.',
        { cause: error },
      );
    }
  }

  #requireWritable(): void {
    if (!this.#parts.readOnly) return;
    throw new AppError(
      'CONFLICT',
      'The data is open read-only: this process cannot change the library.',
    );
  }

  #notify(): void {
    if (this.#notifyTimer !== null) return;
    const wait = Math.max(0, this.#lastNotified + NOTIFY_MS - performance.now());
    this.#notifyTimer = setTimeout(() => {
      this.#notifyTimer = null;
      this.#lastNotified = performance.now();
      try {
        this.#parts.onChange(this.list());
      } catch (error) {
        // Failing to read the progress must not end the app; the next request reports the cause.
        this.#parts.logger.warn('Could not publish the state of the library', { error });
      }
    }, wait);
    this.#notifyTimer.unref();
  }
}
