import type { Page } from 'playwright-core';
import { delay } from '../base/abort.ts';
import { timeLimit } from '../base/running-time.ts';
import { closePage } from './leave-page.ts';
import { type ContextWish, type OpenContext, VIEWPORT } from './open-context.ts';
import { PageActivity, settle } from './settle.ts';
import type { PagePictureWish } from './types.ts';
import { untilAborted } from './until-aborted.ts';

/** For one picture, with the start of the browser. */
const PICTURE_MS = 30_000;
const LOAD_MS = 15_000;
/** For images and whatever else a page that is open loads. */
const REST_MS = 5_000;
/** A page without a text or a control yet is waited for. */
const FIRST_PAINT_MS = 3_000;
const LOOK_EVERY_MS = 100;
const HAS_CONTENT =
  "(document.body?.innerText ?? '').trim() !== '' || document.querySelector('img, svg, canvas, video, input, button') !== null";
/** Boxes with a color of their own, as in drawings that are made of nothing else. */
const HAS_BOXES = `[...document.querySelectorAll('body *')].slice(0, 2000).some((element) => {
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  const isPainted = backgroundImage !== 'none' || !/^rgba\\(.*, 0\\)$/.test(backgroundColor);
  return isPainted && element.offsetWidth * element.offsetHeight > 0;
})`;
/** The page is to be recognized, not to be read. */
const SCALE = 0.375;
const QUALITY = 70;

/**
 * A small picture of what a page shows once it is quiet, as JPEG, taken in a context of its own; nothing of the page is
 * pressed. Rejects with the signal's reason, and where the page does not open, does not answer, shows nothing, or opens
 * another: a page that waits for a debugger is gray.
 */
export async function pagePicture(
  open: (wish: ContextWish) => Promise<OpenContext>,
  { url, egress, signal }: PagePictureWish,
): Promise<Uint8Array> {
  const both = AbortSignal.any([signal, timeLimit(PICTURE_MS)]);
  const opening = open({
    client: () => egress,
    options: { acceptDownloads: false, serviceWorkers: 'block' },
  });
  const take = async (): Promise<Uint8Array> => {
    const { context } = await opening;
    const page = await context.newPage();
    let hasOpened = false;
    context.on('page', (popup) => {
      hasOpened = true;
      void closePage(popup);
    });
    const activity = new PageActivity(page);
    const answer = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: LOAD_MS });
    if (answer === null || !answer.ok()) throw new Error('The page does not open.');
    // What never comes, as an image that is not answered, is left out.
    await page.waitForLoadState('load', { timeout: REST_MS }).catch(() => undefined);
    await settle(page, activity, both);
    await firstPaint(page, both);
    await settle(page, activity, both);
    const session = await context.newCDPSession(page);
    // Only what is on the screen is painted, and the page may have scrolled.
    const { cssVisualViewport: shown } = await session.send('Page.getLayoutMetrics');
    const { data } = await session.send('Page.captureScreenshot', {
      ...{ format: 'jpeg', quality: QUALITY },
      clip: { x: shown.pageX, y: shown.pageY, ...VIEWPORT, scale: SCALE },
    });
    if (hasOpened) throw new Error('The page opens other pages.');
    return Buffer.from(data, 'base64');
  };
  try {
    return await untilAborted(take(), both);
  } finally {
    void opening.then((opened) => opened.close()).catch(() => undefined);
  }
}

/** Waits until a page shows something. Rejects where it does not. */
async function firstPaint(page: Page, signal: AbortSignal): Promise<void> {
  const from = performance.now();
  while (!(await page.evaluate<boolean>(HAS_CONTENT))) {
    if (performance.now() - from > FIRST_PAINT_MS) {
      if (await page.evaluate<boolean>(HAS_BOXES)) return;
      throw new Error('The page shows nothing.');
    }
    await delay(LOOK_EVERY_MS, signal);
  }
}
