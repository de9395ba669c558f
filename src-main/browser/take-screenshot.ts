import type { Frame, Locator, Page } from 'playwright-core';
import { ask, framesOf, maskedIn } from './page-script.ts';
import type { PrivateValues } from './private-values.ts';

const ASKED_FRAMES = 30;
/** A frame that does not answer by then is covered whole. */
const FRAME_MS = 1_000;
const WHOLE_PAGE_PIXELS = 12_000;

export interface Screenshot {
  /** A PNG. */
  readonly picture: Buffer;
  /** False where the whole page was asked for, but is too long. */
  readonly isWhole: boolean;
}

/** A picture of what is in sight, or of the whole page, without masked fields and what the user typed. */
export async function takeScreenshot(
  page: Page,
  { wholePage, values }: { readonly wholePage: boolean; readonly values: PrivateValues },
): Promise<Screenshot> {
  const { height } = await ask(page.mainFrame(), 'quiet');
  const fullPage = wholePage && height <= WHOLE_PAGE_PIXELS;
  const picture = await page.screenshot({
    ...{ fullPage, mask: await masksOf(page, values), maskColor: '#444' },
    // Anything else is done by a style that the page can see.
    ...{ caret: 'initial', animations: 'allow', timeout: 10_000 },
  });
  return { picture, isWhole: fullPage || !wholePage };
}

/**
 * What pictures of a page must not show. Playwright covers it by elements, so that only what is needed is covered; but
 * a frame of another origin is drawn by another process, which may be late with the cover. Its page covers it whole.
 */
async function masksOf(page: Page, values: PrivateValues): Promise<Locator[]> {
  const hashes = values.hashes();
  const main = page.mainFrame();
  const { origin } = await ask(main, 'masks', { hashes });
  const masks = page.frames().map(async (frame, i): Promise<Locator | null> => {
    if (frame === main) return maskedIn(frame, hashes);
    const look = i < ASKED_FRAMES && ask(frame, 'masks', { hashes, timeoutMs: FRAME_MS });
    const found = look === false ? null : await look.catch(() => null);
    if (found?.count === 0) return null;
    const isDrawnWithPage = found !== null && found.origin === origin && origin !== 'null';
    return isDrawnWithPage ? maskedIn(frame, hashes) : await coverOf(frame);
  });
  return (await Promise.all(masks)).filter((mask) => mask !== null);
}

/** The frame as an element of the page itself; all of the page where it cannot be found. Null for one that is gone. */
async function coverOf(frame: Frame): Promise<Locator | null> {
  let outer = frame;
  let parent = frame.parentFrame();
  while (parent?.parentFrame() != null) [outer, parent] = [parent, parent.parentFrame()];
  if (parent === null || frame.isDetached()) return null;
  const elements = framesOf(parent);
  const handles = await elements.elementHandles();
  const frames = await Promise.all(handles.map((handle) => handle.contentFrame()));
  await Promise.all(handles.map((handle) => handle.dispose().catch(() => undefined)));
  const at = frames.indexOf(outer);
  return at < 0 ? parent.locator('html') : elements.nth(at);
}
