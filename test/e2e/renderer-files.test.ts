import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { openFile } from '../setup/file-screens.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`workspace files${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  it('show JSON as a tree, which is drawn as far as it is opened, and as text', async () => {
    const rows = Array.from({ length: 60_000 }, (_, id) => ({
      id,
      name: `<b>row ${id}</b>`,
      x: 'x'.repeat(40),
    }));
    await window.goto('#/task/t-sales');
    await openFile(page, false, ['large.json', JSON.stringify({ rows })]);
    const open = page.getByRole('button', { name: '"rows": [60,000 entries]' });
    await open.press('Enter');
    const shown = page.getByRole('button', { name: '{3 entries}' });
    await expect.poll(() => shown.count()).toBe(100);
    await shown.first().click();
    await page.getByText('"<b>row 0</b>"').waitFor();
    await page.getByRole('button', { name: 'Show more (59,900 left)' }).click();
    await expect.poll(() => shown.count()).toBe(200);
    await open.press('Enter');
    expect(await shown.count()).toBe(0);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.getByText('Only the beginning is shown.').waitFor();
    await page.getByRole('button', { name: 'Tree', exact: true }).click();
    await open.waitFor();
  });

  it('name the place where a file stops being JSON, and show its text', async () => {
    await window.goto('#/task/t-sales');
    await openFile(page, false, ['bad.json', '{\n  "a": 1,\n}']);
    await page.getByText('Not valid JSON: line 3, column 1.').waitFor();
    await page.locator('.file-viewer .code').getByText('"a"').waitFor();
  });
});
