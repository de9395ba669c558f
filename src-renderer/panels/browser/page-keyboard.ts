import type { BrowserInput } from '#contract/browser.ts';
import { BROWSER_TEXT_CHARS } from '#contract/limits.ts';
import { isMacKeyboard } from '../../commands-context.ts';

/** Two presses of Escape within this time leave the page. */
const LEAVE_WITHIN_MS = 1_000;
/** Keys with which an input method or an accent begins: what they make comes as text. */
const COMPOSING_KEYS = ['Dead', 'Process', 'Unidentified'];

export interface PageKeyboard {
  readonly add: (input: BrowserInput) => void;
  /** The user wants the focus back. */
  readonly onLeave: () => void;
  readonly onTooLong: () => void;
  /** What is selected in the page is wanted on the clipboard; `cuts`: and no longer in the page. */
  readonly onCopy: (cuts: boolean) => void;
}

/**
 * Passes keys, pasted texts and what input methods compose on to a page, until the returned function is called.
 * `field` has the focus meanwhile, and holds text only while it is composed.
 */
export function listenToKeyboard(field: HTMLTextAreaElement, keyboard: PageKeyboard): () => void {
  const { add } = keyboard;
  /** Keys that are down in the page, by their place on the keyboard. */
  const down = new Map<string, Pick<KeyboardEvent, 'key' | 'code'>>();
  let escapedAt = Number.NEGATIVE_INFINITY;

  const leaves = (event: KeyboardEvent): boolean => {
    if (event.key !== 'Escape') escapedAt = Number.NEGATIVE_INFINITY;
    if (event.key !== 'Escape' || event.repeat) return false;
    const isSecond = event.timeStamp - escapedAt <= LEAVE_WITHIN_MS;
    escapedAt = isSecond ? Number.NEGATIVE_INFINITY : event.timeStamp;
    return isSecond;
  };
  const press = (event: KeyboardEvent): void => {
    // The page has the keyboard: shortcuts of the window do not apply.
    event.stopPropagation();
    const { key, code } = event;
    if (event.isComposing || event.keyCode === 229 || COMPOSING_KEYS.includes(key)) return;
    // It is about the clipboard of this computer, which the page's browser does not have.
    if (isOfClipboard(event)) return;
    event.preventDefault();
    if (leaves(event)) {
      keyboard.onLeave();
      return;
    }
    down.set(code || key, { key, code });
    add({ type: 'key_down', key, code, modifiers: modifiersOf(event) });
  };
  const release = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const { key, code } = event;
    if (down.delete(code || key)) add({ type: 'key_up', key, code, modifiers: modifiersOf(event) });
    // A Mac reports no release of keys that were pressed together with Cmd.
    if (key === 'Meta') releaseAll();
  };
  const releaseAll = (): void => {
    for (const { key, code } of down.values()) add({ type: 'key_up', key, code, modifiers: [] });
    down.clear();
  };
  const insert = (text: string): void => {
    if (text.length > BROWSER_TEXT_CHARS) keyboard.onTooLong();
    else if (text !== '') add({ type: 'text', text });
  };
  const insertComposed = (): void => {
    const { value } = field;
    field.value = '';
    delete field.dataset.composing;
    insert(value);
  };

  const over = new AbortController();
  const { signal } = over;
  field.addEventListener('keydown', press, { signal });
  field.addEventListener('keyup', release, { signal });
  field.addEventListener('blur', releaseAll, { signal });
  const compose = (): void => {
    field.dataset.composing = 'true';
  };
  field.addEventListener('compositionstart', compose, { signal });
  field.addEventListener('compositionend', insertComposed, { signal });
  const input = (event: Event): void => {
    if (!(event instanceof InputEvent && event.isComposing)) insertComposed();
  };
  field.addEventListener('input', input, { signal });
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    insert(event.clipboardData?.getData('text/plain') ?? '');
  };
  field.addEventListener('paste', paste, { signal });
  const copy = (event: ClipboardEvent): void => {
    event.preventDefault();
    keyboard.onCopy(event.type === 'cut');
  };
  field.addEventListener('copy', copy, { signal });
  field.addEventListener('cut', copy, { signal });
  return () => over.abort();
}

/** Keys that the window makes a `copy`, `cut` or `paste` of. */
function isOfClipboard({ key, code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  if (altKey) return false;
  const hasCommand = ctrlKey || metaKey;
  if (key === 'Insert') return hasCommand !== shiftKey;
  if (key === 'Delete') return shiftKey && !isMacKeyboard();
  // On keyboards without Latin letters, it is the key in the same place.
  const letter = /^[ -~]$/.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase();
  return hasCommand && (letter === 'v' || (/^[cx]$/.test(letter) && !shiftKey));
}

function modifiersOf(event: KeyboardEvent): ('Alt' | 'Control' | 'Meta' | 'Shift')[] {
  const all = [
    [event.altKey, 'Alt'],
    [event.ctrlKey, 'Control'],
    [event.metaKey, 'Meta'],
    [event.shiftKey, 'Shift'],
  ] as const;
  return all.flatMap(([isDown, name]) => (isDown ? [name] : []));
}
