import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestName } from '#contract/requests.ts';
import { chromiumNote, chromiumPath, launchChromium } from '../setup/chromium.ts';
import { openWindowHarness, type WindowHarness, watchPage } from '../setup/window-harness.ts';

/** The settings of search, in real Chromium before a fake main. */
describe.skipIf(chromiumPath === null)(`search in the window${chromiumNote}`, () => {
  let harness: WindowHarness;
  let browser: Browser;
  let page: Page;
  let trouble: string[];

  beforeAll(async () => {
    harness = await openWindowHarness();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
    trouble = watchPage(page, harness.url);
    await page.goto(`${harness.url}#/task/t-sales`);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Search' }).click();
  });
  afterEach(async () => {
    expect(trouble).toEqual([]);
    await page.close();
  });

  const made = (name: RequestName) =>
    page.evaluate(
      (wanted) =>
        globalThis.fake.requests.filter((one) => one.name === wanted).map(({ input }) => input),
      name,
    );

  it('the person says who is asked, and where their own server is', async () => {
    await page.getByRole('radio', { name: /^SearXNG/ }).check();
    const address = page.getByLabel('Address of SearXNG');
    await address.fill(' http://127.0.0.1:8888 ');
    await address.press('Enter');
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect(await made('settings.update')).toEqual([
      { changes: { searchProvider: 'searxng' } },
      { changes: { searxngUrl: 'http://127.0.0.1:8888' } },
    ]);
  });

  it('keys go in, stay hidden, are told to be there, and can be taken away; the models do not show them', async () => {
    const field = page.getByLabel('Key for Brave', { exact: true });
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill('typed-key-1');
    await field.press('Enter');
    await page.getByText('A key is stored').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await made('secrets.set')).toEqual([{ name: 'search-brave', value: 'typed-key-1' }]);
    await page.getByRole('tab', { name: 'Models' }).click();
    await page.getByText('Keys are never shown again').waitFor();
    await page.getByLabel('Key for lm-studio', { exact: true }).waitFor();
    expect(await page.getByLabel(/^Key for search-/).count()).toBe(0);
    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Delete the key for Brave' }).click();
    await page.getByText('A key is stored').waitFor({ state: 'detached' });
    expect(await made('secrets.delete')).toEqual([{ name: 'search-brave' }]);
  });

  it('a trial shows three results with every character of theirs, and what went wrong', async () => {
    await page.getByLabel('Search for').fill('tides');
    await page.getByRole('button', { name: 'Try it' }).click();
    const items = page.getByRole('list', { name: 'What was found' }).getByRole('listitem');
    await items.first().waitFor();
    const texts = await items.allInnerTexts();
    expect(texts.map((text) => text.split('\n')[0])).toEqual([
      'Forecast for the week',
      'Climate in numbers',
      'What to wear ⟨U+202E⟩raew',
    ]);
    await page.getByText('Asked: Brave, DuckDuckGo.').waitFor();
    await page.getByText('The key of Brave was refused').waitFor();
    expect(await made('search.try')).toEqual([{ query: 'tides', limit: 3 }]);
    // What was found is not a way out of the window.
    expect(await items.getByRole('link').count()).toBe(0);
  });

  it('a trial that nobody answered says what to do', async () => {
    const message = 'No search gave an answer. Enter a key in the settings, under Search.';
    await page.evaluate((text) => {
      globalThis.fake.refuse.set('search.try', {
        ...{ code: 'SEARCH_FAILED', message: text, details: {} },
      });
    }, message);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('alert').getByText(message).waitFor();
    expect(await page.getByRole('list', { name: 'What was found' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('Forecast for the week').waitFor();
    expect(await page.getByRole('alert').getByText(message).count()).toBe(0);
  });
});
