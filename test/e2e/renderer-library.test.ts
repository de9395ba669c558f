import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The library in the settings, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`the library in the window${chromiumNote}`, () => {
  const window = useWindow();

  it('shows folders with unreadable files; adds, searches and removes', async () => {
    await window.goto('#/task/t-sales');
    const { page } = window;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Library' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Library' });
    await panel.getByText('Up to date. 2 of 3 files indexed.').waitFor();
    await panel.getByText('1 file with problems').click();
    await panel.getByText('It has pages but no text.').waitFor();

    const folder = panel.getByLabel('Folder', { exact: true });
    await folder.fill('notes');
    await folder.press('Enter');
    await panel.getByText('"notes" is not a whole path.').waitFor();
    await folder.fill('/home/me/papers');
    await folder.press('Enter');
    await panel.getByText('/home/me/papers', { exact: true }).waitFor();
    expect(await folder.inputValue()).toBe('');

    const query = panel.getByLabel('Search the library');
    await query.fill('crane');
    await query.press('Enter');
    await panel.getByText('The crane of the old harbour lifts 40 tonnes.').waitFor();
    await query.fill('zeppelin');
    await query.press('Enter');
    await panel.getByText('No results.').waitFor();

    await panel.getByLabel('Model for semantic search').selectOption({ index: 1 });
    await panel.getByRole('button', { name: 'Remove /home/me/papers from the library' }).click();
    await panel.getByText('/home/me/papers', { exact: true }).waitFor({ state: 'detached' });
    const asked = await page.evaluate(() =>
      globalThis.fake.requests
        .filter(({ name }) => name.startsWith('library.') || name === 'settings.update')
        .map(({ name }) => name),
    );
    expect(asked).toEqual([
      ...['library.list', 'library.add', 'library.add', 'library.search', 'library.search'],
      ...['settings.update', 'library.remove'],
    ]);
  });
});
