import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { temporaryDir } from '../main/storage/support.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The diagnostics document in the window: what is shown is what is saved and copied. */

async function openDiagnostics(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Settings' }).first().click();
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Show diagnostics…' }).click();
  return page.getByRole('dialog', { name: 'Diagnostics' });
}

async function saved(page: Page, dialog: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save…' }).click(),
  ]);
  const file = join(temporaryDir(), 'saved');
  await download.saveAs(file);
  return { name: download.suggestedFilename(), text: readFileSync(file, 'utf8') };
}

const shownIn = (dialog: Locator): Promise<string | null> =>
  dialog.getByRole('region', { name: 'The document' }).locator('pre').textContent();

describe.skipIf(chromiumPath === null)(`diagnostics in the window${chromiumNote}`, () => {
  const window = useWindow();

  it('saves exactly the text that is shown, without the sections that were left out', async () => {
    const { page } = window;
    await window.goto('');
    const dialog = await openDiagnostics(page);
    await dialog.getByText('callTheServerAndWaitForItsAnswer').first().waitFor();
    const whole = await shownIn(dialog);
    expect(whole).toContain('<b>bold</b>');
    expect(whole).not.toContain('Left out by the user');
    expect(await saved(page, dialog)).toEqual({
      name: 'hyperagent-diagnostics-2026-11-29.txt',
      text: whole,
    });
    await dialog.getByLabel('Log', { exact: true }).uncheck();
    await dialog.getByLabel('Settings', { exact: true }).uncheck();
    const part = await shownIn(dialog);
    expect(part).toContain('Left out by the user: settings, log');
    expect(part).not.toMatch(/## (?:log|settings)/);
    expect((await saved(page, dialog)).text).toBe(part);
    await dialog.getByLabel('Log', { exact: true }).check();
    await dialog.getByLabel('Settings', { exact: true }).check();
    expect(await shownIn(dialog)).toBe(whole);
    expect(await window.sent('diagnostics.get')).toEqual([{}]);
  });

  it('copies the same text, and says so until the text is another one', async () => {
    const { page } = window;
    await window.goto('');
    await page.evaluate(`navigator.clipboard.writeText = async (text) => {
      globalThis.copied = text;
    }`);
    const dialog = await openDiagnostics(page);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('globalThis.copied')).toBe(await shownIn(dialog));
    await dialog.getByLabel('Log', { exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).waitFor();
  });

  it('says why it could not be collected, and tries again', async () => {
    const { page } = window;
    await window.goto('');
    const refusal = { code: 'INTERNAL', message: 'The disk is gone.', details: {} };
    await page.evaluate(
      `globalThis.fake.refuse.set('diagnostics.get', ${JSON.stringify(refusal)})`,
    );
    const dialog = await openDiagnostics(page);
    await dialog.getByRole('alert').getByText('The disk is gone.').waitFor();
    await page.evaluate(`globalThis.fake.refuse.delete('diagnostics.get')`);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('callTheServerAndWaitForItsAnswer').first().waitFor();
  });

  it('is closed by Escape alone, with the focus where it was and the settings still open', async () => {
    const { page } = window;
    await window.goto('');
    const dialog = await openDiagnostics(page);
    await dialog.getByRole('region', { name: 'The document' }).focus();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const opener = page.getByRole('button', { name: 'Show diagnostics…' });
    await opener.waitFor();
    await expect
      .poll(() => opener.evaluate((button) => button === button.ownerDocument.activeElement))
      .toBe(true);
  });
});
