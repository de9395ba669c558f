import { app, type WebContents } from 'electron';

/** Input events that only the operating system sends; a page script cannot. */
const PRESSES: ReadonlySet<string> = new Set([
  ...['mouseUp', 'rawKeyDown', 'keyDown', 'char'],
  ...['gestureTap', 'touchEnd', 'pointerUp'],
]);
/** How long after a press a page may act on it. */
const FRESH_MS = 2_000;

/** Knows whether the user has just pressed something in a page, as seen by main, independent of the page. */
export class RealClicks {
  readonly #lastPress = new WeakMap<WebContents, number>();

  /** Watches what the user does in a page from now on. */
  watch(contents: WebContents): void {
    contents.on('input-event', (_event, { type }) => {
      if (PRESSES.has(type)) this.#lastPress.set(contents, performance.now());
    });
  }

  /**
   * True once for each press of the user. Screen readers press without mouse and keyboard, which main
   * cannot see: while one is in use this is always true.
   */
  take(contents: WebContents): boolean {
    const pressed = this.#lastPress.get(contents);
    this.#lastPress.delete(contents);
    if (app.accessibilitySupportEnabled) return true;
    return pressed !== undefined && performance.now() - pressed < FRESH_MS;
  }
}
