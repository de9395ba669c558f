import type { Page } from 'playwright-core';
import type { BrowserInput } from '#contract/browser.ts';
import { AppError } from '#contract/errors.ts';
import { ask } from './page-script.ts';
import type { PrivateValues } from './private-values.ts';
import type { Tab } from './tab.ts';
import type { PageDestination } from './types.ts';

/** A page that takes no input is not waited for. */
const INPUT_MS = 3_000;
const LOAD_MS = 20_000;
const READ_FRAMES = 30;
const MODIFIERS = ['Alt', 'Control', 'Meta', 'Shift'] as const;

/** What the user typed, taken from the fields of a page while they are there; for the last time with `ends`. */
export async function readUserValues(
  tab: Tab | null,
  values: PrivateValues,
  { ends }: { readonly ends: boolean },
): Promise<void> {
  if (tab === null || tab.dialog !== null) return;
  const frames = tab.page.frames().slice(0, READ_FRAMES);
  const looks = frames.map((frame) => ask(frame, 'userValues', { ends, timeoutMs: 500 }));
  for (const look of await Promise.allSettled(looks)) {
    if (look.status === 'fulfilled') values.add(look.value);
  }
}

/** Lets the agent see the fields that the user filled, unless they look secret. A page that does not answer keeps its own. */
export async function showUserValues(pages: readonly Page[]): Promise<void> {
  const frames = pages.flatMap((page) => page.frames()).slice(0, READ_FRAMES);
  await Promise.allSettled(frames.map((frame) => ask(frame, 'showTyped', { timeoutMs: 500 })));
}

/** The user's mouse and keyboard in a page. */
export class UserHands {
  readonly #private: PrivateValues;
  readonly #held = new Set<string>();

  constructor(values: PrivateValues) {
    this.#private = values;
  }

  /** One after the other. Inputs that the page does not take in time are dropped. */
  async do(page: Page, inputs: readonly BrowserInput[]): Promise<void> {
    for (const input of inputs) {
      this.#private.note(input);
      const done = this.#one(page, input);
      done.catch(() => undefined);
      const given = Promise.withResolvers<void>();
      const timer = setTimeout(given.resolve, INPUT_MS);
      try {
        await Promise.race([done, given.promise]);
      } catch {
        // A page that closes while it is clicked.
      } finally {
        clearTimeout(timer);
      }
    }
  }

  /** Where the user goes. Addresses of the web only. */
  async go(page: Page, to: PageDestination): Promise<void> {
    const options = { waitUntil: 'commit', timeout: LOAD_MS } as const;
    try {
      if (to === 'back') await page.goBack(options);
      else if (to === 'forward') await page.goForward(options);
      else if (to === 'reload') await page.reload(options);
      else if (to === 'stop') await page.keyboard.press('Escape');
      else await page.goto(webAddress(to.url), options);
    } catch (error) {
      if (error instanceof AppError) throw error;
      // The page shows what went wrong, as in any browser.
    }
  }

  async #one(page: Page, input: BrowserInput): Promise<void> {
    const { mouse, keyboard } = page;
    switch (input.type) {
      case 'mouse_move':
        return await mouse.move(input.x, input.y);
      case 'mouse_down':
        await mouse.move(input.x, input.y);
        return await mouse.down({ button: input.button, clickCount: Math.max(1, input.clicks) });
      case 'mouse_up':
        return await mouse.up({ button: input.button, clickCount: Math.max(1, input.clicks) });
      case 'wheel':
        await mouse.move(input.x, input.y);
        return await mouse.wheel(input.dx, input.dy);
      case 'text':
        return await keyboard.insertText(input.text);
      case 'key_down':
        if (isOfClipboard(input)) return;
        await this.#syncModifiers(page, input);
        return await keyDown(page, input.key);
      case 'key_up':
        await this.#syncModifiers(page, input);
        if (!isModifier(input.key) && isKnown(input.key)) await keyboard.up(input.key);
        return;
    }
  }

  /** Modifiers that were released outside of the window are released here. */
  async #syncModifiers(
    page: Page,
    { key, modifiers }: Extract<BrowserInput, { modifiers: unknown }>,
  ): Promise<void> {
    const down = new Set<string>(modifiers);
    for (const modifier of MODIFIERS) {
      const isDown = down.has(modifier) && key !== 'AltGraph';
      if (isDown === this.#held.has(modifier)) continue;
      if (isDown) this.#held.add(modifier);
      else this.#held.delete(modifier);
      await (isDown ? page.keyboard.down(modifier) : page.keyboard.up(modifier));
    }
  }
}

async function keyDown(page: Page, key: string): Promise<void> {
  if (isModifier(key)) return;
  if (isKnown(key)) return await page.keyboard.down(key);
  // Letters that no key of a US keyboard gives.
  if ([...key].length === 1) await page.keyboard.insertText(key);
}

/** All tasks share the clipboard of the browser: nothing of the user's gets there. */
function isOfClipboard({ key, modifiers }: Extract<BrowserInput, { modifiers: unknown }>): boolean {
  if (modifiers.includes('Shift') && (key === 'Insert' || key === 'Delete')) return true;
  const isShortcut = modifiers.includes('Control') || modifiers.includes('Meta');
  return isShortcut && /^(?:[cvx]|insert)$/i.test(key);
}

function isModifier(key: string): boolean {
  return (MODIFIERS as readonly string[]).includes(key);
}

const NAMED_KEYS =
  /^(?:Enter|Tab|Escape|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|F(?:[1-9]|1[0-2])| )$/;

function isKnown(key: string): boolean {
  return NAMED_KEYS.test(key) || /^[\x21-\x7e]$/.test(key);
}

/** Throws `BAD_REQUEST` for what is no address of the web. */
function webAddress(text: string): string {
  const given = text.trim();
  const url = URL.parse(
    /^[a-z][a-z\d+.-]*:/i.test(given) && !/^[^:/]+:\d/.test(given) ? given : `https://${given}`,
  );
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  throw new AppError('BAD_REQUEST', 'Only http and https addresses can be opened.');
}
