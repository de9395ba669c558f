import type { Page } from 'playwright-core';
import { inTime } from './in-time.ts';

/** A page that is busy without end is closed as it is. */
const LEAVE_MS = 1_000;

/**
 * Takes a page off its document, before it is closed. Chromium (seen in 156) ends as a whole, with the pages of all
 * tasks, where a page is closed while a frame of it shows a dialog. Never rejects.
 */
export async function leavePage(page: Page): Promise<void> {
  const leave = async (): Promise<void> => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.navigate', { url: 'about:blank' });
  };
  await inTime(leave(), LEAVE_MS);
}

/** Closes a page, whatever it does. Never rejects. */
export async function closePage(page: Page): Promise<void> {
  await leavePage(page);
  await page.close().catch(() => undefined);
}
