import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { EgressClient } from '../egress/types.ts';
import type { BrowserProxy } from './browser-proxy.ts';

export const VIEWPORT = { width: 1280, height: 800 };
/** Unless an action says otherwise. */
const WAIT_MS = 30_000;
/** What does not close by then is left, or killed. */
const CLOSE_MS = 5_000;

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
      await inTime(context.close());
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

/** Whether `work` ended within the limit, by an error or not. */
export async function inTime(work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(late.resolve, CLOSE_MS, false);
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
