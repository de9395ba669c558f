import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`the lists of the message box${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });
  const message = () => page.getByRole('textbox', { name: 'Message' });
  const list = () => page.getByRole('listbox');
  const options = () => list().getByRole('option');
  const active = () => list().getByRole('option', { selected: true });
  const text = () => message().inputValue();
  const type = async (typed: string) => {
    await message().focus();
    await page.keyboard.type(typed);
  };
  const selected = () =>
    page.evaluate<string>(
      '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)',
    );
  const savePrompts = (...prompts: readonly { readonly name: string; readonly text: string }[]) =>
    page.evaluate((saved) => {
      const settings = { ...globalThis.fake.state.settings, prompts: [...saved] };
      globalThis.fake.state.settings = settings;
      globalThis.fake.push({ kind: 'settings_changed', settings });
    }, prompts);

  it("lead by keyboard alone to a mode, a prompt of one's own and a skill", async () => {
    await window.goto('');
    await page.getByRole('radio', { name: 'Data' }).waitFor();
    await savePrompts({ name: 'Weekly report', text: 'Report on {{topic}} for {{reader}}.' });
    await type('/res');
    await expect.poll(() => active().innerText()).toContain('Research');
    expect(await message().getAttribute('aria-activedescendant')).toBe(
      await active().getAttribute('id'),
    );
    expect(await message().getAttribute('aria-controls')).toBe(await list().getAttribute('id'));
    await page.getByText(/^\d+ suggestions?$/).waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await expect.poll(text).toBe('');
    expect(await page.getByRole('radio', { name: 'Research' }).isChecked()).toBe(true);
    expect(await message().getAttribute('aria-activedescendant')).toBeNull();

    await type('First: /week');
    await expect.poll(() => active().innerText()).toContain('Weekly report');
    await page.keyboard.press('Tab');
    await expect.poll(text).toBe('First: Report on {{topic}} for {{reader}}.');
    expect(await selected()).toBe('{{topic}}');
    await page.keyboard.type('cranes');
    expect(await text()).toBe('First: Report on cranes for {{reader}}.');
    expect(await window.sent('runs.start')).toEqual([]);

    // A skill of one's own.
    await page.evaluate(() => {
      const { skills } = globalThis.fake;
      const [first] = skills.details;
      if (first === undefined) throw new Error('The fake main has no skills.');
      const own = { id: 'my_checks', name: 'My checks', state: 'ready' as const };
      skills.details = [...skills.details, { ...first, summary: { ...first.summary, ...own } }];
      globalThis.fake.push({ kind: 'skills_changed' });
    });
    await message().fill('');
    await type('/mych');
    await expect
      .poll(() => active().allInnerTexts())
      .toEqual([expect.stringContaining('My checks')]);
    await page.keyboard.press('Enter');
    await expect.poll(text).toBe('/my_checks ');

    // Escape keeps the text, and Enter sends it then.
    await message().fill('');
    await type('/res');
    await active().waitFor();
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'hidden' });
    await page.keyboard.type('e');
    expect(await text()).toBe('/rese');
    expect(await list().isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => window.sent('runs.start'))
      .toMatchObject([{ prompt: '/rese', options: { mode: 'research' } }]);
  });

  it('lead by mouse to a file, a document and the conversation of another task', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('heading', { name: 'Sales by region' }).waitFor();
    await page.evaluate(() => {
      const { fake } = globalThis;
      fake.state.files.set('notes/a `b`\u202egpj.exe', {
        ...{ mimeType: 'text/plain', encoding: 'utf8', data: '' },
      });
      const settings = { ...fake.state.settings, libraryFolders: ['/home/me/notes'] };
      fake.push({ kind: 'settings_changed', settings });
    });
    await type('mail me@tot');
    expect(await list().isVisible()).toBe(false);
    await message().fill('');
    await type('Run @tot');
    await options().filter({ hasText: 'total.py' }).click();
    await expect.poll(text).toBe('Run `scripts/total.py` ');
    await type('on @gpj');
    await options().filter({ hasText: '⟨U+202E⟩gpj.exe' }).click();
    await expect.poll(text).toBe('Run `scripts/total.py` on `` notes/a `b`⟨U+202E⟩gpj.exe `` ');
    await message().fill('');
    await type('See @harb');
    await options().filter({ hasText: 'The harbour' }).click();
    await expect.poll(text).toBe('See `library:0123456789abcdef/harbour.md` ');
    await type('and @weather');
    await options().filter({ hasText: 'Fetch the weather' }).click();
    await expect.poll(text).toBe('See `library:0123456789abcdef/harbour.md` and ');
    await page.locator('.attachment[data-state=ready]').getByText('task.md').waitFor();
    expect(await window.sent('threads.export')).toEqual([{ threadId: 't-fail', format: 'md' }]);
    expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe(
      'Message',
    );
    // What nothing matches is sent as it is.
    await message().fill('');
    await type('Search /zzz');
    await list().waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await expect
      .poll(() => window.sent('runs.start'))
      .toMatchObject([{ threadId: 't-sales', prompt: 'Search /zzz', attachmentIds: ['task.md'] }]);
  });

  it('give back what was typed with Ctrl+Z, and again what was chosen', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('heading', { name: 'Sales by region' }).waitFor();
    const written = 'Line one\n\nAsk @total about {{topic}}\n';
    await savePrompts({ name: 'Weekly', text: written }, { name: 'Sign', text: 'Look at @tot' });
    await message().fill('Now  then');
    for (let left = 0; left < 5; left += 1) await page.keyboard.press('ArrowLeft');
    await type('/we');
    await active().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(text).toBe(`Now ${written} then`);
    expect(await selected()).toBe('{{topic}}');
    await page.keyboard.press('Control+z');
    await expect.poll(text).toBe('Now /we then');
    expect(await list().isVisible()).toBe(false);
    await page.keyboard.press('Control+y');
    await expect.poll(text).toBe(`Now ${written} then`);
    // What is put there opens no list, though typing the same would.
    await message().fill('');
    await type('/sig');
    await active().click();
    await expect.poll(text).toBe('Look at @tot');
    await list().waitFor({ state: 'hidden' });
    // A mode stays chosen.
    await message().fill('');
    await type('/res');
    await expect.poll(() => active().innerText()).toContain('Research');
    await page.keyboard.press('Tab');
    await expect.poll(text).toBe('');
    await page.keyboard.press('Control+z');
    await expect.poll(text).toBe('/res');
    await page.getByRole('radio', { name: 'Research', checked: true }).waitFor();
    expect(await window.sent('runs.start')).toEqual([]);
  });

  it('leave the keys to an input method that composes, and stay small before many tasks', async () => {
    await window.goto('', '?tasks=10000');
    await type('请看@');
    await expect.poll(() => options().count()).toBe(8);
    const client = await page.context().newCDPSession(page);
    await client.send('Input.imeSetComposition', {
      ...{ text: 'di', selectionStart: 2, selectionEnd: 2 },
    });
    for (const [key, windowsVirtualKeyCode] of [
      ['Escape', 27],
      ['Enter', 13],
    ] as const) {
      // As an input method passes them on: without the letters that they would type.
      const pressed = { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode } as const;
      await client.send('Input.dispatchKeyEvent', pressed);
    }
    await client.send('Input.insertText', { text: '第2本' });
    await expect.poll(() => active().locator('mark').allTextContents()).not.toEqual([]);
    expect(await options().count()).toBe(8);
    expect(await text()).toBe('请看@第2本');
    await page.keyboard.press('Enter');
    await expect.poll(text).toBe('请看');
    await page.locator('.attachment[data-state=ready]').waitFor();
    expect(await window.sent('runs.start')).toEqual([]);
  });

  it('save the message as a prompt, which is edited and deleted in the settings', async () => {
    await window.goto('');
    await type('Compare {{a}} and {{b}} /save');
    await expect.poll(() => active().innerText()).toContain('Save this message');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Save as prompt' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Compare');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await text()).toBe('Compare {{a}} and {{b}} ');
    expect(await window.sent('settings.update')).toEqual([
      { changes: { prompts: [{ name: 'Compare', text: 'Compare {{a}} and {{b}}' }] } },
    ]);
    // The palette does the same.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('save the message');
    await expect.poll(() => active().innerText()).toContain('Save the message');
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Compare');
    await dialog.getByText('You have a prompt with this name.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save prompt' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await type('/editpro');
    await active().click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('button', { name: 'Edit Compare' }).click();
    await settings.getByRole('textbox', { name: 'Text' }).fill('x'.repeat(10_001));
    await settings.getByText('This text has 10,001 characters.').waitFor();
    await settings.getByRole('textbox', { name: 'Text' }).fill('Compare both');
    // What is refused is said, and can be tried again.
    await page.evaluate(() =>
      globalThis.fake.refuse.set('settings.update', {
        ...{ code: 'DISK_FULL', message: 'The disk is full.', details: {} },
      }),
    );
    await settings.getByRole('button', { name: 'Save prompt' }).click();
    await settings.getByText('The disk is full.').waitFor();
    await settings.getByRole('button', { name: 'Save prompt' }).click();
    await settings.getByText('Compare both').waitFor();
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Add prompt');
    await settings.getByRole('button', { name: 'Delete Compare' }).click();
    await settings.getByText('No prompts yet.').waitFor();
  });
});
