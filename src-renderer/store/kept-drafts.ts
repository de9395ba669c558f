import { type AppState, EMPTY_DRAFT } from './app-state.ts';
import { isFileDraft, isFileDraftName } from './file-draft.ts';
import type { Store } from './store.ts';

const KEY = 'hyperagent.drafts';
const FILES_KEY = 'hyperagent.fileDrafts';
/** Longer drafts, and more of them, live in the open page only. */
const MOST_CHARS = 100_000;
const MOST_DRAFTS = 50;

/** Keeps the text of drafts over a reload of the page, in the storage of this window alone. */
export function keepDrafts(store: Store<AppState>, storage: Storage): void {
  const texts = read(storage.getItem(KEY), (value) => typeof value === 'string');
  if (texts.length > 0) {
    store.update((state) => {
      const drafts = new Map(state.drafts);
      for (const [key, text] of texts) {
        if (!drafts.has(key)) drafts.set(key, { ...EMPTY_DRAFT, text });
      }
      return { ...state, drafts };
    });
  }
  let last = store.get().drafts;
  store.subscribe(() => {
    const { drafts } = store.get();
    if (drafts === last) return;
    last = drafts;
    const kept = [...drafts]
      .flatMap(([key, { text }]) => (text.trim() === '' ? [] : [[key, text] as const]))
      .filter(([, text]) => text.length <= MOST_CHARS)
      .slice(-MOST_DRAFTS);
    write(storage, KEY, kept);
  });
}

/** Characters of all files together, with what they were; what is over lives in the open page only. */
const MOST_FILE_CHARS = 2_000_000;
/** More than this are stored after a pause: each key pressed would hold the window. */
const STORED_AT_ONCE = 200_000;
const PAUSE_MS = 300;

/** The same for files that are being edited; nothing else of `kept` is stored. */
export function keepFileDrafts(kept: Store<ReadonlyMap<string, unknown>>, storage: Storage): void {
  const drafts = read(storage.getItem(FILES_KEY), isFileDraft);
  if (drafts.length > 0) kept.update((before) => new Map([...before, ...drafts]));
  let last: readonly unknown[] = drafts.map(([, draft]) => draft);
  let timer: ReturnType<typeof setTimeout> | undefined;
  kept.subscribe(() => {
    let chars = 0;
    const now = [...kept.get()].filter(([name, value]) => {
      if (!isFileDraftName(name) || !isFileDraft(value)) return false;
      const size = value.text.length + value.saved.length;
      if (chars + size > MOST_FILE_CHARS) return false;
      chars += size;
      return true;
    });
    const values = now.map(([, draft]) => draft);
    if (values.length === last.length && values.every((one, at) => one === last[at])) return;
    last = values;
    clearTimeout(timer);
    if (chars <= STORED_AT_ONCE) write(storage, FILES_KEY, now);
    else timer = setTimeout(() => write(storage, FILES_KEY, now), PAUSE_MS);
  });
}

function write(storage: Storage, key: string, entries: readonly unknown[]): void {
  try {
    storage.setItem(key, JSON.stringify(entries));
  } catch (error) {
    console.warn('A draft does not survive a reload: the storage of this page is full', error);
  }
}

function read<Value>(
  stored: string | null,
  isValue: (value: unknown) => value is Value,
): readonly (readonly [string, Value])[] {
  try {
    const entries: unknown = JSON.parse(stored ?? '[]');
    const isEntry = (entry: unknown): entry is readonly [string, Value] =>
      Array.isArray(entry) &&
      entry.length === 2 &&
      typeof entry[0] === 'string' &&
      isValue(entry[1]);
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    // Written by another version, or by nobody of ours: drafts begin empty.
    return [];
  }
}
