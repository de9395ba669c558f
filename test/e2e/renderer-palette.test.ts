import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { SETTING_ENTRIES } from '#renderer/panels/palette/setting-entries.ts';
import { settingsStrings } from '#renderer/strings/settings.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { sample } from '../setup/sampling.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`the command palette${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });
  const palette = () => page.getByRole('dialog', { name: 'Command palette' });
  const input = () => palette().getByRole('combobox');
  const options = () => palette().getByRole('option');
  const active = () => palette().getByRole('option', { selected: true });
  const open = async () => {
    await page.keyboard.press('Control+k');
    await input().waitFor();
  };
  const focused = () =>
    page.evaluate(
      '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.closest(".field, fieldset")?.querySelector(".field-label")?.textContent ?? document.activeElement?.textContent ?? document.activeElement?.tagName)',
    );

  it('keeps the marked entry when another one comes above it', async () => {
    await window.goto('');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await open();
    await options().first().waitFor();
    // To the last but one.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    const wanted = await active().innerText();
    await page.evaluate(() => {
      const { fake } = globalThis;
      const [first] = fake.state.threads;
      if (first === undefined) return;
      const at = Date.now();
      const thread = { ...first, id: 't-new', title: 'The newest', createdAt: at, updatedAt: at };
      fake.push({ kind: 'thread_changed', thread });
    });
    await options().filter({ hasText: 'The newest' }).waitFor();
    expect(await active().innerText()).toBe(wanted);
  });

  it('opens a task by some of its letters, without the mouse', async () => {
    await window.goto('');
    await page.getByRole('textbox', { name: 'Message' }).fill('a draft');
    await open();
    await page.keyboard.type('laprime');
    await expect.poll(() => options().count()).toBe(1);
    expect(await active().locator('mark').allTextContents()).toEqual(['La', 'prime']);
    expect(await input().getAttribute('aria-activedescendant')).toBe(
      await active().getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    await palette().waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Largest prime below ten million' }).waitFor();
    await expect.poll(focused).toBe('Message');
    // What was used is offered first from now on, after a reload too.
    await page.reload();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await open();
    expect(await active().innerText()).toContain('Largest prime');
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Message');
  });

  it('does actions, and names their keys', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await open();
    expect(await options().first().innerText()).toMatch(/New task\s+Ctrl\+Shift\+O/);
    // There is no run to stop, and the palette does not offer itself.
    await page.keyboard.type('hide');
    await expect
      .poll(() => options().allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Show or hide the computer/),
        expect.stringMatching(/^Show or hide the task list/),
      ]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active().innerText()).toContain('task list');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Tasks' }).waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe('Message');
    await open();
    await page.keyboard.type('setup');
    await expect.poll(() => active().innerText()).toContain('Open setup check');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Setup check' }).waitFor();
  });

  it('chooses models and opens skills', async () => {
    await window.goto('');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await open();
    await page.keyboard.type('gemma');
    await expect.poll(async () => (await options().allInnerTexts())[0]).toContain('gemma');
    const name = (await active().locator('.palette-title').innerText()).trim();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Model: ${name}` }).waitFor();
    await open();
    await page.keyboard.type('data analysis');
    await expect.poll(async () => (await options().allInnerTexts())[0]).toMatch(/Skill$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/skills\/data_analysis/);
  });

  const exactly = (text: string) =>
    new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'i');

  it('leads to every page of the settings, and to every setting', async () => {
    await window.goto('');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const entries = sample(SETTING_ENTRIES, { name: 'settings in the palette', size: 12 });
    for (const { section, field } of entries) {
      const title = field ?? settingsStrings.sections[section];
      await page.keyboard.press('Control+k');
      await input().fill(title);
      const wanted = palette()
        .locator('.palette-option')
        .filter({
          has: page.locator('.palette-title', {
            hasText: exactly(title),
          }),
          hasText: /Settings$/,
        });
      await wanted.first().click();
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
      const name = settingsStrings.sections[section];
      const tab = page.getByRole('tab', { selected: true, name, exact: true });
      await tab.waitFor();
      if (field !== null) await expect.poll(focused).toContain(field);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
  });

  it('has every setting and every group of the settings', async () => {
    await window.goto('');
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.waitFor();
    let seen = 0;
    const missing: string[] = [];
    for (const section of await dialog.getByRole('tab').allInnerTexts()) {
      await dialog.getByRole('tab', { name: section.trim(), exact: true }).click();
      const shown = dialog.getByRole('tabpanel', { name: section.trim(), exact: true });
      await shown.waitFor();
      // What belongs to a form of its own, or to one of several things in a list, is not a setting.
      const labels = await shown
        .locator(':is(h4, .field-label):not(form:not(.key-line) *, li:not(.cloud-service) *)')
        .allInnerTexts();
      const known = SETTING_ENTRIES.map(({ field }) => field);
      seen += labels.length;
      missing.push(
        ...labels.map((label) => label.trim()).filter((label) => !known.includes(label)),
      );
    }
    expect([seen > 50, missing]).toEqual([
      true,
      [
        // Only after a choice, or with something in a list; the last two have the names of their pages.
        ...['Summarize above (tokens)', 'Newest messages to keep', 'Keys of other servers'],
        ...['Try a search', 'Connectors', 'Guardrails'],
      ],
    ]);
  });

  it('shows a name in full where there is room for it, and cuts what is said about it', async () => {
    await page.setViewportSize({ width: 420, height: 860 });
    await window.goto('');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.evaluate(() => {
      const prompts = [
        {
          name: 'Weekly report for the board',
          text: 'Sum up the week, in plain words. '.repeat(9),
        },
        { name: `Weekly ${'word '.repeat(30)}`, text: 'A name that is longer than the window.' },
      ];
      const settings = { ...globalThis.fake.state.settings, prompts };
      globalThis.fake.push({ kind: 'settings_changed', settings });
    });
    /** Of each option: its name, what is hidden of it in px, and whether it is wider than the list. */
    const cut = () =>
      page.evaluate<readonly (readonly [string, number, boolean])[]>(`
        [...document.querySelectorAll('[role=option]')].map((option) => {
          const title = option.querySelector('.palette-title');
          const whole = document.createRange();
          whole.selectNodeContents(title);
          const hidden = whole.getBoundingClientRect().width - title.getBoundingClientRect().width;
          const isOver = option.scrollWidth > option.clientWidth;
          return [title.textContent.slice(0, 40), Math.max(0, hidden), isOver];
        })`);
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.type('/week');
    await expect.poll(() => page.getByRole('option').count()).toBe(2);
    const [board, long] = (await cut()).toSorted(([a], [b]) => a.length - b.length);
    expect(board).toEqual(['Weekly report for the board', 0, false]);
    expect([long?.[0].slice(0, 11), (long?.[1] ?? 0) > 1, long?.[2]]).toEqual([
      ...['Weekly word', true, false],
    ]);
    await page.keyboard.press('Escape');
    await open();
    await input().fill('memory');
    await options().filter({ hasText: 'Memory (MB)' }).waitFor();
    await input().fill('analysis');
    await options().filter({ hasText: 'Data analysis' }).waitFor();
    for (const [, hidden, isOver] of await cut()) expect([hidden, isOver]).toEqual([0, false]);
  });

  it('leaves Enter to an input method that composes, and finds Chinese words', async () => {
    await window.goto('', '?tasks=3');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await open();
    const client = await page.context().newCDPSession(page);
    await client.send('Input.imeSetComposition', {
      ...{ text: 'di', selectionStart: 2, selectionEnd: 2 },
    });
    await page.keyboard.press('Enter');
    await client.send('Input.insertText', { text: '第 2 本' });
    await expect.poll(() => active().locator('mark').allTextContents()).toEqual(['第 2 本']);
    expect(await palette().isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/t-more-2$/);
  });

  it('stays small before ten thousand tasks', async () => {
    await window.goto('', '?tasks=10000');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await open();
    expect(await options().count()).toBeLessThan(30);
    await input().fill('photo 9999');
    await expect.poll(() => active().innerText()).toContain('album 9999');
    expect(await options().count()).toBeLessThanOrEqual(50);
    await input().fill('no such thing at all');
    await palette().getByText('Nothing matches “no such thing at all”.').waitFor();
    expect(await input().getAttribute('aria-expanded')).toBe('false');
  });

  it('finds tasks that the search of the sidebar hides', async () => {
    await window.goto('');
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('weather');
    const listed = page.getByRole('navigation', { name: 'Tasks' });
    await listed.getByRole('button', { name: 'Largest prime' }).waitFor({ state: 'hidden' });
    await open();
    await page.keyboard.type('largest');
    await expect.poll(() => options().first().innerText()).toContain('Largest prime');
  });
});
