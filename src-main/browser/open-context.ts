import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { EgressClient } from '../egress/types.ts';
import type { BrowserProxy } from './browser-proxy.ts';
import { inTime } from './in-time.ts';
import { leavePage } from './leave-page.ts';

export const VIEWPORT = { width: 1280, height: 800 };
/** Unless an action says otherwise. */
const WAIT_MS = 30_000;
/** What does not close by then is left, or killed. */
export const CLOSE_MS = 5_000;

/** A running Chromium, with its proxy and its folder. */
export interface Running {
  readonly browser: Browser;
  readonly proxy: BrowserProxy;
  readonly downloadsDir: string;
  /** The credentials of its open contexts: with the last of them it ends. */
  readonly contexts: Set<string>;
  readonly end: () => Promise<void>;
}

/** A context of the browser, with what belongs to it. */
export interface OpenContext {
  readonly context: BrowserContext;
  /** Where Chromium puts downloads before they are moved to the workspace. */
  readonly downloadsDir: string;
  readonly close: () => Promise<void>;
}

export interface ContextWish {
  readonly client: () => EgressClient;
  /** Besides what every context has. */
  readonly options?: Pick<BrowserContextOptions, 'acceptDownloads' | 'serviceWorkers'>;
}

/** Opens a context whose connections go through `client`. Rejects with the error of Playwright. */
export async function openContext(
  { browser, proxy, downloadsDir, contexts }: Running,
  { client, options, onLast }: ContextWish & { readonly onLast: () => Promise<void> },
): Promise<OpenContext> {
  const access = proxy.grant(client);
  const { server, username, password } = access;
  contexts.add(username);
  const release = async (): Promise<void> => {
    access[Symbol.dispose]();
    contexts.delete(username);
    if (contexts.size === 0) await onLast();
  };
  try {
    const context = await browser.newContext({
      proxy: { server, username, password },
      viewport: VIEWPORT,
      acceptDownloads: true,
      permissions: [],
      ...options,
    });
    context.setDefaultTimeout(WAIT_MS);
    let isReleased = false;
    const close = async (): Promise<void> => {
      await Promise.all(context.pages().map(leavePage));
      await inTime(context.close(), CLOSE_MS);
      if (isReleased) return;
      isReleased = true;
      await release();
    };
    context.on('close', () => void close());
    return { context, downloadsDir, close };
  } catch (error) {
    await release();
    throw error;
  }
}
