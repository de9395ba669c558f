import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`when the computer comes forward${chromiumNote}`, () => {
  const window = useWindow('?pace=1');
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });
  const computer = () => page.getByRole('complementary', { name: 'Computer' });
  const tab = (name: string) => computer().getByRole('tab', { name });
  const start = async (text: string) => {
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill(text);
    await composer.press('Enter');
  };
  /** A task that talks before it does anything. */
  const talk = async () => {
    await window.goto('');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.evaluate(() => {
      const { before, after } = globalThis.fake.script;
      globalThis.fake.script = {
        before: before.filter(({ type }) => type !== 'workspace_update'),
        after,
      };
    });
    await start('Total the sales');
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
  };
  const approve = () => page.getByRole('button', { name: 'Approve once' }).click();

  it('is hidden until there is something to see, then shows what is worked with', async () => {
    await talk();
    expect(await computer().count()).toBe(0);
    await page.getByRole('button', { name: 'Show the computer' }).waitFor();
    await approve();
    await computer().waitFor();
    await page.getByText('The run is finished.').waitFor({ state: 'attached' });
    expect(await tab('Files').getAttribute('aria-selected')).toBe('true');
    await tab('Terminal').waitFor();
  });

  it('opens before that for who asks for it, and has no terminal without commands', async () => {
    await talk();
    await page.getByRole('button', { name: 'Show the computer' }).click();
    await tab('Files').waitFor();
    expect(await tab('Terminal').count()).toBe(0);
    await page.getByRole('button', { name: 'Hide the computer' }).click();
    await computer().waitFor({ state: 'hidden' });
    // Who closed it is not bothered by what comes.
    await approve();
    await page.getByText('The run is finished.').waitFor({ state: 'attached' });
    expect(await computer().count()).toBe(0);
  });

  it('stays on the tab that the user chose', async () => {
    await talk();
    await page.getByRole('button', { name: 'Show the computer' }).click();
    await tab('Network').click();
    await approve();
    await page.getByText('The run is finished.').waitFor({ state: 'attached' });
    await tab('Terminal').waitFor();
    expect(await tab('Network').getAttribute('aria-selected')).toBe('true');
  });

  it('is not there for a task that only talked, and comes back with one that worked', async () => {
    await window.goto('#/task/t-unverified');
    await page.getByText('This answer is not verified').waitFor();
    expect(await computer().count()).toBe(0);
    await page.getByRole('button', { name: 'Sales by region' }).first().click();
    await computer().waitFor();
  });
});
