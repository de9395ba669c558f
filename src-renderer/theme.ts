import type { Settings } from '#contract/entities.ts';
import { FONT_SIZE } from '#contract/limits.ts';
import type { AppState } from './store/app-state.ts';
import type { Store } from './store/store.ts';

const KEY = 'hyperagent.appearance';

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

function apply({ appearance, fontSize, density }: Look): void {
  const { dataset, style } = document.documentElement;
  dataset.theme = appearance;
  dataset.density = density;
  // A share, so that a text size which the user chose for all pages of the browser still counts.
  style.fontSize = fontSize === FONT_SIZE.usual ? '' : `${(fontSize / FONT_SIZE.usual) * 100}%`;
}
