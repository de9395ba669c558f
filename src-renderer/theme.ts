import { FONT_SIZE } from '#contract/limits.ts';
import type { Settings } from '#contract/settings.ts';
import { languageOf, showLanguage, shownLanguage } from './language.ts';
import type { AppState } from './store/app-state.ts';
import type { Store } from './store/store.ts';

const KEY = 'hyperagent.appearance';
const LANGUAGE_KEY = 'hyperagent.language';

type Look = Pick<Settings, 'appearance' | 'fontSize' | 'density'>;

/** Applies what this browser last showed, because the first frame is drawn before the settings arrive. */
export function applyStoredLook(): void {
  const [appearance, fontSize, density] = (localStorage.getItem(KEY) ?? '').split(' ');
  const size = Number(fontSize);
  apply({
    appearance: appearance === 'light' || appearance === 'dark' ? appearance : 'system',
    fontSize: size >= FONT_SIZE.min && size <= FONT_SIZE.max ? size : FONT_SIZE.usual,
    density: density === 'compact' ? density : 'comfortable',
  });
}

/** Applies the look of the settings whenever it changes, in this window or in another, and remembers it. */
export function followLook(store: Store<AppState>): void {
  let shown = '';
  store.subscribe(() => {
    const { settings } = store.get();
    if (settings === null) return;
    const look = [settings.appearance, settings.fontSize, settings.density].join(' ');
    if (look === shown) return;
    shown = look;
    apply(settings);
    localStorage.setItem(KEY, look);
  });
}

/** Loads the words that this browser last showed. To be awaited before any module with words is imported. */
export async function applyStoredLanguage(): Promise<void> {
  const language = languageOf(localStorage.getItem(LANGUAGE_KEY), navigator.languages);
  if (language === 'en') return;
  try {
    const { chinese } = await import('./strings/zh-Hans/index.ts');
    showLanguage(language, chinese);
    document.documentElement.lang = language;
  } catch (cause) {
    // A window in English is of more use than none.
    console.error(`The words of ${language} could not be loaded.`, cause);
  }
}

/**
 * Loads the window again when the language of the settings changes, in this window or in another: words are read as
 * modules load. What was typed is kept by the drafts, and a run goes on in main.
 */
export function followLanguage(store: Store<AppState>): void {
  let followed: Settings['language'] | null = null;
  store.subscribe(() => {
    const { settings } = store.get();
    if (settings === null || settings.language === followed) return;
    const isFirst = followed === null;
    followed = settings.language;
    // The start tried this one already: if it could not be loaded, loading again would never end.
    if (isFirst && localStorage.getItem(LANGUAGE_KEY) === followed) return;
    localStorage.setItem(LANGUAGE_KEY, followed);
    if (languageOf(followed, navigator.languages) !== shownLanguage()) location.reload();
  });
}

function apply({ appearance, fontSize, density }: Look): void {
  const { dataset, style } = document.documentElement;
  dataset.theme = appearance;
  dataset.density = density;
  // A share, so that a text size which the user chose for all pages of the browser still counts.
  style.fontSize = fontSize === FONT_SIZE.usual ? '' : `${(fontSize / FONT_SIZE.usual) * 100}%`;
}
