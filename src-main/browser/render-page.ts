import type { Page } from 'playwright-core';
import { AppError } from '#contract/errors.ts';
import { timeLimit } from '../base/running-time.ts';
import { ActionFailed, shortReason } from './action-failed.ts';
import { boundedEgress } from './bounded-egress.ts';
import { closePage } from './leave-page.ts';
import type { ContextWish, OpenContext } from './open-context.ts';
import { openPage } from './open-page.ts';
import { ask } from './page-script.ts';
import { PageActivity, settle } from './settle.ts';
import type { RenderedPage, RenderOptions } from './types.ts';
import { untilAborted } from './until-aborted.ts';

/** Each takes a processor and some hundred megabytes. */
const MOST_AT_ONCE = 2;
/** What one page may load. */
const MOST_BYTES = 50 * 1024 * 1024;
/** For one page, once the browser runs. */
const READ_MS = 20_000;
const READ_TEXT_MS = 5_000;
/** A page with less text is waited for, while it still loads. */
const LITTLE_CHARS = 200;
/** What gives no text is not loaded. */
const NOT_LOADED: ReadonlySet<string> = new Set(['image', 'media', 'font']);

type Open = (wish: ContextWish) => Promise<OpenContext>;

/** Opens pages that nobody watches, each in a context of its own, to read what their scripts make. */
export class PageRenderer {
  readonly #open: Open;
  #busy = 0;
  readonly #waiting: PromiseWithResolvers<void>[] = [];

  constructor(open: Open) {
    this.#open = open;
  }

  async render(url: string, { egress, signal }: RenderOptions): Promise<RenderedPage> {
    await this.#enter(signal);
    const client = boundedEgress(egress, MOST_BYTES);
    const opening = this.#open({
      client: () => client,
      options: { acceptDownloads: false, serviceWorkers: 'block' },
    });
    try {
      return await readPage(await untilAborted(opening, signal), url, signal);
    } finally {
      // A page that does not close in time keeps its place, and nobody waits for it.
      void opening
        .then((open) => open.close())
        .catch(() => undefined)
        .then(() => this.#leave());
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#busy < MOST_AT_ONCE) {
      this.#busy += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    try {
      await untilAborted(turn.promise, signal);
    } catch (error) {
      const at = this.#waiting.indexOf(turn);
      if (at >= 0) this.#waiting.splice(at, 1);
      else this.#leave();
      throw error;
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next.resolve();
  }
}

async function readPage(
  { context }: OpenContext,
  url: string,
  signal: AbortSignal,
): Promise<RenderedPage> {
  const limit = timeLimit(READ_MS);
  const both = AbortSignal.any([signal, limit]);
  const read = async (): Promise<RenderedPage> => {
    await context.route('**/*', async (route) => {
      const isNeeded = !NOT_LOADED.has(route.request().resourceType());
      // The page may be closed meanwhile.
      await (isNeeded ? route.continue() : route.abort()).catch(() => undefined);
    });
    const page = await context.newPage();
    // Dialogs are dismissed by Playwright, where nobody listens to them.
    context.on('page', (popup) => void closePage(popup));
    const activity = new PageActivity(page);
    const { status, said } = await openPage(page, url, both);
    if (status >= 400) throw new ActionFailed(said);
    const seen = await settledHtml(page, activity, both);
    return { url: page.url(), ...seen, refused: activity.refused };
  };
  try {
    return await untilAborted(read(), both);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (limit.aborted) throw failed(`The page was not ready within ${READ_MS / 1000} s.`, error);
    if (error instanceof AppError) throw error;
    if (error instanceof ActionFailed) throw failed(error.message, error);
    const why = shortReason(error instanceof Error ? error.message : String(error));
    throw new AppError('BROWSER_LOST', `The browser gave it up (${why.slice(0, 200)}).`, {
      cause: error,
    });
  }
}

/** The page once it is quiet; one that never is, as soon as there is text. Throws `ActionFailed`. */
async function settledHtml(
  page: Page,
  activity: PageActivity,
  signal: AbortSignal,
): Promise<Pick<RenderedPage, 'html' | 'isCut'>> {
  for (;;) {
    const busy = await settle(page, activity, signal);
    const seen = await ask(page.mainFrame(), 'html', { timeoutMs: READ_TEXT_MS }).catch(() => {
      signal.throwIfAborted();
      throw new ActionFailed(`The page does not answer. ${busy ?? ''}`.trim());
    });
    const text = seen.html.replace(/<[^>]*>/g, '').trim();
    if (busy === null || text.length > LITTLE_CHARS) return seen;
  }
}

function failed(why: string, cause: unknown): AppError {
  return new AppError('FETCH_FAILED', why, { cause });
}
