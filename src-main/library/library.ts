import type { Settings } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import {
  LIBRARY_ISSUES_SHOWN,
  LIBRARY_RESULTS,
  type LibraryHit,
  type LibraryState,
} from '#contract/library.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EmbeddingService } from '../models/embeddings/embedding-service.ts';
import type { LibraryReader, SearchResult } from '../search/types.ts';
import type { LibraryCounts } from '../storage/library-counts.ts';
import { isDamage } from '../storage/library-database.ts';
import { keyOfUrl } from './document-url.ts';
import { checkFolder, folderPath, isWithin } from './folder-rules.ts';
import { IndexThread } from './index-thread.ts';
import { LibraryWork, type WorkState } from './library-work.ts';
import { modelName } from './passage-embedding.ts';
import { QueryMeaning } from './query-meaning.ts';

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
  readonly onChange: (state: LibraryState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Most files of one folder. */
  readonly maxFiles?: number;
}

const MAX_FILES = 20_000;
/** Windows are told of progress this often at most. */
const TELL_MS = 250;
const USUAL_RESULTS = 10;

/**
 * The folders that the person attached, as they can be searched and read; see `LibraryReader`. The index
 * is kept up in the background, one folder at a time. Disposing stops it where it is.
 */
export class Library implements LibraryReader, AsyncDisposable {
  readonly #parts: LibraryParts;
  readonly #work: LibraryWork;
  readonly #meaning: QueryMeaning;
  readonly #index: IndexThread;
  #telling: NodeJS.Timeout | null = null;
  #lastTold = Number.NEGATIVE_INFINITY;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
    const { counts, dataDir, readOnly, root, maxFiles = MAX_FILES, logger } = parts;
    this.#index = new IndexThread({
      ...{ file: counts.file, dataDir, readOnly, root },
      onUnread: (file, why) => logger.info('A file of the library was not read', { file, why }),
    });
    this.#work = new LibraryWork({
      ...{ ...parts, maxFiles, index: this.#index, onChange: () => this.#tell() },
    });
    this.#meaning = new QueryMeaning(parts.embeddings, (error) =>
      logger.warn('A search of the library did without embeddings', { error }),
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
      ...{ url, title, snippet, provider: 'library' as const },
      publishedAt: new Date(modifiedAt).toISOString(),
    }));
  }

  /** As `search`, with where the files are. */
  async find(
    query: string,
    {
      limit = USUAL_RESULTS,
      signal,
    }: { readonly limit?: number | undefined; readonly signal: AbortSignal },
  ): Promise<LibraryHit[]> {
    const { counts, settings } = this.#parts;
    const folders = new Set(this.#folders());
    if (folders.size === 0) return [];
    const { embeddingModel } = settings();
    const isEmbedded = embeddingModel !== null && counts.vectorCount(modelName(embeddingModel)) > 0;
    const meaning = isEmbedded ? await this.#meaning.of(query, embeddingModel, signal) : null;
    const asked = { query, meaning, folders, limit: Math.min(limit, LIBRARY_RESULTS) };
    return await this.#asked(this.#index.call('search', asked, { signal }));
  }

  async read(url: string, signal: AbortSignal): Promise<{ title: string; text: string }> {
    signal.throwIfAborted();
    const key = this.#folders().length === 0 ? null : keyOfUrl(url);
    const found =
      key === null ? null : await this.#asked(this.#index.call('read', { key }, { signal }));
    if (found === null || !this.#folders().includes(found.folder)) {
      throw new AppError(
        'NOT_FOUND',
        'There is no such document in the library. It may have been removed, or its folder detached.',
      );
    }
    return { title: found.title, text: found.text };
  }

  /** The folders and how far they are. */
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
        ...{ model, passages, embedded },
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
        throw new AppError('BAD_REQUEST', `${folder} is in the library already, with ${other}.`);
      }
    }
    this.#parts.saveFolders([...folders, folder]);
    this.settingsChanged();
    return this.list();
  }

  /** Detaches a folder: from now on nothing of it is found or read. Throws `NOT_FOUND`. */
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

  /** Looks for what changed, in one folder or in all. Throws `NOT_FOUND`. */
  refresh(folder?: string): LibraryState {
    this.#requireWritable();
    const folders = this.#folders();
    if (folder !== undefined && !folders.includes(folder)) {
      throw new AppError('NOT_FOUND', `${folder} is not in the library.`);
    }
    this.#work.look(folder === undefined ? folders : [folder]);
    return this.list();
  }

  /** To be called when the settings changed: takes new folders in, lets go of old ones, embeds anew. */
  settingsChanged(): void {
    if (!this.#parts.readOnly) this.#work.settingsChanged();
  }

  /** Once nothing is left to do. */
  async settled(): Promise<void> {
    await this.#work.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#telling !== null) clearTimeout(this.#telling);
    await this.#work[Symbol.asyncDispose]();
    await this.#meaning[Symbol.asyncDispose]();
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
      problem: work.problem,
      at: work.at ?? counts.at,
    };
  }

  async #asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (!this.#parts.readOnly) this.#work.indexDamaged();
      throw new AppError(
        'LIBRARY_UNREADABLE',
        'The index of the library is damaged. It is made anew from your folders, and can be searched again after that.',
        { cause: error },
      );
    }
  }

  #requireWritable(): void {
    if (!this.#parts.readOnly) return;
    throw new AppError(
      'CONFLICT',
      'This process only looks at the data: it cannot change the library.',
    );
  }

  #tell(): void {
    if (this.#telling !== null) return;
    const wait = Math.max(0, this.#lastTold + TELL_MS - performance.now());
    this.#telling = setTimeout(() => {
      this.#telling = null;
      this.#lastTold = performance.now();
      try {
        this.#parts.onChange(this.list());
      } catch (error) {
        // Progress that cannot be read is no reason to end the app; the next request says why.
        this.#parts.logger.warn('The state of the library was not told', { error });
      }
    }, wait);
    this.#telling.unref();
  }
}
