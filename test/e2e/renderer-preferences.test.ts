import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The look of the page at this moment, as the user sees it. */
const LOOK = `(() => ({
  theme: document.documentElement.dataset.theme,
  text: getComputedStyle(document.body).fontSize,
  line: getComputedStyle(document.body).lineHeight,
}))()`;

describe.skipIf(chromiumPath === null)(`preferences${chromiumNote}`, () => {
  const window = useWindow();

  it('applies text size and density at once, and has both before anything of the next start is drawn', async () => {
    const { page } = window;
    await window.goto('');
    expect(await page.evaluate(LOOK)).toMatchObject({ text: '14px', line: '21.7px' });
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await page.getByLabel('Text size').selectOption('20 px');
    await page.getByRole('radio', { name: 'Compact' }).check();
    await page.getByRole('radio', { name: 'Dark' }).check();
    const chosen = { theme: 'dark', text: '20px', line: '28px' };
    await expect.poll(() => page.evaluate(LOOK)).toEqual(chosen);
    expect(await window.sent('settings.update')).toEqual([
      { changes: { fontSize: 20 } },
      { changes: { density: 'compact' } },
      { changes: { appearance: 'dark' } },
    ]);

    // The fake main starts over with the usual look, so what is applied first comes from the browser.
    await page.addInitScript(`new MutationObserver((_changes, observer) => {
      if (document.documentElement?.dataset.density === undefined) return;
      observer.disconnect();
      const isDrawn = document.querySelector('#root > *') !== null;
      globalThis.firstLook = { ...${LOOK}, isDrawn };
    }).observe(document, { attributes: true, childList: true, subtree: true })`);
    await page.reload();
    await expect.poll(() => page.evaluate('globalThis.firstLook !== undefined')).toBe(true);
    expect(await page.evaluate('globalThis.firstLook')).toEqual({
      ...chosen,
      isDrawn: false,
    });
  });

  it('saves what the agent should always know, also when the settings are closed over it', async () => {
    const { page } = window;
    await window.goto('');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Agents' }).click();
    const field = page.getByLabel('What the agent should always know or do');
    await field.fill('Answer in French.');
    await page.getByText('17 of 4,000 characters, about 6 tokens').waitFor();
    expect(await window.sent('settings.update')).toEqual([]);
    // What another window saves does not take the place of words that are not saved.
    await page.evaluate(() => {
      const settings = { ...globalThis.fake.state.settings, customInstructions: 'Theirs.' };
      globalThis.fake.push({ kind: 'settings_changed', settings });
    });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    expect(await field.inputValue()).toBe('Answer in French.');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect
      .poll(() => window.sent('settings.update'))
      .toEqual([{ changes: { customInstructions: 'Answer in French.' } }]);
  });

  it('shows tokens and time by model, of the task in its context meter and of all tasks in the settings', async () => {
    const { page } = window;
    await window.goto('#/task/t-sales');
    await page.getByRole('button', { name: /^Context:/ }).click();
    const meter = page.getByRole('dialog', { name: 'Context window' });
    const tokens = '48,210 tokens in, 3,120 out · 1 min 32 s · 12 requests';
    await meter.getByText(tokens, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Data' }).click();
    const group = page.getByRole('region', { name: 'Model use' });
    await group.getByText(tokens, { exact: true }).first().waitFor();
    await group.getByText('3 requests · estimated: the server gives no counts').waitFor();
    expect(await window.sent('usage.get')).toEqual([{ threadId: 't-sales' }, {}]);
  });
});
