import type { FileChooser } from 'playwright-core';
import type { BrowserInput, BrowserState } from '#contract/browser.ts';
import { AppError } from '#contract/errors.ts';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/limits.ts';
import type { PrivateValues } from './private-values.ts';
import type { Tab } from './tab.ts';
import type { GivenFiles } from './types.ts';

const GIVE_MS = 10_000;
const ACCEPT_CHARS = 300;

interface Waiting {
  readonly chooser: FileChooser;
  /** Null until it is known what the page wants. */
  shown: BrowserState['chooser'];
}

/**
 * Pages that ask for files while the user has control: one chooser a tab waits for their answer, and those that the
 * page opens beside it are nothing. What they choose is given to that field, from memory.
 */
export class FileChoosers {
  readonly #values: PrivateValues;
  readonly #onChange: () => void;
  readonly #waiting = new Map<Tab, Waiting>();
  #ending: AbortController | null = null;
  #count = 0;
  /** After a cancel, until the user acts in the page: one that asks in a loop is not heard. */
  #isDeaf = false;

  constructor(values: PrivateValues, onChange: () => void) {
    this.#values = values;
    this.#onChange = onChange;
  }

  /** The user has control. */
  begin(tabs: readonly Tab[]): void {
    this.#ending = new AbortController();
    this.#isDeaf = false;
    for (const tab of tabs) this.opened(tab);
  }

  /** A tab is there: its choosers count where the user has control. */
  opened(tab: Tab): void {
    const ended = this.#ending?.signal;
    if (ended === undefined) return;
    const { page } = tab;
    const ask = (chooser: FileChooser): void => void this.#asked(tab, chooser);
    const forget = (): void => this.#forget(tab);
    page.on('filechooser', ask);
    page.on('domcontentloaded', forget);
    page.on('close', forget);
    page.on('crash', forget);
    ended.addEventListener('abort', () => {
      page.off('filechooser', ask);
      for (const event of ['domcontentloaded', 'close', 'crash'] as const) {
        page.off(event as 'close', forget);
      }
    });
  }

  /** Control has ended: what waits is cancelled. */
  end(): void {
    this.#ending?.abort();
    this.#ending = null;
    this.#waiting.clear();
  }

  /** For windows; null where the page of this tab asks for nothing. */
  waiting(tab: Tab | null): BrowserState['chooser'] {
    return (tab === null ? undefined : this.#waiting.get(tab))?.shown ?? null;
  }

  /** The user acts in the page. */
  pressed(inputs: readonly BrowserInput[]): void {
    if (inputs.some(({ type }) => type === 'mouse_down' || type === 'key_down'))
      this.#isDeaf = false;
  }

  /** Throws `CONFLICT`, `BAD_REQUEST`, `FILE_TOO_LARGE`. */
  async give(tab: Tab, { chooserId, files }: GivenFiles): Promise<void> {
    const waiting = this.#waiting.get(tab);
    if (waiting?.shown?.id !== chooserId) throw new AppError('CONFLICT', NOT_ASKED);
    if (files.length > 1 && !waiting.shown.isMultiple) {
      throw new AppError('BAD_REQUEST', 'The page takes one file only.');
    }
    if (files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > ATTACHMENT_LIMIT_BYTES) {
      const megabytes = ATTACHMENT_LIMIT_BYTES / 1024 / 1024;
      const problem = `A page is given ${megabytes} MB at most at once. Choose smaller files.`;
      throw new AppError('FILE_TOO_LARGE', problem);
    }
    this.#isDeaf = files.length === 0;
    this.#forget(tab);
    if (files.length === 0) return;
    // Pages show them; they stay hidden, whatever the user lets the agent see.
    this.#values.add(files.map(({ name }) => ({ value: name, isSecret: true })));
    const payloads = files.map(({ name, mimeType, bytes }) => {
      return { name, mimeType: mimeType || 'application/octet-stream', buffer: bytes };
    });
    try {
      await waiting.chooser.setFiles(payloads, { timeout: GIVE_MS });
    } catch {
      // The error of Playwright may name the file.
      throw new AppError('CONFLICT', NOT_TAKEN);
    }
  }

  async #asked(tab: Tab, chooser: FileChooser): Promise<void> {
    const ended = this.#ending?.signal;
    if (ended === undefined || this.#isDeaf || this.#waiting.has(tab)) return;
    this.#count += 1;
    const id = `chooser_${this.#count}`;
    const waiting: Waiting = { chooser, shown: null };
    this.#waiting.set(tab, waiting);
    const wanted = await chooser
      .element()
      .getAttribute('accept')
      .catch(() => null);
    if (this.#waiting.get(tab) !== waiting) return;
    const accept = (wanted ?? '').slice(0, ACCEPT_CHARS);
    waiting.shown = { id, accept, isMultiple: chooser.isMultiple() };
    this.#onChange();
  }

  #forget(tab: Tab): void {
    if (this.#waiting.delete(tab)) this.#onChange();
  }
}

const NOT_ASKED = 'The page no longer asks for a file. Click its file field again.';
const NOT_TAKEN =
  'The page did not take the files: it changed meanwhile, or it wants a folder. Click its file field again.';
