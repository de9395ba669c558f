import { existsSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';

/** Saved pages of the web on loopback, without their scripts and without anything they would load. */
export interface SavedPages extends AsyncDisposable {
  readonly names: readonly string[];
  readonly port: number;
}

/** The folder with one folder a page, each with a `source.html`; null where there is none. */
export function savedPagesFolder(named: string | undefined): string | null {
  if (named === undefined) return null;
  const candidates = ['', 'test-pages', 'test/test-pages'].map((part) =>
    join(resolve(named), part),
  );
  return candidates.find((dir) => existsSync(dir) && pagesIn(dir).length > 0) ?? null;
}

function pagesIn(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => existsSync(join(dir, name, 'source.html')))
    .toSorted();
}

const SCRIPT = /<script\b[\s\S]*?<\/script\s*>/gi;

/** Serves each page as `/NAME`, and whatever `own` holds by its path. */
export async function serveSavedPages(
  dir: string | null,
  own: Readonly<Record<string, string>>,
): Promise<SavedPages> {
  const names = dir === null ? [] : pagesIn(dir);
  const server = http.createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://pages').pathname);
    const name = path.slice(1);
    const html =
      dir !== null && names.includes(name) ? readFileSync(join(dir, name, 'source.html')) : null;
    const content = html === null ? own[path] : html.toString().replace(SCRIPT, '');
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    const isSaved = html !== null;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(isSaved && {
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      }),
    });
    response.end(content);
  });
  await new Promise<void>((resolved) => server.listen(0, '127.0.0.1', resolved));
  return {
    names,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolved) => server.close(resolved));
    },
  };
}

/** Runs in the page: the names of all links and controls that it shows, by the DOM alone. */
const CONTROLS = `(() => {
  const roles = ['link', 'button', 'checkbox', 'radio', 'tab', 'menuitem', 'textbox', 'combobox'];
  const selector = ['a[href], button, input:not([type=hidden]), select, textarea, summary']
    .concat(roles.map((role) => '[role=' + role + ']'))
    .join(', ');
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const nameOf = (element) => {
    const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
    const isButton = element.tagName === 'INPUT' && /^(submit|button|reset)$/.test(element.type);
    const pictures = [...element.querySelectorAll('img[alt]')].map((img) => img.alt);
    const candidates = [
      element.getAttribute('aria-label'),
      isButton ? element.value : null,
      [...(element.labels ?? [])].map((label) => label.innerText).join(' '),
      isField ? null : element.innerText,
      pictures.join(' '),
      element.getAttribute('title'),
      element.getAttribute('placeholder'),
    ];
    return candidates.map((name) => (name ?? '').trim()).find((name) => name !== '') ?? '';
  };
  return [...document.querySelectorAll(selector)].filter(isShown).map(nameOf);
})()`;

/** The names of all links and controls that the page shows, each once, and how many have none. */
export async function shownControls(page: Page): Promise<{ names: string[]; nameless: number }> {
  const all = await page.evaluate<string[]>(CONTROLS);
  const names = all.map((name) => name.replace(/\s+/g, ' ')).filter((name) => name !== '');
  return { names: [...new Set(names)], nameless: all.length - names.length };
}
