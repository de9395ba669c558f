import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileRun } from '../fixtures/hostile-run.ts';
import { xssStrings } from '../fixtures/xss-strings.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { sample } from '../setup/sampling.ts';
import { useChromium } from '../setup/use-window.ts';

/**
 * Each hostile string by itself in each place that shows what others wrote, in real Chromium with the
 * policy of the page switched OFF: what holds here is the window alone. That the policy holds by
 * itself is in `shell-preload` and `renderer-safety`.
 */

const PLACES = [
  ...['message', 'tool result', 'file name', 'title', 'artifact', 'dialog'],
  ...['plan', 'check', 'source', 'excerpt', 'report'],
];
const ARTIFACTS = ['html', 'svg', 'csv', 'md'] as const;
const PAGES = 2;
/** Lines of the conversation of such a run that can be opened: thinking, calls, checks, plans. */
const LINES = 6;
/** Strings of one test. */
const PORTION = 12;
/** Which strings are shown, by their places in the list. */
const SHOWN = sample([...xssStrings('http://127.0.0.1:1').keys()], {
  ...{ name: 'hostile strings in the window', size: 12 },
});
const PORTIONS = SHOWN.flatMap((_, at) => (at % PORTION ? [] : [at + 1]));

interface Harm {
  hits: number;
  requests: string[];
  navigations: string[];
  dialogs: string[];
}
const NO_HARM: Harm = { hits: 0, requests: [], navigations: [], dialogs: [] };

describe.skipIf(chromiumPath === null)(`hostile strings, one by one${chromiumNote}`, () => {
  const chromium = useChromium();
  let listener: Server;
  let listenerUrl: string;
  let strings: readonly string[];
  const heard: string[] = [];

  beforeAll(async () => {
    listener = createServer(({ url = '' }, response) => {
      if (url === '/empty') response.writeHead(200, { 'content-type': 'text/html' }).end();
      else {
        if (url !== '/last' && url !== '/favicon.ico') heard.push(url);
        response.writeHead(204).end();
      }
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    listenerUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    strings = xssStrings(listenerUrl);
  });

  afterAll(async () => {
    listener?.closeAllConnections();
    await new Promise((resolve) => listener?.close(resolve));
  });

  async function openPage(): Promise<{ page: Page; harm: Harm }> {
    const context = await chromium.browser.newContext({
      bypassCSP: true,
      viewport: { width: 1300, height: 2000 },
    });
    const page = await context.newPage();
    const harm: Harm = structuredClone(NO_HARM);
    await page.exposeFunction('hit', () => {
      harm.hits += 1;
    });
    page.on('dialog', (dialog) => {
      harm.dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(chromium.url) && !/^(?:blob|data):/.test(url)) harm.requests.push(url);
    });
    page.on('popup', (popup) => harm.navigations.push(`popup ${popup.url()}`));
    page.on('framenavigated', (frame) => {
      const isOurs = frame === page.mainFrame() && frame.url().startsWith(chromium.url);
      if (!isOurs) harm.navigations.push(frame.url());
    });
    return { page, harm };
  }

  it('do harm when taken as HTML, so the canaries work', async () => {
    let harmful = 0;
    const context = await chromium.browser.newContext();
    const page = await context.newPage();
    for (const text of strings) {
      // A new page, so that no string counts for the next one.
      await page.goto(`${listenerUrl}/empty`);
      const before = heard.length;
      const given = JSON.stringify({ html: text, at: listenerUrl });
      const hits = await page.evaluate<number>(`(${takenForHtml})(${given})`);
      if (hits > 0 || heard.length > before) harmful += 1;
    }
    await context.close();
    heard.length = 0;
    console.log(`XSS: ${harmful} of ${strings.length} strings do harm where they are HTML`);
    expect(harmful).toBeGreaterThanOrEqual(25);
  });

  type Note = (place: string, where: string, what: string) => Promise<void>;

  async function lookAtPlan(page: Page, index: number, note: Note): Promise<void> {
    await page.getByRole('tab', { name: 'Plan' }).click();
    for (const line of await page.locator('.plan-tab .disclosure-trigger').all()) {
      await line.click();
    }
    await note('plan', '.plan-tab .plan-step-title', `plan-${index}:`);
    await note('plan', '.plan-tab .todo-text', `plan-${index}:`);
    await note('plan', '.plan-tab .plan-details', `summary-${index}:`);
    await note('check', '.plan-tab .fact-list', `evidence-${index}:`);
    await page.evaluate(POKE);
  }

  async function lookAtResearch(page: Page, index: number, note: Note): Promise<void> {
    await page.getByRole('tab', { name: 'Sources' }).click();
    await note('source', '.sources-tab', `source-${index}:`);
    await note('excerpt', '.sources-tab blockquote', `excerpt-${index}:`);
    await page.evaluate(POKE);
    await page.getByRole('tab', { name: 'Report' }).click();
    await note('report', '.report-body', `report-${index}:`);
    await note('report', '.findings', `finding-${index}:`);
    await page.evaluate(POKE);
    const number = page
      .locator('.report-body')
      .getByRole('button', { name: /^Source 1/ })
      .first();
    // A string that turns the rest of the report into code leaves no citation to press.
    if ((await number.count()) > 0) {
      await number.click();
      await note('excerpt', '.citation-popover', `excerpt-${index}:`);
      await page.keyboard.press('Escape');
    }
  }

  /** Shows one string everywhere; returns the places where it really was on the screen. */
  async function show(page: Page, text: string, index: number): Promise<string[]> {
    const marks = (place: string): string => `${place}-${index}: ${text}`;
    const artifacts = ARTIFACTS.map((ending) => `artifact-${index}.${ending}`);
    await page.evaluate(
      ({ id, run, title, prompt, name, content, files }) => {
        const { fake } = globalThis;
        const first = fake.state.runs[0];
        const like = fake.state.threads[0];
        if (first === undefined || like === undefined) throw new Error('no history');
        const thread = { ...like, id, title, status: 'waiting' as const };
        fake.state.threads.push(thread);
        fake.state.files.clear();
        const plain = { mimeType: 'text/plain', encoding: 'utf8' as const, data: content };
        fake.state.files.set(name, plain);
        for (const file of files) {
          const mimeType = file.endsWith('svg') ? 'image/svg+xml' : 'text/plain';
          fake.state.files.set(file, { ...plain, mimeType });
        }
        const status = 'waiting' as const;
        fake.addLog({ ...first, id: `run-${id}`, threadId: id, status, prompt }, run);
        fake.push({ kind: 'thread_changed', thread });
      },
      {
        ...{ id: `xss-${index}`, run: hostileRun(marks), title: marks('title') },
        ...{ prompt: marks('prompt'), content: text, files: artifacts },
        name: marks('name').replaceAll('\u0000', ''),
      },
    );
    await page.evaluate(`location.hash = '#/task/xss-${index}'`);
    await page.locator('.question').getByText(`dialog-${index}:`).first().waitFor();
    const seen: string[] = [];
    const note = async (place: string, where: string, what: string): Promise<void> => {
      const at = page.locator(where).filter({ hasText: what }).first();
      await at.waitFor();
      seen.push(place);
    };
    await note('dialog', '.question', `argument-${index}:`);
    await note('title', 'secondary, nav, header', `title-${index}:`);
    const opened = await page.evaluate<number>(`(${openLines})()`);
    expect(opened, text).toBe(LINES);
    for (const [place, what] of IN_CHAT) {
      await page.evaluate(`(${scrollTo})(${JSON.stringify(`${what}-${index}:`)})`);
      await note(place, '.transcript', `${what}-${index}:`);
    }
    await page.evaluate(POKE);
    await lookAtPlan(page, index, note);
    await lookAtResearch(page, index, note);
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await note('tool result', '.xterm-rows', `terminal-${index}:`);
    // Output that claims to be a link is pressed like one.
    const link = page.locator('.xterm-rows').getByText('press').first();
    if (await link.isVisible()) await link.click({ force: true });
    await page.getByRole('tab', { name: 'Files' }).click();
    await note('file name', '.file-tree', `name-${index}:`);
    for (const file of artifacts) {
      await page.locator('.file-tree button', { hasText: file }).dispatchEvent('click');
      await page.getByRole('heading', { name: file }).waitFor();
      await page.locator('.file-viewer-body > *').first().waitFor();
      await page.getByRole('button', { name: 'All files' }).dispatchEvent('click');
    }
    seen.push('artifact');
    return [...new Set(seen)];
  }

  const shown: [number, string[]][] = [];
  const harms: Harm[] = [];

  it.each(PORTIONS)(
    'run nothing, ask for nothing and lead nowhere, in any of eleven places (from the %i. on)',
    async (first) => {
      const queue = SHOWN.slice(first - 1, first - 1 + PORTION);
      const work = async (): Promise<void> => {
        const { page, harm } = await openPage();
        harms.push(harm);
        await page.goto(chromium.url);
        await page.getByRole('textbox', { name: 'Message' }).waitFor();
        const title = await page.title();
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          const text = strings[next] ?? '';
          shown.push([next, await show(page, text, next)]);
          expect(await page.evaluate(FOREIGN), text).toEqual([]);
          expect(await page.title(), text).not.toBe('hit');
        }
        expect(title).not.toBe('hit');
        await page.waitForTimeout(200);
        await page.context().close();
      };
      await Promise.all(Array.from({ length: PAGES }, work));
      expect({ harms, heard }).toEqual({ harms: harms.map(() => NO_HARM), heard: [] });
    },
  );

  it('were all shown, each in every place', () => {
    const places = shown.flatMap(([, seen]) => seen);
    const hits = harms.reduce((sum, harm) => sum + harm.hits, 0);
    console.log(
      `XSS: ${shown.length} of ${strings.length} strings x ${PLACES.length} places = ${places.length} shown, ${hits} scripts, ${heard.length} requests, ${harms.flatMap((harm) => harm.navigations).length} navigations`,
    );
    // Effects that were still pending after the last string.
    expect({ harms, heard }).toEqual({ harms: harms.map(() => NO_HARM), heard: [] });
    expect(strings.length).toBeGreaterThanOrEqual(60);
    for (const [index, seen] of shown) {
      expect(seen.sort(), strings[index]).toEqual([...PLACES].sort());
    }
    expect(shown.map(([index]) => index).sort((a, b) => a - b)).toEqual(SHOWN);
  });
});

/**
 * Makes elements of a string, and gives how often it ran its script. It waits for something of every kind
 * that came after it: a frame, an animation, a broken image, a toggle, a frame's page, and an answer over HTTP.
 */
const takenForHtml = `async ({ html, at }) => {
  let count = 0;
  globalThis.hit = () => { count += 1; };
  document.body.innerHTML = html;
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  await frame();
  await frame();
  const after = (tag, attributes, ...events) => new Promise((came) => {
    const node = document.createElement(tag);
    for (const event of events) node.addEventListener(event, came);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    document.body.append(node);
  });
  const sheet = document.createElement('style');
  sheet.textContent = '@keyframes last {}';
  document.head.append(sheet);
  await Promise.all([
    after('b', { style: 'animation: last 1ms' }, 'animationend'),
    after('img', { src: 'x:x' }, 'error'),
    after('details', { open: '' }, 'toggle'),
    after('iframe', { srcdoc: '<p>last</p>' }, 'load'),
    after('img', { src: at + '/last' }, 'load', 'error'),
  ]);
  return count;
}`;

/** The places of a conversation, in the order of its rows. */
const IN_CHAT = [
  ['message', 'message'],
  ['tool result', 'result'],
  ['plan', 'plan'],
  ['check', 'check'],
] as const;

/** Scrolls through the whole conversation, because hidden rows are not rendered; returns how many lines it opened. */
const openLines = `async () => {
  const list = document.querySelector('.transcript');
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  let opened = 0;
  for (let top = 0; top < list.scrollHeight; top += 700) {
    list.scrollTo(0, top);
    await frame();
    await frame();
    for (const line of list.querySelectorAll('.disclosure-trigger[data-state=closed]')) {
      line.click();
      opened += 1;
    }
    await frame();
  }
  return opened;
}`;

/** Scrolls through the conversation until it shows `what`. */
const scrollTo = `async (what) => {
  const list = document.querySelector('.transcript');
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  for (let top = 0; !list.textContent.includes(what) && top < list.scrollHeight; top += 700) {
    list.scrollTo(0, top);
    await frame();
    await frame();
  }
}`;

/** Hovers, focuses and presses every element that the text may have made, except the app's own buttons. */
const POKE = `for (const node of document.querySelectorAll('.transcript *, .question *, .tab-panel *')) {
  if (node.closest('button:not(.link), input, textarea, [role=tab]') !== null) continue;
  for (const type of ['mouseover', 'focus', 'focusin', 'animationstart', 'toggle', 'error', 'load']) {
    node.dispatchEvent(new Event(type, { bubbles: false }));
  }
  if (!node.matches('button') && node.closest('button') === null) node.click?.();
}`;

/** Elements, attributes and addresses that only the string can have made. */
const FOREIGN = `[
  ...document.querySelectorAll('iframe, object, embed, frame, video, audio, base, meta[http-equiv], form[action], portal, math:not(.formula .katex-mathml > math), math [href], math [src], maction, animate, foreignObject, link[href*="127.0.0.1"]:not([href^="' + location.origin + '"])'),
  ...[...document.scripts].filter((script) => !script.src.startsWith(location.origin)),
  ...[...document.querySelectorAll('*')].filter((node) => [...node.attributes].some(({ name }) => name.startsWith('on'))),
  ...[...document.querySelectorAll('a[href], area[href]')].filter((link) => !/^(https?:|mailto:|blob:)/.test(link.href)),
  ...[...document.images].filter((image) => !/^(blob:|data:image\\/(png|jpeg|gif|webp))/.test(image.src)),
].map((node) => node.outerHTML.slice(0, 200))`;
