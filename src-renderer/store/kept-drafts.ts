import { type AppState, EMPTY_DRAFT } from './app-state.ts';
import type { Store } from './store.ts';

const KEY = 'hyperagent.drafts';
/** Longer drafts, and more of them, live in the open page only. */
const MOST_CHARS = 100_000;
const MOST_DRAFTS = 50;

/** Keeps the text of drafts over a reload of the page, in the storage of this window alone. */
export function keepDrafts(store: Store<AppState>, storage: Storage): void {
  const texts = read(storage.getItem(KEY));
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
    try {
      storage.setItem(KEY, JSON.stringify(kept));
    } catch (error) {
      console.warn('A draft does not survive a reload: the storage of this page is full', error);
    }
  });
}

function read(stored: string | null): readonly (readonly [string, string])[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    // Written by another version, or by nobody of ours: drafts begin empty.
    return [];
  }
}

function isEntry(value: unknown): value is readonly [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
  );
}
