import { setTimeout as delay } from 'node:timers/promises';
import { ActionFailed, shortReason } from './action-failed.ts';
import {
  ACT_MS,
  type ActionScope,
  gone,
  pointOf,
  READY_MS,
  ready,
  resolve,
  whyNotReady,
} from './find-element.ts';
import { labelsInSight } from './labels.ts';
import { findInPage, snapshot } from './look-actions.ts';
import { LOAD_MS, openPage } from './open-page.ts';
import { ask } from './page-script.ts';
import type { PageView } from './page-view.ts';
import { takeScreenshot } from './take-screenshot.ts';
import type { BrowserAction, ScreenshotLabel } from './types.ts';

const CLICKED: Readonly<Record<number, string>> = { 2: 'Double-clicked', 3: 'Triple-clicked' };
/** Longer texts are put in at once instead of key by key. */
const TYPED_KEYS = 200;
const MOST_WAIT_SECONDS = 60;
/** A frame that does not say in time what it holds does not hold it. */
const FRAME_MS = 800;

/** What was done, and what the model is given instead of the changes of the page, where it asked for something else. */
export interface Done {
  readonly said: string;
  /** The page, where it was looked at already. */
  readonly view?: PageView | null;
  /** A part of the page that was asked for. */
  readonly part?: PageView;
  /** Lines instead of the view. */
  readonly lines?: readonly string[];
  readonly screenshot?: Buffer;
  readonly labels?: readonly ScreenshotLabel[];
  /** Another part of the page is in sight: the view is shown whole. */
  readonly isElsewhere?: boolean;
  /** Nothing can have changed. */
  readonly isLook?: boolean;
}

/** Does one action in the current tab; those on tabs and dialogs are the browser's. Throws `ActionFailed`. */
export async function doAction(
  action: Exclude<BrowserAction, { kind: 'tabs' | 'dialog' }>,
  scope: ActionScope,
): Promise<Done> {
  const { page } = scope.tab;
  const { signal } = scope;
  switch (action.kind) {
    case 'navigate':
      return await openPage(page, action.url, signal);
    case 'back': {
      const response = await page.goBack({ waitUntil: 'commit', timeout: LOAD_MS, signal });
      if (response === null && page.url() === 'about:blank')
        return { said: 'There is no page before this one.' };
      return { said: 'Went back.' };
    }
    case 'snapshot':
      return await snapshot(action.ref, scope);
    case 'find':
      return await findInPage(action, scope);
    case 'click':
    case 'hover':
      return await point(action, scope);
    case 'type':
      return await type(action, scope);
    case 'press_key':
      return await press(action, scope);
    case 'select':
      return await select(action, scope);
    case 'drag': {
      // What is expected is what it is dropped on.
      const { expected: _of, ...run } = scope.run;
      const from = await pointOf(action.from, { ...scope, run });
      const to = await pointOf(action.to, scope);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + 3, from.y + 3);
      await page.mouse.move(to.x, to.y, { steps: 15 });
      // Lists that are sorted by dragging change once the middle is passed.
      await page.mouse.move(
        to.x + Math.sign(to.x - from.x) * 3,
        to.y + Math.sign(to.y - from.y) * 3,
      );
      await page.mouse.up();
      return { said: `Dragged ${from.label} to ${to.label}.` };
    }
    case 'scroll':
      return await scroll(action, scope);
    case 'upload':
      return await upload(action, scope);
    case 'wait':
      return await waitFor(action, scope);
    case 'screenshot': {
      const labelled =
        action.wholePage === true ? null : await labelsInSight(scope.tab, scope.refs);
      const { picture: screenshot, isWhole } = await takeScreenshot(page, {
        ...{ wholePage: action.wholePage === true, values: scope.values },
      });
      const said = isWhole
        ? 'Took a screenshot.'
        : 'The page is too long for one picture: this is what is in sight.';
      if (labelled === null) return { said, screenshot, lines: [], isLook: true };
      return { said: `${said} Labels in it are refs:`, screenshot, ...labelled, isLook: true };
    }
  }
}

/** Keys are pressed one after the other, as long as nobody takes over. */
async function press(
  { key, ref, times = 1 }: Extract<BrowserAction, { kind: 'press_key' }>,
  scope: ActionScope,
): Promise<Done> {
  const { signal, tab } = scope;
  const target = ref === undefined ? null : await ready(ref, scope);
  for (let pressed = 0; pressed < times; pressed += 1) {
    signal.throwIfAborted();
    // The first one moves the focus there; where the next ones go is the page's business, as for a user.
    if (target !== null && pressed === 0)
      await target.locator.press(key, { timeout: ACT_MS, signal });
    else await tab.page.keyboard.press(key);
  }
  const often = times === 1 ? '' : ` ${times} times`;
  return { said: `Pressed ${key}${often}${target === null ? '' : ` in ${target.label}`}.` };
}

async function point(
  action: Extract<BrowserAction, { kind: 'click' | 'hover' }>,
  scope: ActionScope,
): Promise<Done> {
  const { signal, tab, mark } = scope;
  const { at } = action;
  const did = action.kind === 'hover' ? 'Moved to' : (CLICKED[action.clicks ?? 1] ?? 'Clicked');
  const button = action.kind === 'click' ? (action.button ?? 'left') : 'left';
  const clicks = action.kind === 'click' ? (action.clicks ?? 1) : 1;
  if (!('ref' in at)) {
    const { label } = await pointOf(at, scope);
    if (action.kind === 'hover') await tab.page.mouse.move(at.x, at.y);
    else await tab.page.mouse.click(at.x, at.y, { button, clickCount: clicks });
    return { said: `${did} ${label}.` };
  }
  const { locator, label, target } = await ready(at.ref, scope);
  try {
    // First only whether it can be done: nothing is clicked once the user has taken over.
    if (action.kind === 'hover') await locator.hover({ trial: true, timeout: READY_MS, signal });
    else await locator.click({ trial: true, timeout: READY_MS, signal });
  } catch (error) {
    throw (await whyNotReady(target, label)) ?? error;
  }
  await mark(locator);
  signal.throwIfAborted();
  if (action.kind === 'hover') await locator.hover({ timeout: ACT_MS, signal });
  else
    await locator.click({ button, clickCount: clicks, timeout: ACT_MS, signal, noWaitAfter: true });
  return { said: `${did} ${label}.` };
}

async function type(
  { ref, text, submit }: Extract<BrowserAction, { kind: 'type' }>,
  scope: ActionScope,
): Promise<Done> {
  const { signal, mark, tab } = scope;
  const { locator, label, extra, role } = await ready(ref, scope);
  await mark(locator);
  const isPlain =
    text.length <= TYPED_KEYS &&
    !/\p{Cc}/u.test(text) &&
    extra === '' &&
    /^(?:textbox|searchbox|combobox)$/.test(role);
  try {
    await locator.fill(isPlain ? '' : text, { timeout: READY_MS, signal });
    // Key by key, as pages that suggest while one types expect it.
    if (isPlain)
      await locator.pressSequentially(text, { timeout: READY_MS + text.length * 20, signal });
  } catch (error) {
    if (
      error instanceof Error &&
      /Malformed value|not an <input>|not editable|cannot be filled/i.test(error.message)
    ) {
      throw new ActionFailed(`${label} does not take this text: ${shortReason(error.message)}`);
    }
    throw error;
  }
  if (submit !== true) return { said: `Typed into ${label}.` };
  signal.throwIfAborted();
  await tab.page.keyboard.press('Enter');
  return { said: `Typed into ${label} and pressed Enter.` };
}

async function select(
  { ref, options }: Extract<BrowserAction, { kind: 'select' }>,
  scope: ActionScope,
): Promise<Done> {
  const { locator, label, isNativeSelect } = await ready(ref, scope);
  if (!isNativeSelect) {
    throw new ActionFailed(
      `${label} is no list of options of the browser: click it, then click the option.`,
    );
  }
  await scope.mark(locator);
  const timeout = READY_MS;
  try {
    await locator.selectOption(
      options.map((one) => ({ label: one })),
      { timeout, signal: scope.signal },
    );
  } catch (error) {
    scope.signal.throwIfAborted();
    try {
      await locator.selectOption([...options], { timeout: ACT_MS, signal: scope.signal });
    } catch {
      throw new ActionFailed(
        `${label} has no option ${options.map((one) => `"${one}"`).join(', ')}. Take one as the view lists it.`,
        { cause: error },
      );
    }
  }
  return { said: `Selected ${options.map((one) => `"${one}"`).join(', ')} in ${label}.` };
}

async function scroll(
  { screens, ref }: Extract<BrowserAction, { kind: 'scroll' }>,
  scope: ActionScope,
): Promise<Done> {
  const at = ref === undefined ? null : resolve(ref, scope);
  const frame = at?.frame ?? scope.tab.page.mainFrame();
  const by = Math.max(-50, Math.min(50, screens));
  const moved = await ask(frame, 'scroll', {
    screens: by,
    ...(at === null ? {} : { ref: at.ref }),
  });
  if (moved === null && at !== null && ref !== undefined) throw await gone(ref, at, scope);
  if (moved === null || moved.moved === 0) {
    return {
      said:
        by > 0
          ? 'This is the end: nothing more to scroll.'
          : 'This is the top: nothing more to scroll.',
    };
  }
  return {
    said: `Scrolled ${by > 0 ? 'down' : 'up'}.`,
    isElsewhere: true,
  };
}

async function upload(
  { ref, paths }: Extract<BrowserAction, { kind: 'upload' }>,
  scope: ActionScope,
): Promise<Done> {
  const { run, tab, signal } = scope;
  const { locator, label, role } = await ready(ref, scope);
  const files = await Promise.all(
    paths.map(async (file) => ({
      name: file.split('/').at(-1) ?? file,
      mimeType: 'application/octet-stream',
      buffer: await run.workspace.read(file),
    })),
  );
  signal.throwIfAborted();
  if (role === 'file') {
    await locator.setInputFiles(files, { timeout: READY_MS, signal });
  } else {
    const chosen = tab.page.waitForEvent('filechooser', { timeout: READY_MS });
    chosen.catch(() => undefined);
    await locator.click({ timeout: READY_MS, signal });
    const chooser = await chosen.catch(() => null);
    if (chooser === null) throw new ActionFailed(`${label} asked for no file.`);
    await chooser.setFiles(files, { timeout: READY_MS });
  }
  return { said: `Gave ${paths.join(', ')} to ${label}.` };
}

async function waitFor(
  { text, gone: isGone = false, seconds }: Extract<BrowserAction, { kind: 'wait' }>,
  { tab, signal }: ActionScope,
): Promise<Done> {
  const most = Math.max(0, Math.min(MOST_WAIT_SECONDS, seconds ?? 10)) * 1_000;
  if (text === undefined) {
    await delay(most, undefined, { signal });
    return { said: `Waited ${most / 1000} s.` };
  }
  const from = performance.now();
  for (;;) {
    const looks = tab.page
      .frames()
      .slice(0, 30)
      .map((frame) =>
        ask(frame, 'hasText', { text, timeoutMs: FRAME_MS }).catch(() => ({ found: false })),
      );
    const found = (await Promise.all(looks)).some((look) => look.found);
    if (found !== isGone) return { said: `"${text}" is ${isGone ? 'gone' : 'there'}.` };
    if (performance.now() - from > most) {
      throw new ActionFailed(
        `"${text}" is ${isGone ? 'still' : 'not'} there after ${most / 1000} s.`,
      );
    }
    await delay(200, undefined, { signal });
    if (tab.page.isClosed()) throw new Error('The page has been closed.');
  }
}
