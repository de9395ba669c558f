import type { Frame, Page } from 'playwright-core';
import type { BrowserSelection } from '#contract/browser.ts';
import { AppError } from '#contract/errors.ts';
import { BROWSER_TEXT_CHARS } from '#contract/limits.ts';
import { ask, frameAt } from './page-script.ts';

const MOST_DEPTH = 10;
const NOTHING: BrowserSelection = { text: '', canCut: false };

/**
 * What the user selected, in the frame that has the focus. It is read by our script: the clipboard of the browser is
 * one for all tasks, and pages and the agent could paste it. Throws `CONFLICT` for a page that does not answer.
 */
export async function readSelection(page: Page): Promise<BrowserSelection> {
  try {
    let frame: Frame | null = page.mainFrame();
    for (let depth = 0; frame !== null && depth < MOST_DEPTH; depth += 1) {
      const { frame: inner, ...found } = await ask(frame, 'selection', {
        most: BROWSER_TEXT_CHARS,
      });
      if (inner === null) return found;
      frame = await frameAt(frame, inner);
    }
    return NOTHING;
  } catch (cause) {
    throw new AppError('CONFLICT', 'The page does not answer. Copy again in a moment.', { cause });
  }
}
