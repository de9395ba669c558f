import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { isPreviewUrl } from '#contract/apps.ts';
import { RendererFiles } from '#main/transport/renderer-files.ts';
import { diagramPage } from '../../scripts/build/diagram-page.ts';
import { WINDOW_ASSETS, WINDOW_RESOLVE } from '../../scripts/build/window-modules.ts';
import type { FakeBridge } from '../fakes/fake-bridge.ts';

const ROOT = join(import.meta.dirname, '../renderer/harness');

/** The window with a fake main, built and served with the headers of the real doors. */
export interface WindowHarness extends AsyncDisposable {
  readonly url: string;
}

/** Builds the window and serves it on loopback, until it is disposed. */
export async function openWindowHarness(): Promise<WindowHarness> {
  const outDir = mkdtempSync(join(tmpdir(), 'hyperagent-window-'));
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), diagramPage()],
    resolve: WINDOW_RESOLVE,
    build: {
      ...WINDOW_ASSETS,
      outDir,
      emptyOutDir: true,
      target: 'esnext',
      reportCompressedSize: false,
    },
  });
  const files = await RendererFiles.open(outDir, []);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://harness');
    void files.read(pathname).then((file) => {
      response.writeHead(file === null ? 404 : 200, file === null ? {} : { ...file.headers });
      response.end(file?.data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}

declare global {
  /** In the page: its fake main. */
  var fake: FakeBridge;
}

/**
 * Opens an address. Chromium breaks off what it is loading, from loopback too, when the computer gets
 * another network interface, as each container brings one: then it is opened again.
 */
export async function openAddress(page: Page, url: string, trouble: string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const before = trouble.length;
    const failed = await page.goto(url).then(
      () => '',
      (error: Error) => error.message,
    );
    const isBroken = [failed, ...trouble.slice(before)].some((one) =>
      one.includes('ERR_NETWORK_CHANGED'),
    );
    if (isBroken && attempt < 5) {
      trouble.length = before;
      await page.goto('about:blank');
    } else if (failed === '') return;
    else throw new Error(failed);
  }
}

/** What the page did that it must not: scripts that are not its own, foreign requests, errors. */
export function watchPage(page: Page, origin: string): string[] {
  const trouble: string[] = [];
  // What agents build is shown in frames at origins of their own, and may do there what it likes.
  const isOwn = (url: string): boolean => url.startsWith(origin) || isPreviewUrl(url);
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (isPreviewUrl(message.location().url)) return;
    if (message.type() === 'error' || message.type() === 'warning') {
      trouble.push(`${message.type()}: ${message.text()}`);
    }
  });
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!isOwn(url) && !/^(?:blob|data):/.test(url)) trouble.push(`request: ${url}`);
  });
  page.on('framenavigated', (frame) => {
    if (!isOwn(frame.url())) trouble.push(`navigation: ${frame.url()}`);
  });
  return trouble;
}
