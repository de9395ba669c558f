import type { SnapshotChange } from '#contract/workspace.ts';
import type { StoredUserEdit, UserEdit, UserEditStore } from '../storage/user-edit-store.ts';
import type { WorkspaceSnapshots } from './snapshots/workspace-snapshots.ts';

/** Most new files that are remembered after one look: a program may have made any number. */
const MOST_CREATED = 200;
/** Caches and builds of tools lie in folders with such names. */
const HIDDEN_FOLDER = /(?:^|\/)\.[^/]+\//;

export interface UserEditsParts {
  readonly store: UserEditStore;
  readonly snapshots: Pick<WorkspaceSnapshots, 'changedSinceNewest'>;
  /** Whether a task has a file of this path now. */
  readonly isThere: (threadId: string, path: string) => Promise<boolean>;
}

type Change = Pick<SnapshotChange, 'path' | 'kind'>;

/** What was changed in the files of tasks beside the calls of the model, until the model has seen it. */
export class UserEdits {
  readonly #parts: UserEditsParts;
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(parts: UserEditsParts) {
    this.#parts = parts;
  }

  /** The user changed a file in this app. */
  saved(threadId: string, change: Change): void {
    const before = this.#parts.store.list(threadId).find(({ path }) => path === change.path);
    this.#put(threadId, { change, source: 'user', before });
    for (const listener of this.#listeners.get(threadId) ?? []) listener();
  }

  /**
   * Looks for files that differ from the newest snapshot, and remembers them: before a run of the task begins, or
   * goes on, only its user, or a program that runs in the background, can have changed them. Forgets what does not hold
   * any more. `added`: files and folders that came with the turn, which names them itself.
   */
  async look(threadId: string, added: readonly string[]): Promise<void> {
    const { store, snapshots, isThere } = this.#parts;
    const found = (await snapshots.changedSinceNewest(threadId)) ?? [];
    const isAdded = (path: string): boolean =>
      added.some((one) => path === one || path.startsWith(`${one}/`));
    const edits = found.filter(({ path }) => !HIDDEN_FOLDER.test(path) && !isAdded(path));
    const created = edits.filter(({ kind }) => kind === 'created').slice(0, MOST_CREATED);
    const known = new Map(store.list(threadId).map((edit) => [edit.path, edit]));
    const kept = [...edits.filter(({ kind }) => kind !== 'created'), ...created];
    store.transaction(() => {
      for (const change of kept) {
        this.#put(threadId, { change, source: 'unknown', before: known.get(change.path) });
        known.delete(change.path);
      }
    });
    for (const { id, path, kind } of known.values()) {
      // A program of the model has removed it, or made it again, since.
      if ((await isThere(threadId, path)) === (kind === 'deleted')) store.remove(id);
    }
  }

  /** What the model has not seen: what is certain and what it knew first. */
  unseen(threadId: string): StoredUserEdit[] {
    const rank = ({ source, kind }: UserEdit): number =>
      (source === 'user' ? 0 : 2) + (kind === 'created' ? 1 : 0);
    return this.#parts.store
      .list(threadId)
      .filter(({ seenIn }) => seenIn === null)
      .toSorted((a, b) => rank(a) - rank(b));
  }

  /** Those that no turn of the conversation names. */
  unnamed(threadId: string): StoredUserEdit[] {
    return this.unseen(threadId).filter(({ isNamed }) => !isNamed);
  }

  /** A turn of the conversation names what is unseen; of what is gone there is nothing else to see. */
  named(threadId: string): void {
    const { store } = this.#parts;
    store.markNamed(threadId);
    for (const { id, kind } of store.list(threadId)) if (kind === 'deleted') store.remove(id);
  }

  /** The edits of these files, and of all below these folders. */
  find(threadId: string, paths: readonly string[]): StoredUserEdit[] {
    return this.#parts.store
      .list(threadId)
      .filter((edit) => paths.some((path) => edit.path === path || isBelow(edit.path, path)));
  }

  /**
   * The model was shown the files as these edits left them, by a call of the answer `seenIn`: from its next answer on
   * it knows them. With null, a program knows them at once.
   */
  seen(edits: readonly StoredUserEdit[], seenIn: string | null): void {
    const { store } = this.#parts;
    for (const edit of edits) {
      if (seenIn === null) store.remove(edit.id);
      else if (edit.seenIn === null) store.setSeen(edit.id, seenIn);
    }
  }

  /** Calls `listener` whenever the user changed a file of the task in this app, until it is disposed. */
  onSaved(threadId: string, listener: () => void): Disposable {
    const listeners = this.#listeners.get(threadId) ?? new Set();
    this.#listeners.set(threadId, listeners.add(listener));
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#listeners.delete(threadId);
      },
    };
  }

  #put(
    threadId: string,
    {
      change: { path, kind },
      source,
      before,
    }: {
      readonly change: Change;
      readonly source: UserEdit['source'];
      readonly before: StoredUserEdit | undefined;
    },
  ): void {
    const { store } = this.#parts;
    const unseen = before?.seenIn === null ? before : undefined;
    const now = kindAfter(unseen?.kind, kind);
    if (now === null) {
      if (before !== undefined) store.remove(before.id);
      return;
    }
    store.put(threadId, { path, kind: now, source: unseen?.source === 'user' ? 'user' : source });
  }
}

/** What two changes are to a model that has seen neither; null for nothing. */
function kindAfter(
  before: UserEdit['kind'] | undefined,
  now: UserEdit['kind'],
): UserEdit['kind'] | null {
  switch (before) {
    case undefined:
      return now;
    case 'created':
      return now === 'deleted' ? null : 'created';
    case 'modified':
    case 'deleted':
      return now === 'deleted' ? 'deleted' : 'modified';
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || folder === '.' || path.startsWith(`${folder}/`);
}

/** Most files that the model is named; it can list the others. */
const MOST_NAMED = 12;
const PATH_CHARS = 200;

/** Tells the model what changed. Names are all that it has of the files: whatever is in them is read by its tools. */
export function describeUserEdits(edits: readonly UserEdit[]): string[] {
  if (edits.length === 0) return [];
  // A name that is cut names nothing.
  const short = edits.filter(({ path }) => path.length <= PATH_CHARS);
  const named = short.slice(0, MOST_NAMED).map(({ path, kind, source }) => {
    const by = source === 'user' ? 'by the user' : 'by the user, or by a program that runs';
    return `- ${quoted(`/workspace/${path}`)} (${kind} ${by})`;
  });
  const more = edits.length - named.length;
  return [
    'Files changed after you last saw them. Read them again before you rely on them, and keep what was changed:',
    ...named,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

/** On one line, whatever it is: a name must not look like something that the app says. */
function quoted(name: string): string {
  return JSON.stringify(name).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
