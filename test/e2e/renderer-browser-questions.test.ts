import { describe, expect, it } from 'vitest';
import { askUser, changeBrowser } from '../setup/browser-screens.ts';
import { browserTab } from '../setup/browser-tab.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`what is said around a take-over${chromiumNote}`, () => {
  const window = useWindow('?browser=1');
  const { button, showBrowser, takeOver } = browserTab(window);

  it('is taken over from a question of the agent, which handing back answers', async () => {
    const { page } = window;
    await window.goto('#/task/t-browse');
    await page.getByText('Find a train to Ulm on Friday').first().waitFor();
    await page.getByRole('tab', { name: 'Files' }).click();
    await askUser(page);
    await button('Take over the browser').click();
    const tab = page.getByRole('tab', { name: 'Browser' });
    await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
    await page
      .locator('section.question')
      .getByRole('button', { name: 'Hand back: done in the browser' })
      .click();
    await expect
      .poll(() => window.sent('runs.respond'))
      .toEqual([
        {
          ...{ runId: 'run-t-browse', interruptId: 'i-sign-in' },
          response: {
            action: 'input',
            text: 'I did it in the browser. Look at the page again.',
          },
        },
      ]);
    expect(await window.sent('browser.control')).toEqual([
      { threadId: 't-browse', action: 'take' },
      { threadId: 't-browse', action: 'hand_back' },
    ]);
  });

  it('shows in its tab what the agent asked for, and answers that only where the user says so', async () => {
    const { page } = window;
    await showBrowser();
    await askUser(page);
    await button('Take over').click();
    await page.getByText('The agent asks: Please sign in').waitFor();
    await button('Hand back').click();
    await page.getByText('Nobody is using the browser').waitFor();
    expect(await window.sent('runs.respond')).toEqual([]);
    await button('Take over').click();
    await page
      .locator('.browser-question')
      .getByRole('button', { name: 'Hand back: done in the browser' })
      .click();
    await expect.poll(async () => (await window.sent('runs.respond')).length).toBe(1);
    await page.getByText('Nobody is using the browser').waitFor();
  });

  it('says of a sign-in that refuses such browsers that it does', async () => {
    const { page } = window;
    await takeOver();
    const hint = page.getByText('This sign-in refuses browsers that programs can drive.');
    expect(await hint.count()).toBe(0);
    const tabs = [{ id: 'g', title: 'Sign in', url: 'https://accounts.google.com/v3/signin' }];
    await changeBrowser(page, { tabs, tabId: 'g' });
    await hint.waitFor();
  });

  it('lets the agent see what was typed only where the user ticks it, and only once', async () => {
    const { page } = window;
    await takeOver();
    const box = page.getByRole('checkbox', { name: /^Let the agent see what I type/ });
    expect(await box.isChecked()).toBe(false);
    await box.focus();
    await page.keyboard.press('Space');
    await button('Hand back').click();
    await page.getByText('Nobody is using the browser').waitFor();
    expect(await box.count()).toBe(0);
    await button('Take over').click();
    await button('Hand back').click();
    await page.getByText('Nobody is using the browser').waitFor();
    expect(await window.sent('browser.control')).toEqual([
      { threadId: 't-browse', action: 'take' },
      { threadId: 't-browse', action: 'hand_back', showTyped: true },
      { threadId: 't-browse', action: 'take' },
      { threadId: 't-browse', action: 'hand_back' },
    ]);
  });

  it('offers no browser in a question of a task whose browser has ended', async () => {
    const { page } = window;
    await showBrowser();
    await askUser(page);
    await button('Take over the browser').waitFor();
    await changeBrowser(page, { isOpen: false, control: 'nobody', tabs: [], tabId: null });
    await expect.poll(() => button('Take over the browser').count()).toBe(0);
  });
});
