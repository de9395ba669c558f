import type { Dialog, Page } from 'playwright-core';
import { PageListeners } from './listeners.ts';
import type { PageView } from './page-view.ts';
import { PageActivity } from './settle.ts';

/** One page of a task's browser. */
export class Tab {
  readonly id: string;
  readonly page: Page;
  readonly activity: PageActivity;
  readonly listeners: PageListeners;
  /** The view that the model has of it; null before it had any. */
  view: PageView | null = null;
  /** A dialog that waits for an answer: until then the page answers nothing else. */
  dialog: Dialog | null = null;
  title = '';

  constructor(id: string, page: Page) {
    this.id = id;
    this.page = page;
    this.activity = new PageActivity(page);
    this.listeners = new PageListeners(page);
  }

  /** A part of the page was looked at, beside what was seen before. */
  see(part: PageView): void {
    const elements = new Map([...(this.view?.elements ?? []), ...part.elements]);
    this.view = { ...(this.view ?? part), elements };
  }

  get url(): string {
    return this.page.url();
  }
}
