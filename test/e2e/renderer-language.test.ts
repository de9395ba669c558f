import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`the language of the window${chromiumNote}`, () => {
  const window = useWindow();
  const lang = (): Promise<unknown> => window.page.evaluate('document.documentElement.lang');

  it('follows a choice in the settings of any window, and keeps what was typed', async () => {
    const { page } = window;
    await window.goto('');
    expect(await lang()).toBe('en');
    await page.getByRole('textbox', { name: 'Message' }).fill('Half a message');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Appearance' }).click();
    // The fake main of the page starts over when the page reloads: it has to have the choice then.
    await page.addInitScript("globalThis.startLanguage = 'zh-Hans'");
    await page.getByRole('radio', { name: '简体中文', exact: true }).click();
    await page.getByRole('heading', { name: '需要我做什么？' }).waitFor();
    expect(await lang()).toBe('zh-Hans');
    expect(await page.getByRole('textbox', { name: '消息' }).inputValue()).toBe('Half a message');

    await page.reload();
    await page.getByRole('heading', { name: '需要我做什么？' }).waitFor();

    // Figures are formatted in the language too, although its words load the module that formats them.
    await page.evaluate("location.hash = '#/task/t-sales'");
    await page.getByText('9.4 秒').first().waitFor({ timeout: 20_000 });

    await page.getByRole('button', { name: '设置', exact: true }).click();
    await page.getByRole('tab', { name: '外观' }).click();
    await page.addInitScript("globalThis.startLanguage = 'en'");
    await page.getByRole('radio', { name: 'English', exact: true }).click();
    await page.getByText('9.4 s', { exact: false }).first().waitFor();
    expect(await lang()).toBe('en');
  });
});
