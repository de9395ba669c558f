import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '#main/services/checkup/browser-check.ts';

/** Flags that keep a browser to the page it is given, and let it run as root in a container. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Path of the browser that suites use; null when there is none, and they are skipped by name. */
export const chromiumPath: string | null = await findBrowser();

/** What a suite that needs a browser says in its name when there is none. */
export const chromiumNote = chromiumPath === null ? ' (skipped: no Chromium found)' : '';

/** A browser whose pages wait long: a busy machine is no fault of what they show. */
export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('There is no Chromium here.');
  const timeout = 120_000;
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ARGUMENTS,
    timeout,
  });
  browser.on('context', (context) => context.setDefaultTimeout(timeout));
  return browser;
}
