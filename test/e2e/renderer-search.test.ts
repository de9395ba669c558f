import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The settings of search, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`search in the window${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  const openSearch = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Search' }).click();
  };
  beforeEach(async () => {
    page = window.page;
    await window.goto('#/task/t-sales');
    await openSearch();
  });

  it('the user chooses the provider, and sets their own server', async () => {
    await page.getByRole('radio', { name: /^SearXNG/ }).check();
    const address = page.getByLabel('SearXNG address');
    await address.fill(' http://127.0.0.1:8888 ');
    // Shown for a moment only, so the wait starts before it.
    const saved = page.getByText('Saved', { exact: true }).first().waitFor();
    await address.press('Enter');
    await saved;
    await expect
      .poll(() => window.sent('settings.update'))
      .toEqual([
        { changes: { searchProvider: 'searxng' } },
        { changes: { searxngUrl: 'http://127.0.0.1:8888' } },
      ]);
  });

  it('offers no key field without a secure keychain', async () => {
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      globalThis.fake.state.keyStorage = null;
    });
    await openSearch();
    await page.getByText('Keys cannot be stored').waitFor();
    expect(await page.getByLabel('Key for Brave', { exact: true }).isDisabled()).toBe(true);
  });

  it('keys can be stored, shown as stored, and deleted, and stay hidden; the models section does not show them', async () => {
    const field = page.getByLabel('Key for Brave', { exact: true });
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill('typed-key-1');
    await field.press('Enter');
    await page.getByText('Key stored').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await window.sent('secrets.set')).toEqual([
      { name: 'search-brave', value: 'typed-key-1' },
    ]);
    await page.getByRole('tab', { name: 'Models' }).click();
    await page.getByText('Keys are never shown again').waitFor();
    await page.getByLabel('Key for lm-studio', { exact: true }).waitFor();
    expect(await page.getByLabel(/^Key for search-/).count()).toBe(0);
    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Delete the key for Brave' }).click();
    await page.getByText('Key stored').waitFor({ state: 'detached' });
    expect(await window.sent('secrets.delete')).toEqual([{ name: 'search-brave' }]);
  });

  it('a test search shows three results with every character visible, and the problems', async () => {
    await page.getByLabel('Search for').fill('tides');
    await page.getByRole('button', { name: 'Test search' }).click();
    const items = page.getByRole('list', { name: 'Results' }).getByRole('listitem');
    await items.first().waitFor();
    const texts = await items.allInnerTexts();
    expect(texts.map((text) => text.split('\n')[0])).toEqual([
      'Forecast for the week',
      'Climate in numbers',
      'What to wear ⟨U+202E⟩raew',
    ]);
    await page.getByText('Searched with: Brave, DuckDuckGo.').waitFor();
    await page.getByText('Brave refused the key').waitFor();
    expect(await window.sent('search.try')).toEqual([{ query: 'tides', limit: 3 }]);
    // Results are text: none of them leads out of the window.
    expect(await items.getByRole('link').count()).toBe(0);
  });

  it('a test search without an answer says what to do', async () => {
    const message = 'No search provider answered. Enter a key in the settings, under Search.';
    await page.evaluate((text) => {
      globalThis.fake.refuse.set('search.try', {
        ...{ code: 'SEARCH_FAILED', message: text, details: {} },
      });
    }, message);
    await page.getByRole('button', { name: 'Test search' }).click();
    await page.getByRole('alert').getByText(message).waitFor();
    expect(await page.getByRole('list', { name: 'Results' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Test search' }).click();
    await page.getByText('Forecast for the week').waitFor();
    expect(await page.getByRole('alert').getByText(message).count()).toBe(0);
  });
});
