import path from 'node:path';
import { onTestFinished } from 'vitest';
import { browserForTests } from '../fakes/browser/open-browsers.ts';

/** The app finds the browser of this computer in the `PATH`, for the test that runs. */
export async function withBrowserOnPath(): Promise<void> {
  const browser = (await browserForTests()) ?? '';
  const before = process.env.PATH;
  process.env.PATH = `${path.dirname(browser)}${path.delimiter}${before}`;
  onTestFinished(() => {
    process.env.PATH = before;
  });
}
