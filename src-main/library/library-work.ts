import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, toErrorEnvelope } from '#contract/errors.ts';
import { isDamage } from '../storage/library-database.ts';
import type { FolderFindings, ReadingPage } from './folder-index.ts';
import { checkFolder } from './folder-rules.ts';
import type { IndexThread } from './index-thread.ts';
import type { LibraryParts } from './library.ts';
import { embedPassages, modelName } from './passage-embedding.ts';

/** The state of a folder, as far as this process knows. */
export interface WorkState {
  readonly state: 'waiting' | 'looking' | 'indexing' | 'ready' | 'unreadable';
  readonly files: number;
  readonly leftOut: number;
  /** The page of a scan that is being read. */
  readonly reading: ReadingPage | null;
  readonly problem: string | null;
  /** When this process last indexed it. */
  readonly at: number | null;
}

export interface LibraryWorkParts
  extends Pick<
    LibraryParts,
    'counts' | 'embeddings' | 'settings' | 'dataDir' | 'clock' | 'logger'
  > {
  readonly index: Pick<IndexThread, 'call' | 'end'>;
  readonly maxFiles: number;
  readonly onChange: () => void;
}

const INITIAL_STATE: WorkState = {
  state: 'ready',
  files: 0,
  leftOut: 0,
  reading: null,
  problem: null,
  at: null,
};

const NAME_CHARS = 200;

type Job =
  | { readonly kind: 'rebuild' }
  | { readonly kind: 'forget'; readonly folder: string }
  | { readonly kind: 'index'; readonly folder: string }
  | { readonly kind: 'embed' };

/**
 * The background jobs of the library, one at a time: removes detached folders from the index, indexes
 * attached and refreshed folders, then makes the missing embeddings.
 */
export class LibraryWork implements AsyncDisposable {
  readonly #parts: LibraryWorkParts;
  readonly #states = new Map<string, WorkState>();
  readonly #due = new Set<string>();
  /** Folders that could not be removed from the index: tried again at the next start, not in a loop. */
  readonly #stuck = new Set<string>();
  /** Rebuilds once: a disk that damages the index again must not cause an endless loop of writes. */
  #rebuild: 'no' | 'due' | 'done' = 'no';
  #embedDue = false;
  #embeddingProblem: string | null = null;
  #model: string | null;
  /** The folders that were attached when the settings were last read. */
  #known: ReadonlySet<string>;
  #current: { readonly job: Job; readonly stop: AbortController } | null = null;
  #running: Promise<void> | null = null;
  #disposed = false;

  constructor(parts: LibraryWorkParts) {
    this.#parts = parts;
    this.#model = this.#modelName();
    this.#known = new Set(this.#attached());
  }

  get embedding(): { readonly problem: string | null; readonly isWorking: boolean } {
    const isRunning = this.#current?.job.kind === 'embed';
    return { problem: this.#embeddingProblem, isWorking: isRunning || this.#embedDue };
  }

  stateOf(folder: string): WorkState {
    return this.#states.get(folder) ?? INITIAL_STATE;
  }

  /** Queues these folders for indexing, and the embeddings that are missing. */
  index(folders: readonly string[]): void {
    for (const folder of folders) {
      this.#due.add(folder);
      this.#set(folder, { ...this.stateOf(folder), state: 'waiting' });
    }
    this.#embeddingProblem = null;
    this.#embedDue = true;
    this.#kick();
  }

  /** Queues the replacement of a damaged index by a new one, made from the folders. */
  rebuildIndex(): void {
    if (this.#rebuild !== 'no') return;
    this.#rebuild = 'due';
    this.#kick();
  }

  settingsChanged(): void {
    const attached = this.#attached();
    const fresh = attached.filter((folder) => !this.#known.has(folder));
    const model = this.#modelName();
    const isOther = model !== this.#model;
    // Most changes of settings do not concern the library.
    if (!isOther && fresh.length === 0 && attached.length === this.#known.size) return;
    this.#known = new Set(attached);
    this.#model = model;
    const job = this.#current?.job;
    const isDetached = job?.kind === 'index' && !attached.includes(job.folder);
    const isReattached = job?.kind === 'forget' && attached.includes(job.folder);
    const isObsolete = isDetached || isReattached || (isOther && job?.kind === 'embed');
    if (isObsolete) this.#current?.stop.abort();
    if (fresh.length > 0 || isOther) this.index(fresh);
    this.#parts.onChange();
    this.#kick();
  }

  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    this.#current?.stop.abort();
    await this.settled();
  }

  #kick(): void {
    if (this.#running !== null || this.#disposed) return;
    this.#running = this.#loop()
      .catch((error: unknown) => {
        // The index itself failed: the jobs stop until the next request.
        this.#parts.logger.error('The background jobs of the library stopped', { error });
      })
      .finally(() => {
        this.#running = null;
        this.#parts.onChange();
      });
  }

  async #loop(): Promise<void> {
    // The call that queued the job returns first.
    await nextTurn();
    for (;;) {
      const job = this.#disposed ? null : this.#next();
      if (job === null) return;
      const stop = new AbortController();
      this.#current = { job, stop };
      try {
        await this.#do(job, stop.signal);
      } catch (error) {
        if (!stop.signal.aborted) this.#failed(job, error);
      } finally {
        this.#current = null;
      }
    }
  }

  #next(): Job | null {
    if (this.#rebuild === 'due') return { kind: 'rebuild' };
    const attached = this.#attached();
    const gone = this.#parts.counts.folders().find((folder) => !attached.includes(folder));
    if (gone !== undefined && !this.#stuck.has(gone)) return { kind: 'forget', folder: gone };
    const [folder] = this.#due;
    if (folder !== undefined) {
      this.#due.delete(folder);
      if (attached.includes(folder)) return { kind: 'index', folder };
      this.#states.delete(folder);
      return this.#next();
    }
    if (!this.#embedDue) return null;
    this.#embedDue = false;
    return { kind: 'embed' };
  }

  async #do(job: Job, signal: AbortSignal): Promise<void> {
    switch (job.kind) {
      case 'rebuild':
        this.#rebuild = 'done';
        await this.#parts.index.end();
        this.#parts.counts.discard();
        this.index(this.#attached());
        return;
      case 'forget':
        this.#states.delete(job.folder);
        await this.#parts.index.call('forgetFolder', { folder: job.folder }, { signal });
        return;
      case 'index':
        await this.#index(job.folder, signal);
        return;
      case 'embed':
        await this.#embed(signal);
        return;
    }
  }

  async #index(folder: string, signal: AbortSignal): Promise<void> {
    const { dataDir, clock, index, maxFiles } = this.#parts;
    const before = this.stateOf(folder);
    this.#set(folder, { ...before, state: 'looking', reading: null, problem: null });
    const checked = await checkFolder(folder, dataDir);
    const others = this.#attached().filter((other) => other !== folder);
    const places = await Promise.all(
      others.map((other) => checkFolder(other, dataDir).catch(() => null)),
    );
    const except = new Set([dataDir, ...places.flatMap((place) => place?.real ?? [])]);
    const input = { folder: checked, except, maxFiles };
    const found = await index.call('indexFolder', input, {
      signal,
      onProgress: ({ state, files, leftOut, reading }) =>
        this.#set(folder, { state, files, leftOut, reading, problem: null, at: before.at }),
    });
    this.#embedDue = true;
    const { files, leftOut } = found;
    const problem = problemOf(found);
    this.#set(folder, { state: 'ready', files, leftOut, reading: null, problem, at: clock.now() });
  }

  async #embed(signal: AbortSignal): Promise<void> {
    const { embeddings, settings, counts, index, onChange } = this.#parts;
    const ref = settings().embeddingModel;
    if (ref === null || counts.vectorCount(modelName(ref)) >= counts.passageCount()) return;
    onChange();
    await using model = await embeddings.open(ref, signal);
    await embedPassages(index, model, { signal, onProgress: onChange });
  }

  #failed(job: Job, error: unknown): void {
    const { logger } = this.#parts;
    // The log gets a bug in full; the user gets a message with what to do.
    const { message } = toErrorEnvelope(error);
    if (!(error instanceof AppError))
      logger.error('A background job of the library failed', { error });
    if (isDamage(error)) this.rebuildIndex();
    switch (job.kind) {
      case 'rebuild':
        logger.warn('Could not delete the damaged library index', { error });
        return;
      case 'forget':
        this.#stuck.add(job.folder);
        logger.warn('Could not remove a detached folder from the library index', { error });
        return;
      case 'index':
        this.#set(job.folder, {
          ...this.stateOf(job.folder),
          state: 'unreadable',
          reading: null,
          problem: message,
        });
        return;
      case 'embed':
        // Not tried again for each passage, only after something has changed.
        this.#embeddingProblem = message;
        logger.warn('Could not make embeddings for the library', { error });
        return;
    }
  }

  #set(folder: string, state: WorkState): void {
    this.#states.set(folder, state);
    this.#parts.onChange();
  }

  #attached(): readonly string[] {
    return this.#parts.settings().libraryFolders;
  }

  #modelName(): string | null {
    const { embeddingModel } = this.#parts.settings();
    return embeddingModel === null ? null : modelName(embeddingModel);
  }
}

/** What the scan missed of a folder, for the user; null if it is complete. */
function problemOf({ incomplete, isTooLarge }: FolderFindings): string | null {
  if (isTooLarge) {
    return 'The folder is too large: its deeper levels are not indexed. Attach the subfolders that you need instead.';
  }
  const [first] = incomplete;
  if (first === undefined) return null;
  const name = first.length > NAME_CHARS ? `${first.slice(0, NAME_CHARS)}…` : first || '.';
  const which =
    incomplete.length === 1 ? `“${name}”` : `${incomplete.length} subfolders, such as “${name}”`;
  return `The app cannot read ${which}. Check the permissions of the folder.`;
}
