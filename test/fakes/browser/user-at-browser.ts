import type { BrowserInput } from '#contract/browser.ts';
import type { BrowserService } from '#main/browser/types.ts';

/** What a user does in the page of a task that they took over. */
export class UserAtBrowser {
  readonly #browsers: BrowserService;
  readonly #threadId: string;

  constructor(browsers: BrowserService, threadId: string) {
    this.#browsers = browsers;
    this.#threadId = threadId;
  }

  async click(x: number, y: number): Promise<void> {
    const at = { x, y, button: 'left' } as const;
    await this.#browsers.input(this.#threadId, [
      { type: 'mouse_move', ...at, clicks: 0 },
      { type: 'mouse_down', ...at, clicks: 1 },
      { type: 'mouse_up', ...at, clicks: 1 },
    ]);
  }

  /** Key by key, as a keyboard does. */
  async press(text: string): Promise<void> {
    for (const key of text) {
      const code = /[a-z]/i.test(key) ? `Key${key.toUpperCase()}` : `Digit${key}`;
      const down: BrowserInput = { type: 'key_down', key, code, modifiers: [] };
      await this.#browsers.input(this.#threadId, [down, { ...down, type: 'key_up' }]);
    }
  }

  /** At once, as from the clipboard. */
  async paste(text: string): Promise<void> {
    await this.#browsers.input(this.#threadId, [{ type: 'text', text }]);
  }
}
