import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { showSidebar } from '../setup/narrow-window.ts';
import { useWindow } from '../setup/use-window.ts';

/** What the agent made: the page of all tasks, and the tab of one, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`artifacts in the window${chromiumNote}`, () => {
  const window = useWindow('?artifacts=3');
  const names = () => window.page.locator('.artifact-name').allInnerTexts();
  const focused = () =>
    window.page.evaluate<string>(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? ''`,
    );

  it('are listed, narrowed, opened, and lead to their task', async () => {
    const { page } = window;
    await window.goto('#/');
    await page.getByRole('button', { name: 'Artifacts', exact: true }).click();
    await page.getByText('16 files').waitFor();
    expect(new URL(page.url()).hash).toBe('#/artifacts');
    expect((await names()).slice(0, 4)).toEqual([
      'two ↵ lines.txt',
      'report⟨U+202E⟩gnp.exe',
      expect.stringMatching(/^very-long-name-/),
      'revenue.png',
    ]);
    await page.getByLabel('Kind').selectOption('Images and charts');
    await page.getByText('6 files').waitFor();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('CHART');
    await expect.poll(names).toEqual(['broken-chart.png', 'revenue.png'].toReversed());
    // Pictures as main decoded them, and the sign of the kind where it could not.
    const pictures = page.locator('.artifact-thumbnail > img');
    await expect.poll(() => pictures.count()).toBe(1);
    expect(await pictures.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
    expect(await page.locator('.artifact-thumbnail > svg').count()).toBe(1);
    await page.getByRole('button', { name: 'revenue.png', exact: true }).click();
    const viewer = page.locator('.file-viewer');
    await viewer.getByRole('heading', { name: 'revenue.png' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/task/t-old');

    await page.goBack();
    await expect.poll(names).toEqual(['revenue.png', 'broken-chart.png']);
    await page
      .getByRole('button', { name: /^Go to the task Invoice template/ })
      .first()
      .click();
    await page.locator('[data-found="true"] .tool-subject').getByText('make all').waitFor();
    await page.getByRole('tab', { name: 'Artifacts' }).click();
    const first = page.getByRole('tabpanel').getByRole('listitem').first();
    await first.getByRole('button', { name: 'two ↵ lines.txt', exact: true }).click();
    await viewer.getByText('In two').waitFor();
  });

  it('are saved whole and copied as text; what was deleted says so', async () => {
    const { page } = window;
    await window.goto('#/artifacts');
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save server.ts' }).click();
    expect((await downloaded).suggestedFilename()).toBe('server.ts');
    await page.getByRole('button', { name: 'Copy the text of server.ts' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const draft = page.getByRole('listitem').filter({ hasText: 'draft.txt' });
    expect(await draft.innerText()).toMatch(/^draft\.txt\s+Deleted/);
    expect(await draft.getByRole('button').count()).toBe(1);
    await page.evaluate("fake.state.files.delete('archive.zip')");
    await page.getByRole('button', { name: 'Save archive.zip' }).click();
    await page.getByText('There is no file archive.zip.').waitFor();
  });

  it('are reached and walked by keyboard alone, ten thousand of them, of which few are rendered', async () => {
    const { page } = window;
    await window.goto('', '?artifacts=9987');
    await page.getByRole('heading', { name: 'What can I help with?' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('all artifacts');
    await page.getByRole('option', { name: /^Show all artifacts/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('More than 200 files').waitFor();
    for (let presses = 0; presses < 40 && (await focused()) !== 'two ↵ lines.txt'; presses += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('report⟨U+202E⟩gnp.exe');
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('album-09799.jpg');
    await page.getByText('More than 400 files').waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('album-09798.jpg');
    expect(await page.locator('.artifact').count()).toBeLessThan(60);
    await page.keyboard.press('Enter');
    await page.locator('.file-viewer').getByRole('heading', { name: 'album-09798.jpg' }).waitFor();
  });

  it('of a run that works appear without a reload, at 420 pixels too', async () => {
    const { page } = window;
    await page.setViewportSize({ width: 420, height: 760 });
    await window.goto('#/task/t-sales');
    await showSidebar(page, true);
    await page.getByRole('dialog').getByRole('button', { name: 'Artifacts', exact: true }).click();
    await page.getByText('16 files').waitFor();
    const emit = (operation: string) =>
      page.evaluate(`fake.emit('run-t-wait', [{ type: 'workspace_update', operation: '${operation}',
        path: 'photos/new.jpg', size: 9, origin: 'call-new' }])`);
    await emit('create');
    await page.getByText('17 files').waitFor();
    const row = page.getByRole('listitem').first();
    expect(await row.innerText()).toMatch(/^new\.jpg\s+Clean up the photo archive/);
    const wider = await page.evaluate(
      `[...document.querySelectorAll('.artifact *')].filter((one) => one.getBoundingClientRect().right > 421).length`,
    );
    expect(wider).toBe(0);
    await emit('delete');
    await row.getByText('Deleted').waitFor();
    await page.evaluate(`fake.push({ kind: 'thread_deleted', threadId: 't-wait' });
      fake.state.runs = fake.state.runs.filter(({ threadId }) => threadId !== 't-wait')`);
    await page.getByText('16 files').waitFor();
    await page.getByRole('button', { name: 'handbook.docx', exact: true }).click();
    await page.locator('.file-viewer').getByRole('heading', { name: 'handbook.docx' }).waitFor();
  });
});
