import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RequestInput } from '#contract/requests.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`keyboard shortcuts${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });
  const composer = () => page.getByRole('textbox', { name: 'Message' });
  const sidebar = () => page.getByRole('navigation', { name: 'Tasks' });
  const isFocused = (name: string) =>
    expect
      .poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')"))
      .toBe(name);

  it('reach every part of the window while a text is typed', async () => {
    await window.goto('#/task/t-sales');
    await composer().fill('half a thought');
    await page.keyboard.press('Control+b');
    await sidebar().waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Shift+f');
    await sidebar().waitFor();
    await isFocused('Search tasks');
    await page.keyboard.press('Control+;');
    await isFocused('Message');
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('complementary', { name: 'Computer' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('complementary', { name: 'Computer' }).waitFor();
    expect(await composer().inputValue()).toBe('half a thought');

    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.waitFor();
    // The window behind a dialog does not change.
    await page.keyboard.press('Control+Shift+o');
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Sales by region with a chart', level: 1 }).waitFor();
    await page.keyboard.press('Control+Shift+o');
    await page.getByRole('heading', { name: 'What can I help with?' }).waitFor();
    await isFocused('Message');
  });

  it('stop the run', async () => {
    await window.goto('', '?pace=1');
    await composer().fill('Total the sales');
    await composer().press('Enter');
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
    await page.keyboard.press('Control+.');
    await page.getByRole('heading', { name: 'Stopped' }).waitFor();
    expect(await window.sent('runs.cancel')).toHaveLength(1);
  });

  it('go from question to question, through every task that waits', async () => {
    await window.goto('#/task/t-sales', '?questions=1');
    await composer().fill('not to be lost');
    await page.getByRole('button', { name: /^Waiting for you [2-9]/ }).waitFor();
    const waiting = await page.evaluate(() =>
      globalThis.fake.request('runs.waiting', {}).then((result) => {
        if (!result.ok) throw new Error(result.error.message);
        return [...new Set(result.data.questions.map(({ threadId }) => threadId))];
      }),
    );
    const seen: string[] = [];
    for (let presses = 0; presses < waiting.length; presses++) {
      await page.keyboard.press('Control+i');
      await expect.poll(() => seen.includes(new URL(page.url()).hash)).toBe(false);
      await expect.poll(() => page.evaluate('document.activeElement?.className')).toBe('question');
      seen.push(new URL(page.url()).hash);
    }
    expect(seen.toSorted()).toEqual(waiting.map((id) => `#/task/${id}`).toSorted());
    // Typing is not interrupted by a question, but these keys lead to it.
    await composer().focus();
    await page.keyboard.press('Control+i');
    expect(await page.evaluate('document.activeElement?.className')).toBe('question');
  });

  const decisions = () =>
    page.evaluate(() =>
      globalThis.fake.requests.flatMap(({ name, input }) =>
        name === 'runs.respond' ? [(input as RequestInput<'runs.respond'>).response.action] : [],
      ),
    );
  const settles = (name: string) =>
    expect.poll(() => page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe(null);

  it('approve and deny what is in sight, and nothing while a text is typed', async () => {
    await window.goto('#/task/t-batch', '?questions=1');
    await settles('Approve all 2');
    await composer().fill('half a thought');
    await page.keyboard.press('Control+Backspace');
    expect(await composer().inputValue()).toBe('half a ');
    expect(await page.getByLabel('Reason (sent to the model)').count()).toBe(0);
    // In a narrow window, the computer stands in place of the question.
    await page.setViewportSize({ width: 560, height: 800 });
    await page.locator('[data-narrow="true"]').waitFor();
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('main', { name: 'Computer' }).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('button', { name: 'Approve all 2' }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('approve what');
    await page.getByText('Nothing matches').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: '2 calls need your approval' }).focus();
    await page.keyboard.press('Control+Backspace');
    await page.keyboard.type('Not these.');
    await page.keyboard.press('Escape');
    expect(await decisions()).toEqual([]);
    await settles('Approve all 2');
    await page.getByRole('region', { name: '2 calls need your approval' }).focus();
    await page.keyboard.press('Control+Enter');
    await expect.poll(decisions).toEqual(['approve', 'approve']);
  });

  it('decide on nothing that is covered, cut off, or being decided otherwise', async () => {
    await window.goto('#/task/t-batch', '?questions=1');
    const card = page.getByRole('region', { name: '2 calls need your approval' });
    await settles('Approve all 2');
    await page.getByRole('button', { name: /^Network access/ }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    const member = card.getByRole('article').first();
    await member.getByRole('button', { name: 'Deny…' }).click();
    await member.getByRole('checkbox').focus();
    await page.keyboard.press('Control+Enter');
    await card.focus();
    await page.keyboard.press('Control+Enter');
    await member.getByRole('button', { name: 'Back' }).click();
    await card.getByRole('button', { name: 'Deny all 2…' }).focus();
    await page.keyboard.press('Control+Enter');
    expect(await decisions()).toEqual([]);
    // The first press brings into sight what the second decides on.
    await page.setViewportSize({ width: 1000, height: 420 });
    await card.evaluate((shown) => shown.scrollTo(0, 0));
    await card.focus();
    await page.keyboard.press('Control+Enter');
    expect(await decisions()).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await expect.poll(decisions).toEqual(['approve', 'approve']);
  });

  it('approve nothing by a key that was pressed before the question was there', async () => {
    await window.goto('#/task/t-sales', '?questions=1');
    await page.evaluate(`addEventListener('keydown', (event) => {
      Object.defineProperty(event, 'timeStamp', { value: globalThis.pressedAt ?? event.timeStamp });
    }, { capture: true })`);
    await page.evaluate(
      `globalThis.pressedAt = performance.now(); location.hash = '#/task/t-batch'`,
    );
    await settles('Approve all 2');
    await page.getByRole('region', { name: '2 calls need your approval' }).focus();
    await page.keyboard.press('Control+Enter');
    await page.evaluate('globalThis.pressedAt = undefined');
    expect(await decisions()).toEqual([]);
  });

  it('are listed, in tooltips too', async () => {
    await window.goto('#/task/t-sales');
    await composer().focus();
    await page.keyboard.type('?');
    expect(await composer().inputValue()).toBe('?');
    await page.keyboard.press('Control+/');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await list.getByText('New task').locator('..').innerText()).toMatch(/Ctrl\+Shift\+O/);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await page.getByRole('region', { name: 'Conversation' }).focus();
    await page.keyboard.press('?');
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await list.getByRole('button', { name: 'Close' }).click();
    await list.waitFor({ state: 'hidden' });
    // The focus is back where it was, and nothing pops up for that.
    await page.waitForFunction(
      "document.activeElement?.getAttribute('aria-label') === 'Keyboard shortcuts'",
    );
    expect(await page.getByRole('tooltip').count()).toBe(0);
    const hide = page.getByRole('button', { name: 'Hide the task list' });
    expect(await hide.getAttribute('aria-keyshortcuts')).toBe('Control+B');
    await hide.hover();
    await page.getByRole('tooltip').getByText('Ctrl+B').waitFor({ state: 'attached' });
  });

  it('leave keys to an input method that composes', async () => {
    await window.goto('#/task/t-sales');
    await composer().focus();
    const client = await page.context().newCDPSession(page);
    await client.send('Input.imeSetComposition', {
      ...{ text: 'ni', selectionStart: 2, selectionEnd: 2 },
    });
    await client.send('Input.dispatchKeyEvent', {
      ...{ type: 'rawKeyDown', key: 'b', code: 'KeyB', modifiers: 2, windowsVirtualKeyCode: 229 },
    });
    await client.send('Input.insertText', { text: '你' });
    expect(await sidebar().isVisible()).toBe(true);
    await page.keyboard.press('Control+b');
    await sidebar().waitFor({ state: 'hidden' });
  });

  it('open the drawer of a narrow window', async () => {
    await page.setViewportSize({ width: 560, height: 800 });
    await window.goto('#/task/t-sales');
    await composer().waitFor();
    await page.keyboard.press('Control+Shift+f');
    await isFocused('Search tasks');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Shift+e');
    await page.getByRole('main', { name: 'Computer' }).waitFor();
    await page.keyboard.press('Control+;');
    await isFocused('Message');
  });
});

// On a page of its own, which stays one of a Mac.
describe.skipIf(chromiumPath === null)(`keyboard shortcuts of a Mac${chromiumNote}`, () => {
  const window = useWindow();

  it('have Cmd on a Mac', async () => {
    const { page } = window;
    await page.addInitScript(
      "Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })",
    );
    await window.goto('#/task/t-sales');
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Meta+/');
    const sidebar = page.getByRole('navigation', { name: 'Tasks' });
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await list.getByText('New task').locator('..').innerText()).toMatch(/⇧⌘O/);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(await sidebar.isVisible()).toBe(true);
    await page.keyboard.press('Meta+b');
    await sidebar.waitFor({ state: 'hidden' });
  });
});
