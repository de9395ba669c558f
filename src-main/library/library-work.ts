import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, toErrorEnvelope } from '#contract/errors.ts';
import { isDamage } from '../storage/library-database.ts';
import type { FolderFindings } from './folder-index.ts';
import { checkFolder } from './folder-rules.ts';
import type { IndexThread } from './index-thread.ts';
import type { LibraryParts } from './library.ts';
import { embedPassages, modelName } from './passage-embedding.ts';

/** How far a folder is, as far as this process knows. */
export interface WorkState {
  readonly state: 'waiting' | 'looking' | 'indexing' | 'ready' | 'unreadable';
  readonly files: number;
  readonly leftOut: number;
  readonly problem: string | null;
  /** When it was last looked through by this process. */
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

const REST: WorkState = { state: 'ready', files: 0, leftOut: 0, problem: null, at: null };

const NAME_CHARS = 200;

type Job =
  | { readonly kind: 'rebuild' }
  | { readonly kind: 'forget'; readonly folder: string }
  | { readonly kind: 'look'; readonly folder: string }
  | { readonly kind: 'embed' };

/**
 * What is done in the background, one thing after the other: folders that were detached are forgotten,
 * folders that were attached or should be looked at are indexed, and then embeddings are made.
 */
export class LibraryWork implements AsyncDisposable {
  readonly #parts: LibraryWorkParts;
  readonly #states = new Map<string, WorkState>();
  readonly #due = new Set<string>();
  /** Folders that could not be forgotten: tried again at the next start, not for ever. */
  readonly #stuck = new Set<string>();
  /** Once: a disk that damages it again is not written to for ever. */
  #rebuild: 'no' | 'due' | 'done' = 'no';
  #embedDue = false;
  #embeddingProblem: string | null = null;
  #model: string | null;
  /** Attached when the settings were last looked at. */
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
    const isAtWork = this.#current?.job.kind === 'embed';
    return { problem: this.#embeddingProblem, isWorking: isAtWork || this.#embedDue };
  }

  stateOf(folder: string): WorkState {
    return this.#states.get(folder) ?? REST;
  }

  /** Has folders looked through, and embeddings made that are missing. */
  look(folders: readonly string[]): void {
    for (const folder of folders) {
      this.#due.add(folder);
      this.#set(folder, { ...this.stateOf(folder), state: 'waiting' });
    }
    this.#embeddingProblem = null;
    this.#embedDue = true;
    this.#kick();
  }

  /** The index cannot be read: it is thrown away, and made anew from the folders. */
  indexDamaged(): void {
    if (this.#rebuild !== 'no') return;
    this.#rebuild = 'due';
    this.#kick();
  }

  settingsChanged(): void {
    const attached = this.#attached();
    const fresh = attached.filter((folder) => !this.#known.has(folder));
    const model = this.#modelName();
    const isOther = model !== this.#model;
    // Most settings are not the library's business.
    if (!isOther && fresh.length === 0 && attached.length === this.#known.size) return;
    this.#known = new Set(attached);
    this.#model = model;
    const job = this.#current?.job;
    const isDetached = job?.kind === 'look' && !attached.includes(job.folder);
    const isBack = job?.kind === 'forget' && attached.includes(job.folder);
    const isVain = isDetached || isBack || (isOther && job?.kind === 'embed');
    if (isVain) this.#current?.stop.abort();
    if (fresh.length > 0 || isOther) this.look(fresh);
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
        // The index itself failed: nothing goes on until somebody asks again.
        this.#parts.logger.error('The library stopped', { error });
      })
      .finally(() => {
        this.#running = null;
        this.#parts.onChange();
      });
  }

  async #loop(): Promise<void> {
    // Whoever asked for it first gets their answer.
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
      if (attached.includes(folder)) return { kind: 'look', folder };
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
        this.look(this.#attached());
        return;
      case 'forget':
        this.#states.delete(job.folder);
        await this.#parts.index.call('forget', { folder: job.folder }, { signal });
        return;
      case 'look':
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
    this.#set(folder, { ...before, state: 'looking', problem: null });
    const checked = await checkFolder(folder, dataDir);
    const others = this.#attached().filter((other) => other !== folder);
    const places = await Promise.all(
      others.map((other) => checkFolder(other, dataDir).catch(() => null)),
    );
    const except = new Set([dataDir, ...places.flatMap((place) => place?.real ?? [])]);
    const asked = { folder: checked, except, maxFiles };
    const found = await index.call('look', asked, {
      signal,
      onProgress: ({ state, files, leftOut }) =>
        this.#set(folder, { state, files, leftOut, problem: null, at: before.at }),
    });
    this.#embedDue = true;
    const { files, leftOut } = found;
    const problem = problemOf(found);
    this.#set(folder, { state: 'ready', files, leftOut, problem, at: clock.now() });
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
    // A bug is told in full by the log; the person is told what they can do.
    const { message } = toErrorEnvelope(error);
    if (!(error instanceof AppError)) logger.error('The library failed', { error });
    if (isDamage(error)) this.indexDamaged();
    switch (job.kind) {
      case 'rebuild':
        logger.warn('The damaged index of the library was not removed', { error });
        return;
      case 'forget':
        this.#stuck.add(job.folder);
        logger.warn('A folder of the library was not forgotten', { error });
        return;
      case 'look':
        this.#set(job.folder, {
          ...this.stateOf(job.folder),
          state: 'unreadable',
          problem: message,
        });
        return;
      case 'embed':
        // Once: not with each passage, and not again before something changes.
        this.#embeddingProblem = message;
        logger.warn('Embeddings of the library were not made', { error });
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

/** What was not seen of a folder, for the person; null for nothing. */
function problemOf({ closed, isTooLarge }: FolderFindings): string | null {
  if (isTooLarge) {
    return 'There is too much in it: what lies deeper was not looked at. Attach the folders that matter.';
  }
  const [first] = closed;
  if (first === undefined) return null;
  const name = first.length > NAME_CHARS ? `${first.slice(0, NAME_CHARS)}…` : first || '.';
  const which =
    closed.length === 1 ? `“${name}”` : `${closed.length} folders inside, such as “${name}”`;
  return `The app may not look into ${which}.`;
}
