import { app, type WebContents } from 'electron';

/** What the operating system sends when somebody presses something. A script of the page cannot send these. */
const PRESSES: ReadonlySet<string> = new Set([
  ...['mouseUp', 'rawKeyDown', 'keyDown', 'char'],
  ...['gestureTap', 'touchEnd', 'pointerUp'],
]);
/** From the press to what the page does on it, in milliseconds. */
const FRESH_MS = 2_000;

/** Tells whether the user has just pressed something in a page: main saw it, no matter what the page says. */
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
