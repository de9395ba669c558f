import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Desktop } from './desktop.ts';

const PRELOAD = join(import.meta.dirname, '../../../out/preload/index.cjs');

interface Fetched {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An address that stands for `app://hyperagent/` in a browser that does not know the scheme. */
export const PAGE_URL = 'https://hyperagent.invalid/';

/**
 * Makes a page of real Chromium what the window is in Electron: the built preload runs in it before
 * anything else, on a stand-in for `require('electron')`, and the files come from `app://`.
 */
export async function installPreload(page: Page, desktop: Desktop): Promise<void> {
  await page.exposeFunction('standInInvoke', (name: unknown, input: unknown) =>
    desktop.request(String(name), input),
  );
  await page.exposeFunction('standInSeen', () => desktop.acknowledge());
  await page.addInitScript({ content: preloadScript() });
  await page.route(`${PAGE_URL}**`, async (route) => {
    const path = route.request().url().slice(PAGE_URL.length);
    const order = { kind: 'fetch', url: `app://hyperagent/${path}`, method: 'GET' } as const;
    // An app that has quit answers nothing, and its page may still load what it shows later.
    const file = await desktop.order<Fetched>(order).catch(() => null);
    if (file === null) return await route.abort();
    await route.fulfill({ ...file, body: Buffer.from(file.body, 'base64') });
  });
  desktop.onPush((message) => {
    // A page that is gone or reloads gets nothing, as in Electron.
    page.evaluate((value) => globalThis.standInPush?.(value), message).catch(() => undefined);
  });
}

declare global {
  var standInPush: ((message: unknown) => void) | undefined;
  var standInExposed: string[] | undefined;
  var standInListened: string[] | undefined;
}

/** The preload as a script of its own: the page's policy allows no `eval`. */
function preloadScript(): string {
  return `(() => {
  const exposed = [];
  const listened = [];
  globalThis.standInExposed = exposed;
  globalThis.standInListened = listened;
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name, api) => {
        exposed.push(name);
        globalThis[name] = Object.freeze(api);
      },
    },
    ipcRenderer: {
      on: (channel, listener) => {
        listened.push(channel);
        globalThis.standInPush = (message) => listener({}, message);
      },
      send: (channel) => globalThis.standInSeen(channel),
      invoke: (channel, name, input) => globalThis.standInInvoke(name, input),
    },
  };
  const require = (name) => {
    if (name !== 'electron') throw new Error('A sandboxed preload cannot load ' + name);
    return electron;
  };
  const module = { exports: {} };
  (function (require, module, exports) {
${readFileSync(PRELOAD, 'utf8')}
  })(require, module, module.exports);
})();`;
}
