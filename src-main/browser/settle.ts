import { setTimeout as delay } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { ask } from './page-script.ts';

/** How long the page and its requests must be quiet, in ms. */
const QUIET_MS = 150;
const LOOK_EVERY_MS = 50;
/** A page that keeps changing, and requests that do not end, are waited for so long. */
const MOST_MS = 3_000;
/** A document that is being loaded has longer. */
const MOST_LOADING_MS = 10_000;
const COUNTED: ReadonlySet<string> = new Set(['document', 'xhr', 'fetch', 'script', 'stylesheet']);
const NAMED_HOSTS = 3;

/** The requests of a page that are not answered yet. */
export class PageActivity {
  readonly #open = new Set<Request>();
  #refused = new Set<string>();

  constructor(page: Page) {
    page.on('request', (request) => {
      if (COUNTED.has(request.resourceType())) this.#open.add(request);
    });
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('requestfailed', (request) => {
      this.#open.delete(request);
      // The broker's refusals; the ledger has the reason.
      if (/ERR_TUNNEL_CONNECTION_FAILED/.test(request.failure()?.errorText ?? '')) {
        this.#refused.add(hostOf(request.url()));
      }
    });
  }

  get isLoading(): boolean {
    return [...this.#open].some((request) => isDocument(request));
  }

  /** Forgets requests of before an action: those that never end are not waited for again. */
  begin(): void {
    this.#open.clear();
    this.#refused = new Set();
  }

  get hosts(): readonly string[] {
    return [...new Set([...this.#open].map((request) => hostOf(request.url())))];
  }

  /** Hosts that were not reached, since the action began. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }
}

/** Waits until a page is quiet, within limits. Returns what was still going on, in a sentence; null for nothing. */
export async function settle(
  page: Page,
  activity: PageActivity,
  signal: AbortSignal,
): Promise<string | null> {
  const from = performance.now();
  let quietFrom: number | null = null;
  for (;;) {
    await delay(LOOK_EVERY_MS, undefined, { signal });
    const now = performance.now();
    const quiet = await ask(page.mainFrame(), 'quiet', { timeoutMs: 1_000 }).catch(() => null);
    const isLoading = quiet === null || quiet.state === 'loading' || activity.isLoading;
    const isBusy = isLoading || activity.hosts.length > 0 || quiet.ms < QUIET_MS;
    if (isBusy) quietFrom = null;
    else quietFrom ??= now;
    if (quietFrom !== null && now - quietFrom >= QUIET_MS - LOOK_EVERY_MS) return null;
    if (now - from < (isLoading ? MOST_LOADING_MS : MOST_MS)) continue;
    const hosts = activity.hosts.slice(0, NAMED_HOSTS).join(', ');
    if (isLoading) return `The page was still loading${hosts === '' ? '' : ` (${hosts})`}.`;
    return hosts === ''
      ? 'The page keeps changing by itself.'
      : `The page was still waiting for ${hosts}.`;
  }
}

function isDocument(request: Request): boolean {
  if (request.resourceType() !== 'document') return false;
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // A request of a page that is being opened has no frame yet.
    return true;
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host.slice(0, 100) ?? url.slice(0, 100);
}
