import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The layout of the settings sections, and their focus, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`the settings in the window${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const openSection = async (name: string): Promise<void> => {
    await page.getByRole('dialog').getByRole('tab', { name }).click();
    await page.getByRole('tabpanel', { name }).waitFor();
  };
  /** Neighbours that overlap, and elements wider than their section. */
  const faults = () =>
    page.getByRole('tabpanel').evaluate((panel) => {
      const parts = [...panel.children].filter((one) => one.getClientRects().length > 0);
      const found = parts.flatMap((part, at) => {
        const next = parts[at + 1];
        const box = part.getBoundingClientRect();
        const isOver = next !== undefined && next.getBoundingClientRect().top < box.bottom - 1;
        const isCut = part.scrollHeight > Math.ceil(box.height) + 1;
        return isOver || isCut ? [part.textContent ?? ''] : [];
      });
      return panel.scrollWidth > panel.clientWidth ? ['wider than the section', ...found] : found;
    });

  it.each([
    ['wide', 1440],
    ['narrow', 420],
  ])('nothing lies over anything else, or is cut off: %s', async (_name, width) => {
    await page.setViewportSize({ width, height: 860 });
    await window.goto('#/task/t-sales');
    const dialog = page.getByRole('dialog');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const list = page.getByRole('button', { name: 'Show the task list' });
    if (await list.isVisible()) await list.click();
    await page.getByRole('button', { name: 'Settings' }).click();
    await dialog.waitFor();
    const names = await dialog.getByRole('tab').allInnerTexts();
    const found: Record<string, readonly string[]> = {};
    for (const name of names) {
      await openSection(name.trim());
      const wrong = await faults();
      if (wrong.length > 0) found[name] = wrong;
    }
    expect([names.length > 8, found]).toEqual([true, {}]);
  });

  it('a cloud can be chosen everywhere once its key is stored, is marked, and goes with its key', async () => {
    await window.goto('#/');
    await page.getByRole('button', { name: 'Settings' }).click();
    const tiers = () =>
      Promise.all(
        ['Max', 'Pro', 'Flash'].map(async (name) => {
          const list = page.getByRole('combobox', { name, exact: true });
          return [
            await list.locator('option').first().innerText(),
            await list.locator('option', { hasText: '(OpenAI, cloud)' }).count(),
          ];
        }),
      );
    expect(await tiers()).toEqual(Array(3).fill(['Same as the task', 0]));
    const key = page.getByLabel('Key for OpenAI', { exact: true });
    await key.fill('sk-0123456789');
    await key.press('Enter');
    await page.getByRole('button', { name: 'Use gpt-5.6-terra for new tasks' }).click();
    await page.getByText('gpt-5.6-terra is used for new tasks').waitFor();
    expect(await tiers()).toEqual([
      ['Default: gpt-6-astra', 3],
      ['Same as the task', 3],
      ['Default: gpt-5.6-luna', 3],
    ]);
    await page.keyboard.press('Escape');
    const picker = page.getByRole('button', { name: 'Model: gpt-5.6-terra, in a cloud' });
    await picker.click();
    const entry = page.getByRole('menuitemradio', { name: /gpt-6-astra.*cloud/ });
    await entry.waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete the key for OpenAI' }).click();
    await page.getByText('gpt-5.6-terra is used for new tasks').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Model: gpt-5.6-terra/ }).click();
    await page.getByRole('menu').waitFor();
    expect(await entry.count()).toBe(0);
  });

  it('a choice shows at once, and reverts if it is refused', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('button', { name: 'Settings' }).click();
    await openSection('Sandbox');
    await page.evaluate(() => {
      const { fake } = globalThis;
      const request = fake.request.bind(fake);
      // A busy main, which answers when it is told to.
      fake.request = async (name, input) => {
        if (name === 'settings.update') {
          await new Promise<void>((resolve) => Object.assign(globalThis, { answer: resolve }));
        }
        return request(name, input);
      };
    });
    const choice = (name: string) => page.getByRole('radio', { name, exact: true });
    const chosen = async (name: string) => {
      await choice(name).click();
      await expect.poll(() => choice(name).isChecked()).toBe(true);
      await page.waitForFunction('typeof globalThis.answer === "function"');
    };
    const answer = () => page.evaluate('globalThis.answer = void globalThis.answer()');
    await chosen('Docker');
    // Shown for a moment only, so the wait starts before it.
    const saved = page.getByText('Saved', { exact: true }).waitFor();
    await answer();
    await saved;
    expect(await choice('Docker').isChecked()).toBe(true);
    await page.evaluate(() =>
      globalThis.fake.refuse.set('settings.update', {
        ...{ code: 'BAD_REQUEST', message: 'Not that one.', details: {} },
      }),
    );
    await chosen('Strongest available');
    await answer();
    await page.getByText('Not that one.').waitFor();
    expect(await choice('Docker').isChecked()).toBe(true);
  });

  it('long conversations are summarised as chosen, and a model thinks as chosen', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('button', { name: 'Settings' }).click();
    await openSection('Models');
    const choice = (name: string | RegExp) => page.getByRole('radio', { name });
    const threshold = page.getByRole('textbox', { name: 'Summarize above (tokens)' });
    await threshold.fill('20000');
    await threshold.press('Enter');
    await choice(/^Keep every message/).check();
    await threshold.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^qwen3:8b/ }).click();
    const thinking = page.getByRole('group', { name: 'Thinking of qwen3:8b' });
    await thinking.getByRole('radio', { name: 'Off' }).check();
    await thinking.getByRole('radio', { name: 'Left to the model' }).check();
    await expect
      .poll(() => window.sent('settings.update'))
      .toEqual([
        { changes: { compressionThreshold: 20_000 } },
        { changes: { compression: false } },
        { changes: { modelThinking: { 'ollama:qwen3:8b': false } } },
        { changes: { modelThinking: {} } },
      ]);
  });

  it('the menu of models has the switch for the chosen one', async () => {
    await window.goto('#/task/t-sales');
    const menu = page.getByRole('button', { name: /^Model: / });
    await menu.click();
    const thinking = page.getByRole('group', { name: 'Thinking of qwen3:8b' });
    expect(
      await thinking.getByRole('menuitemradio', { name: 'Left to the model' }).isChecked(),
    ).toBe(true);
    await thinking.getByRole('menuitemradio', { name: 'Off' }).click();
    await menu.click();
    await expect
      .poll(() => thinking.getByRole('menuitemradio', { name: 'Off' }).isChecked())
      .toBe(true);
    expect(await window.sent('settings.update')).toEqual([
      { changes: { modelThinking: { 'ollama:qwen3:8b': false } } },
    ]);
  });

  it('an imported run grants no permissions, and says so', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('button', { name: 'Settings' }).click();
    await openSection('Data');
    await page
      .getByLabel('Import run')
      .and(page.locator('input'))
      .setInputFiles({
        ...{ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from('{}') },
      });
    await page.getByText('The file grants no permissions').waitFor();
    expect(await window.sent('runs.import')).toEqual([{ text: '{}' }]);
  });

  it.each(['Skills', 'Library'])('the focus stays at the folders of %s', async (section) => {
    await window.goto('#/task/t-sales');
    await page.getByRole('button', { name: 'Settings' }).click();
    await openSection(section);
    const panel = page.getByRole('tabpanel', { name: section });
    const field = panel.getByLabel('Folder', { exact: true });
    const long = `/home/me/${'deeply/'.repeat(30)}notes`;
    await field.fill(long);
    await panel.getByRole('button', { name: 'Add folder' }).click();
    const path = panel.getByText(long, { exact: true });
    await path.waitFor();
    await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true);
    // The whole of a long path is visible.
    expect(await path.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    await panel.getByRole('button', { name: `Remove ${long}` }).click();
    await path.waitFor({ state: 'detached' });
    await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true);
  });
});
