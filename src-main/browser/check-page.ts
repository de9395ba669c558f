import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ConsoleMessage, Page, Request } from 'playwright-core';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { delay } from '../base/abort.ts';
import { once } from '../base/once.ts';
import { timeLimit } from '../base/running-time.ts';
import { failureOf, isTimeout, shortReason } from './action-failed.ts';
import { closePage } from './leave-page.ts';
import type { ContextWish, OpenContext } from './open-context.ts';
import { overlayMessage, overlayPlace, pathOf, placeIn, requestClues } from './page-places.ts';
import { describeStep, doStep } from './page-steps.ts';
import { ScriptWatch } from './script-watch.ts';
import { PageActivity, settle } from './settle.ts';
import type { PageCheck, PageCheckWish, PageClue, PageProblem } from './types.ts';
import { untilAborted } from './until-aborted.ts';

/** For one check, with all that is pressed. */
const CHECK_MS = 60_000;
const LOAD_MS = 15_000;
const ASK_MS = 5_000;
/** About 1 ms for each element, on two cores that do nothing else. */
const JUDGE_MS = 20_000;
/** A page that shows nothing yet is waited for. */
const FIRST_PAINT_MS = 2_500;
const DESKTOP = { width: 1280, height: 800 };
/** A button that changed nothing by then does nothing. */
const REACTION_MS = 1_500;
const PHONE = { width: 390, height: 844 };
/** Of one page; what repeats is reported once. */
const MOST_PROBLEMS = 20;
const MOST_PRESSED = 12;
const MESSAGE_CHARS = 600;
const TEXT_CHARS = 1_500;

const STUCK = 'The page does not answer: a loop without end, or too much work at once.';

const Clues = z.array(z.object({ text: z.string(), file: z.string() }));
/** What `resources/preview/page-check.js` says: the words of the page. */
const Facts = z.object({
  text: z.string(),
  showsSomething: z.boolean(),
  tooWide: z.array(z.object({ name: z.string(), by: z.number(), clues: Clues })),
  missingImages: z.array(z.string()),
  overlay: z.object({ message: z.string(), file: z.string(), frame: z.string() }).nullable(),
  hiddenClues: Clues,
  invisible: z.object({ name: z.string(), clues: Clues }).nullable(),
});
type Facts = z.infer<typeof Facts>;
const AccessibilityFaults = z.array(
  z.object({
    help: z.string(),
    html: z.string(),
    more: z.number(),
    ratio: z.number().nullable(),
    clues: Clues,
  }),
);
const Controls = z.object({
  selector: z.string(),
  shown: z.array(
    z.object({ index: z.number(), name: z.string(), sendsForm: z.boolean(), clues: Clues }),
  ),
});

/**
 * Opens a page of an app in a context of its own, and looks for what is wrong with it: errors, requests that fail, an
 * empty page, what sticks out or is missing, first at the width of a desktop, then of a phone. Then it takes the given
 * steps, or presses every control once. What the page says may be forged: it is data.
 */
export async function checkPage(
  open: (wish: ContextWish) => Promise<OpenContext>,
  wish: PageCheckWish,
): Promise<PageCheck> {
  const { egress, signal } = wish;
  const limit = timeLimit(CHECK_MS);
  const both = AbortSignal.any([signal, limit]);
  const opening = open({
    client: () => egress,
    options: { acceptDownloads: false, serviceWorkers: 'block' },
  });
  const check = new Check(wish, both);
  try {
    const { context } = await untilAborted(opening, signal);
    const page = await untilAborted(context.newPage(), both);
    context.on('page', (popup) => void closePage(popup));
    await untilAborted(check.run(page), both);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    const isLate = limit.aborted || isTimeout(error);
    const said = isLate ? STUCK : `The page broke off while it was checked: ${reasonOf(error)}`;
    check.add('stuck', said, { place: isLate ? await check.running() : null });
  } finally {
    void opening.then((opened) => opened.close()).catch(() => undefined);
  }
  return check.result();
}

class Check {
  readonly #wish: PageCheckWish;
  readonly #signal: AbortSignal;
  readonly #problems: PageProblem[] = [];
  readonly #passed: string[] = [];
  readonly #maybeMeant = new Map<string, readonly PageClue[]>();
  #screenshot: Uint8Array | null = null;
  #text = '';
  /** What was just pressed, in front of what goes wrong then. */
  #after = '';
  #scripts: ScriptWatch | null = null;

  constructor(wish: PageCheckWish, signal: AbortSignal) {
    this.#wish = wish;
    this.#signal = signal;
  }

  result(): PageCheck {
    this.#after = '';
    if (this.#problems.some(({ kind }) => kind === 'error')) {
      for (const [said, clues] of this.#maybeMeant) this.add('failed_request', said, { clues });
    }
    // A file that cannot be read fails as a request too.
    const isUnread = this.#problems.some(({ kind }) => kind === 'overlay');
    return {
      problems: this.#problems.filter(({ kind }) => !isUnread || kind !== 'failed_request'),
      passed: this.#passed,
      text: this.#text,
      screenshot: this.#screenshot,
    };
  }

  add(
    kind: PageProblem['kind'],
    said: string,
    {
      place = null,
      clues = [],
    }: { readonly place?: PageProblem['place']; readonly clues?: readonly PageClue[] } = {},
  ): void {
    const message = `${this.#after}${said}`.slice(0, MESSAGE_CHARS);
    const isKnown = this.#problems.some(
      (one) =>
        one.kind === kind &&
        one.message.replace(/^After [^:]*: /, '') === said.slice(0, MESSAGE_CHARS),
    );
    if (!isKnown && this.#problems.length < MOST_PROBLEMS) {
      this.#problems.push({ kind, message, place, clues });
    }
  }

  /** Where the page is running, for one that does not come to an end; null where that cannot be seen. */
  async running(): Promise<PageProblem['place']> {
    return (await this.#scripts?.running()) ?? null;
  }

  async run(page: Page): Promise<void> {
    this.#listen(page);
    this.#scripts = await ScriptWatch.attach(page);
    await page.setViewportSize(DESKTOP);
    const response = await page
      .goto(this.#wish.url, { waitUntil: 'load', timeout: LOAD_MS })
      .catch((error: unknown) => {
        if (isTimeout(error)) throw error;
        this.add('no_answer', `The page does not open: ${reasonOf(error)}`);
        return null;
      });
    if (response === null) return;
    if (response.status() >= 400) {
      this.add('no_answer', `The server answers ${response.status()} for the page.`);
    }
    const activity = new PageActivity(page);
    await settle(page, activity, this.#signal);
    const facts = await this.#firstPaint(page);
    this.#text = facts.text.slice(0, TEXT_CHARS);
    this.#judge(facts);
    this.#screenshot = await page.screenshot({ timeout: ASK_MS }).catch(() => null);
    if (facts.overlay !== null) return;
    await this.#atPhone(page);
    if (facts.text !== '') await this.#accessibility(page);
    if (this.#wish.steps.length > 0) await this.#takeSteps(page, activity);
    else if (this.#wish.presses) await this.#pressAll(page);
  }

  #listen(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#console(message);
    });
    page.on('pageerror', (error) => {
      this.add('error', error.message, { place: placeIn(error.stack ?? '') });
    });
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // A page that is left cancels what it asked for.
      if (reason.includes('ERR_ABORTED')) return;
      const asked = pathOf(request.url());
      const clues = requestClues(asked);
      this.add('failed_request', `${request.method()} ${asked} failed: ${reason}`, { clues });
    });
    page.on('response', (response) => {
      const status = response.status();
      const isIcon = response.url().endsWith('/favicon.ico');
      const kind = response.request().resourceType();
      if (status < 400 || isIcon || kind === 'document') return;
      const asked = pathOf(response.url());
      const said = `${response.request().method()} ${asked} is answered with ${status}`;
      // What the app asks for itself may be answered so on purpose: only beside an error it explains something.
      const mayBeMeant = (kind === 'fetch' || kind === 'xhr') && status < 500;
      if (mayBeMeant) this.#maybeMeant.set(said, requestClues(asked));
      else this.add('failed_request', said, { clues: requestClues(asked) });
    });
  }

  #console(message: ConsoleMessage): void {
    const text = message.text();
    // Chromium says of every answer from 400 on that it failed, the expected ones included.
    if (text.startsWith('Failed to load resource')) return;
    const { url, lineNumber, columnNumber } = message.location();
    const place = url === '' ? null : { url, line: lineNumber + 1, column: columnNumber + 1 };
    this.add('console', text, { place: placeIn(text) ?? place });
  }

  #judge({ text, showsSomething, tooWide, missingImages, overlay, ...facts }: Facts): void {
    if (overlay !== null) {
      this.add('overlay', overlayMessage(overlay), { place: overlayPlace(overlay) });
    } else if (text === '' && !showsSomething) {
      const clues = facts.hiddenClues;
      const why = clues.length === 0 ? '' : ` What is there is hidden by ${clues[0]?.text}.`;
      this.add('blank', `The page shows nothing at all.${why}`, { clues });
    } else if (facts.invisible !== null) {
      const { name, clues } = facts.invisible;
      this.add(
        'blank',
        `Nothing can be read: the text, such as ${name}, has the color of its ground.`,
        { clues },
      );
    }
    for (const source of missingImages) {
      const clues = [{ text: source, file: '' }];
      this.add('missing_image', `The image ${source} is not there.`, { clues });
    }
    this.#judgeWidth(tooWide, DESKTOP.width);
  }

  #judgeWidth(tooWide: Facts['tooWide'], width: number): void {
    const [first] = tooWide;
    if (first === undefined) return;
    const names = tooWide.map(({ name }) => name).join(', ');
    this.add(
      'overflow',
      `At ${width} px wide the page scrolls sideways: ${names} is up to ${first.by} px too wide.`,
      { clues: first.clues },
    );
  }

  async #firstPaint(page: Page): Promise<Facts> {
    const from = performance.now();
    for (;;) {
      const facts = await this.#ask(page, 'facts()', Facts);
      const isThere = facts.overlay !== null || facts.text !== '' || facts.showsSomething;
      if (isThere || performance.now() - from > FIRST_PAINT_MS) return facts;
      await delay(100, this.#signal);
    }
  }

  async #atPhone(page: Page): Promise<void> {
    await page.setViewportSize(PHONE);
    await delay(150, this.#signal);
    const { tooWide } = await this.#ask(page, 'facts()', Facts);
    this.#judgeWidth(tooWide, PHONE.width);
    await page.setViewportSize(DESKTOP);
  }

  async #accessibility(page: Page): Promise<void> {
    const faults = await this.#judgedByAxe(page).catch(() => []);
    this.#signal.throwIfAborted();
    for (const { help, html, more, ratio, clues } of faults) {
      const said = ratio === null ? help : `${help} (here ${ratio})`;
      const others = more === 0 ? '' : ` and ${more} more`;
      this.add('accessibility', `${said}: ${html}${others}`, { clues });
    }
  }

  /** Rejects for a page that axe cannot judge, or not in time: no fault of the page. */
  async #judgedByAxe(page: Page): Promise<z.infer<typeof AccessibilityFaults>> {
    await untilAborted(page.evaluate(await axeSource()), this.#signal);
    return await this.#ask(page, 'accessibility()', AccessibilityFaults, JUDGE_MS);
  }

  async #takeSteps(page: Page, activity: PageActivity): Promise<void> {
    for (const step of this.#wish.steps) {
      const before = this.#after;
      const said = describeStep(step);
      this.#after = `After ${said}: `;
      const problem = await doStep(page, step);
      if (problem !== null) {
        this.#after = before;
        this.add('step', problem);
        return;
      }
      this.#passed.push(said);
      activity.begin();
      await settle(page, activity, this.#signal);
    }
    this.#after = '';
  }

  /** Presses every control once, with the fields filled. */
  async #pressAll(page: Page): Promise<void> {
    const { selector, shown } = await this.#ask(page, 'controls()', Controls);
    for (const { index, name, sendsForm, clues } of shown.slice(0, MOST_PRESSED)) {
      const label = name === '' ? 'a button without a name' : `"${name}"`;
      let [requests, documents] = [0, 0];
      const onRequest = (request: Request): void => {
        requests += 1;
        if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents += 1;
      };
      // The one before may have led elsewhere.
      await page.waitForLoadState('domcontentloaded', { timeout: ASK_MS });
      await this.#ask(page, 'fillFields()', z.unknown());
      await this.#ask(page, 'watch()', z.unknown());
      page.on('request', onRequest);
      this.#after = `After pressing ${label}: `;
      const known = this.#problems.length;
      try {
        const control = page.locator(`css:light=${selector}`).nth(index);
        const isPressed = await control.click({ timeout: 1_500 }).then(
          () => true,
          // Another one may have taken it away, or cover it.
          () => false,
        );
        await delay(200, this.#signal);
        if (!isPressed || !sendsForm || this.#problems.length > known) continue;
        const from = performance.now();
        let isSeen = false;
        while (!isSeen && documents === 0 && performance.now() - from < REACTION_MS) {
          // A page that is left answers no more.
          const hasChanged = this.#ask(page, 'hasChanged()', z.boolean()).catch(() => true);
          isSeen = requests > 0 || (await hasChanged);
          if (!isSeen) await delay(100, this.#signal);
        }
        if (documents > 0) {
          this.add(
            'nothing_happens',
            'the page loads again and what was typed is lost: the form has no handler.',
            { clues },
          );
        } else if (!isSeen) {
          this.add('nothing_happens', 'nothing happens at all.', { clues });
        }
      } finally {
        page.off('request', onRequest);
        this.#after = '';
      }
    }
  }

  async #ask<Answer>(
    page: Page,
    call: string,
    schema: z.ZodType<Answer>,
    ms = ASK_MS,
  ): Promise<Answer> {
    const script = this.#wish.script.trimEnd().replace(/;$/, '');
    const answer = await untilAborted(
      page.evaluate(`(${script}).${call}`),
      AbortSignal.any([this.#signal, AbortSignal.timeout(ms)]),
    );
    return schema.parse(answer);
  }
}

/** The rules of accessibility, as a program for pages. */
const axeSource = once(async () => {
  const { resolve } = createRequire(import.meta.url);
  return await readFile(resolve('axe-core/axe.min.js'), 'utf8');
});

function reasonOf(error: unknown): string {
  return failureOf(error) ?? shortReason(error instanceof Error ? error.message : String(error));
}
