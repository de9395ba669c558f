import type { AppState, TaskApp } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../base/abort.ts';
import type { Logger } from '../base/logger.ts';
import { withPreview } from '../browser/preview-egress.ts';
import type { BrowserService } from '../browser/types.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import { type AppPictureStore, contentOf } from '../storage/app-picture-store.ts';
import type { MessageReader, SnapshotStore, StoredSnapshot } from '../storage/types.ts';
import { NO_NETWORK } from './check-app.ts';
import type { AppService } from './types.ts';

/** The newest states that are shown. */
const MOST_STATES = 40;
const PROMPT_CHARS = 200;
/** A small picture that is larger is none of a page as people make them. */
const MOST_BYTES = 500_000;

export interface AppStatesParts {
  readonly snapshots: Pick<SnapshotStore, 'list' | 'newest' | 'get'>;
  readonly changedSinceNewest: WorkspaceSnapshots['changedSinceNewest'];
  readonly pictures: AppPictureStore;
  readonly messages: Pick<MessageReader, 'listOfThread'>;
  /** The run that a run's turn belongs to: see `turnOfRun`. */
  readonly turnOf: (runId: string) => string;
  readonly apps: Pick<AppService, 'state' | 'preview' | 'stale'>;
  readonly takePicture: BrowserService['picture'];
  readonly onChange: (app: TaskApp) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** The states of the app of each task: what it was after each turn, what it looked like, and which one it is now. */
export class AppStates implements AsyncDisposable {
  readonly #parts: AppStatesParts;
  readonly #closing = new AbortController();
  /** Tasks whose app is being looked at. */
  readonly #looking = new Map<string, Promise<void>>();
  /** Those that changed meanwhile. */
  readonly #lookAgain = new Set<string>();
  /** Snapshots of which no picture could be taken, by their task. */
  readonly #failed = new Map<string, string>();

  constructor(parts: AppStatesParts) {
    this.#parts = parts;
  }

  /** In the order in which they came to be. */
  async list(threadId: string): Promise<AppState[]> {
    const { snapshots, pictures, messages, changedSinceNewest, turnOf } = this.#parts;
    const changes = await changedSinceNewest(threadId);
    const stored = snapshots.list(threadId);
    const states = statesOf(stored.toReversed(), turnOf);
    const pictured = pictures.pictured(threadId);
    const prompts = new Map<string, string>();
    for (const { runId, role, content } of messages.listOfThread(threadId)) {
      if (role === 'user' && runId !== null) prompts.set(runId, content);
    }
    const [newest] = stored;
    const now = newest !== undefined && changes?.length === 0 ? contentOf(newest) : null;
    return states.slice(-MOST_STATES).map(({ snapshot, by, turn, since }): AppState => {
      const { id: snapshotId, at } = snapshot;
      const content = contentOf(snapshot);
      return {
        ...{ snapshotId, at, by, since },
        prompt: by === 'turn' && turn !== null ? firstLine(prompts.get(turn)) : null,
        isCurrent: content === now,
        hasPicture: pictured.has(content),
      };
    });
  }

  /** As JPEG. Throws `NOT_FOUND`. */
  picture(threadId: string, snapshotId: string): Uint8Array {
    const { pictures, snapshots } = this.#parts;
    const jpeg = pictures.get(threadId, contentOf(snapshots.get(threadId, snapshotId)));
    if (jpeg === null) throw new AppError('NOT_FOUND', 'There is no picture of this state.');
    return jpeg;
  }

  /** Looks at the app when its server runs; what failed before is tried again when it was started again. */
  appChanged({ threadId, server }: TaskApp): void {
    if (server === 'running') this.look(threadId);
    else this.#failed.delete(threadId);
  }

  /**
   * Takes a picture of the app as it is now, unless there is one, its server does not run, or its files are being
   * changed. Never throws: a state without a picture can be gone back to as well.
   */
  look(threadId: string): void {
    if (this.#closing.signal.aborted) return;
    if (this.#looking.has(threadId)) {
      this.#lookAgain.add(threadId);
      return;
    }
    const looking = this.#look(threadId)
      .catch((error) => {
        const { logger } = this.#parts;
        const level = isAbortError(error) || error instanceof AppError ? 'info' : 'warn';
        logger[level]('No picture of an app was taken', { threadId, error });
      })
      .finally(() => {
        this.#looking.delete(threadId);
        if (this.#lookAgain.delete(threadId)) this.look(threadId);
      });
    this.#looking.set(threadId, looking);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#looking.values());
  }

  async #look(threadId: string): Promise<void> {
    const { apps, pictures, takePicture, onChange } = this.#parts;
    const { previewUrl: url } = apps.state(threadId);
    const preview = apps.preview(threadId);
    if (url === null || preview === null) return;
    const state = await this.#stateToShow(threadId);
    if (state === null || this.#failed.get(threadId) === state.id) return;
    this.#failed.set(threadId, state.id);
    const { signal } = this.#closing;
    // A server that still has the files of the turn before would be shown as this one.
    if ((await apps.stale(threadId, signal)).length > 0) return;
    const jpeg = await takePicture({
      ...{ url, signal },
      egress: withPreview(NO_NETWORK, () => preview),
    });
    if (jpeg.length > MOST_BYTES) return;
    this.#failed.delete(threadId);
    // Whatever changed it meanwhile may be in the picture.
    const after = await this.#stateToShow(threadId);
    if (after?.id !== state.id) return;
    pictures.put(threadId, contentOf(state), jpeg);
    onChange(apps.state(threadId));
  }

  /** The snapshot that is what the files are now, and that no picture shows; null where there is none. */
  async #stateToShow(threadId: string): Promise<StoredSnapshot | null> {
    const { snapshots, pictures, changedSinceNewest } = this.#parts;
    const changes = await changedSinceNewest(threadId);
    const newest = snapshots.newest(threadId);
    if (newest === null || changes?.length !== 0) return null;
    return pictures.pictured(threadId).has(contentOf(newest)) ? null : newest;
  }
}

interface StateOfFiles {
  /** What goes back to it. */
  readonly snapshot: StoredSnapshot;
  readonly by: AppState['by'];
  /** The run that its turn began with; null for no turn. */
  readonly turn: string | null;
  readonly since: string | null;
}

/**
 * The last snapshot of each turn, and those of what the user did between turns; of the same files only the first. Oldest
 * first, as given.
 */
function statesOf(
  snapshots: readonly StoredSnapshot[],
  turnOf: AppStatesParts['turnOf'],
): StateOfFiles[] {
  const last = new Map<string, StateOfFiles>();
  for (const [index, snapshot] of snapshots.entries()) {
    const { id, cause, runId, files } = snapshot;
    if (files === 0) continue;
    const by = origin(snapshot);
    const turn = by === 'turn' && runId !== null ? turnOf(runId) : null;
    const part = turn ?? (cause === 'step' ? `${runId} ${by}` : id);
    const before = snapshots[index - 1];
    const previous = before === undefined || before.files === 0 ? null : before.id;
    const since = last.has(part) ? (last.get(part)?.since ?? null) : previous;
    // A later one of the same turn has its place in the order too.
    last.delete(part);
    last.set(part, { snapshot, by, turn, since });
  }
  const byContent = Map.groupBy(last.values(), ({ snapshot }) => contentOf(snapshot));
  return [...byContent.values()].flatMap((same) => same.slice(0, 1));
}

function origin({ cause, seq }: StoredSnapshot): AppState['by'] {
  if (cause === 'restore') return 'restore';
  // Before the first step of a run: what came with the turn, or changed since the one before.
  return cause === 'before_restore' || seq === 0 ? 'user' : 'turn';
}

function firstLine(prompt: string | undefined): string | null {
  const [line = ''] = (prompt ?? '').trim().split('\n', 1);
  // The cut may have left half a character.
  const text = line.slice(0, PROMPT_CHARS).replace(/\p{Cs}/gu, '');
  return text === '' ? null : text;
}
