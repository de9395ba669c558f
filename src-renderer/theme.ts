import type { Settings } from '#contract/entities.ts';
import type { AppState } from './store/app-state.ts';
import type { Store } from './store/store.ts';

const KEY = 'hyperagent.appearance';

/**
 * Applies the theme of the settings. The last one is also stored in the browser, because the first
 * frame is drawn before the settings arrive.
 */
export function followAppearance(store: Store<AppState>): void {
  apply(localStorage.getItem(KEY) ?? 'system');
  let shown: Settings['appearance'] | null = null;
  store.subscribe(() => {
    const appearance = store.get().settings?.appearance ?? null;
    if (appearance === null || appearance === shown) return;
    shown = appearance;
    apply(appearance);
    localStorage.setItem(KEY, appearance);
  });
}

function apply(appearance: string): void {
  const known = appearance === 'light' || appearance === 'dark' ? appearance : 'system';
  document.documentElement.dataset.theme = known;
}
