import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`finished steps${chromiumNote}`, () => {
  const window = useWindow('?steps=1&pace=1');
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });
  const steps = () => page.getByRole('button', { name: /^\d+ steps/ });
  const parts = () => page.getByRole('button', { name: /^Wrote a file part-\d+\.txt/ });
  /** How many rows above it are rendered depends on the height of the window. */
  const lastPart = () => page.getByRole('button', { name: 'Wrote a file part-3.txt' });
  const start = async () => {
    await window.goto('');
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('Write the parts');
    await composer.press('Enter');
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
  };
  const finish = async () => {
    await page.getByRole('button', { name: 'Approve once' }).click();
    await page.getByText('The run is finished.').waitFor({ state: 'attached' });
  };

  it('are one line that opens by keyboard, and stays open while it is out of sight', async () => {
    await window.goto('#/task/t-steps');
    await page.getByText('All twelve parts are written.').waitFor();
    expect(await steps().innerText()).toBe('12 steps · 2 not done · 12 files · 1 min 1 s');
    expect(await parts().count()).toBe(0);
    expect(await page.getByText('Now part 3.').count()).toBe(0);
    await steps().focus();
    await page.keyboard.press('Enter');
    await parts().first().waitFor();
    expect(await steps().getAttribute('aria-expanded')).toBe('true');
    expect(await page.evaluate('document.activeElement?.getAttribute("aria-expanded")')).toBe(
      'true',
    );
    const conversation = page.getByRole('region', { name: 'Conversation' });
    await conversation.hover();
    await page.mouse.wheel(0, 10_000);
    await page.getByText('All twelve parts are written.').waitFor();
    await steps().waitFor({ state: 'detached' });
    await page.mouse.wheel(0, -10_000);
    await steps().waitFor();
    expect(await steps().getAttribute('aria-expanded')).toBe('true');
    await steps().focus();
    await page.keyboard.press('Space');
    await parts().first().waitFor({ state: 'detached' });
  });

  it('fold when the run ends, and not before', async () => {
    await start();
    await lastPart().waitFor();
    expect(await steps().count()).toBe(0);
    await finish();
    await steps().waitFor();
    await parts().first().waitFor({ state: 'detached' });
    await page.getByText('explains grouping').waitFor();
  });

  it('do not fold while the user reads them', async () => {
    await start();
    await lastPart().click();
    expect(await lastPart().getAttribute('aria-expanded')).toBe('true');
    await finish();
    await page.getByRole('region', { name: 'Conversation' }).hover();
    await page.mouse.wheel(0, -10_000);
    await steps().waitFor();
    expect(await steps().getAttribute('aria-expanded')).toBe('true');
    await lastPart().scrollIntoViewIfNeeded();
    expect(await lastPart().getAttribute('aria-expanded')).toBe('true');
  });

  it('open for a search in the conversation', async () => {
    await window.goto('#/task/t-steps');
    await page.getByText('All twelve parts are written.').waitFor();
    expect(await page.getByText('Now part 7.').count()).toBe(0);
    await page.keyboard.press('Control+f');
    await page.keyboard.type('Now part 7');
    await page.getByText('Now part 7.').waitFor();
  });
});
