import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import { findBrowser } from '#main/browser/find-browser.ts';

/** Flags that keep a browser to the page it is given, and let it run as root in a container. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
/** Pages wait long: a busy machine is no fault of what they show. */
const TIMEOUT_MS = 120_000;

/** Path of the browser that suites use; null when there is none, and they are skipped by name. */
export const chromiumPath: string | null = await findBrowser();

/** What a suite that needs a browser says in its name when there is none. */
export const chromiumNote = chromiumPath === null ? ' (skipped: no Chromium found)' : '';

const launchOptions = () => {
  if (chromiumPath === null) throw new Error('There is no Chromium here.');
  return { executablePath: chromiumPath, args: ARGUMENTS, timeout: TIMEOUT_MS };
};

const patient = (browser: Browser): Browser =>
  browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT_MS));

/** A browser of one's own, for a benchmark. */
export async function launchChromium(): Promise<Browser> {
  return patient(await chromium.launch(launchOptions()));
}

/** A browser that several processes share. */
export function serveChromium(): Promise<BrowserServer> {
  return chromium.launchServer(launchOptions());
}

/** The browser that `serveChromium` started. To close what this gives leaves the browser running. */
export async function connectChromium(address: string): Promise<Browser> {
  return patient(await chromium.connect(address, { timeout: TIMEOUT_MS }));
}
