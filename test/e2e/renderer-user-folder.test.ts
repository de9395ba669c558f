import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The user's own folder: given in the message box, reviewed and applied beside the files. */
describe.skipIf(chromiumPath === null)(`a folder of the user${chromiumNote}`, () => {
  const window = useWindow();

  it('is checked when it is chosen, goes with the message, and can be taken back before', async () => {
    const { page } = window;
    await window.goto('#/');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Use a folder of this computer' }).click();
    await dialog.getByRole('textbox', { name: 'Folder' }).fill('project');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('is not an absolute path').waitFor();
    await dialog.getByRole('textbox', { name: 'Folder' }).fill('/home/me/project');
    await dialog.getByRole('radio', { name: 'Read only' }).check();
    await dialog.getByRole('button', { name: 'Use folder' }).click();
    const chip = page.locator('.composer .attachment');
    expect(await chip.innerText()).toMatch(
      /project\s+12 files, 48.0 kB · 1 not copied · your folder, read only/,
    );
    await chip.getByRole('button', { name: 'Remove the folder project' }).click();
    expect(await chip.count()).toBe(0);
    await page.getByRole('button', { name: 'Use a folder of this computer' }).click();
    await dialog.getByRole('textbox', { name: 'Folder' }).fill('/home/me/project');
    await dialog.getByRole('button', { name: 'Use folder' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Tidy up my project');
    await page.keyboard.press('Enter');
    await page.locator('.user-turn').getByText('your folder, as a copy').waitFor();
    const asked = await window.sent('runs.start');
    expect(asked).toMatchObject([{ folder: { path: '/home/me/project', access: 'copy' } }]);
    // One folder for each task.
    await expect
      .poll(() => page.getByRole('button', { name: 'Use a folder of this computer' }).count())
      .toBe(0);
  });

  it('shows what differs; only what is safe is chosen, and what was applied can be undone', async () => {
    const { page } = window;
    await window.goto('#/');
    await page.evaluate(() => globalThis.fake.folder.give('t-sales', 'copy'));
    await page.evaluate("location.hash = '#/task/t-sales'");
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByText('6 files changed').waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const boxes = page.locator('.folder-changes input[type=checkbox]');
    await expect.poll(() => boxes.count()).toBe(6);
    const chosen = await boxes.evaluateAll((all) =>
      all.map(
        (box) => `${box.getAttribute('aria-label')} ${(box as { checked?: boolean }).checked}`,
      ),
    );
    expect(chosen).toEqual([
      ...['Apply notes/plan.md true', 'Apply report.md true', 'Apply old.txt true'],
      ...['Apply budget.csv false', 'Apply .vscode/tasks.json false', 'Apply link false'],
    ]);
    await page.getByRole('button', { name: /^notes\/plan\.md/ }).click();
    await page.locator('.diff-line[data-kind=added]').waitFor();
    await page.getByRole('checkbox', { name: 'Apply old.txt' }).uncheck();
    await page.getByRole('checkbox', { name: 'Apply budget.csv' }).check();
    await page.getByRole('button', { name: 'Apply 3 files' }).click();
    await page.getByText('3 files written to your folder.').waitFor();
    const asked = await window.sent('folders.apply');
    const paths = asked.flatMap((input) =>
      (input as { changes: { path: string }[] }).changes.map(({ path }) => path),
    );
    expect(paths).toEqual(['notes/plan.md', 'report.md', 'budget.csv']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 files restored.').waitFor();
    await expect.poll(() => boxes.count()).toBe(6);
  });

  it('that is given to be read has nothing to apply', async () => {
    const { page } = window;
    await window.goto('#/');
    await page.evaluate(() => globalThis.fake.folder.give('t-sales', 'read'));
    await page.evaluate("location.hash = '#/task/t-sales'");
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByText('Read only: changes of the copy cannot be applied.').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
  });
});
