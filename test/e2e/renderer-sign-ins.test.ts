import { describe, expect, it } from 'vitest';
import { openBrowser, openSignIns } from '../setup/browser-screens.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

const FOCUSED = `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`;

describe.skipIf(chromiumPath === null)(`saved sign-ins in the window${chromiumNote}`, () => {
  const window = useWindow('?browser=1');
  const focused = () => window.page.evaluate<string>(FOCUSED);
  const item = (name: string) => window.page.getByRole('menuitem', { name });

  it('are saved by keyboard under the name of the site, and replace one on request', async () => {
    const { page } = window;
    await window.goto('#/task/t-browse');
    await openSignIns(page);
    await item('Rail account').waitFor();
    await page.keyboard.press('Escape');
    // While it closes, it keeps the focus.
    await item('Rail account').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Saved sign-ins' }).press('Enter');
    await expect.poll(focused).toBe('Save this sign-in…');
    await page.keyboard.press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    const site = new URL(
      await page.evaluate<string>(
        `fake.browser.state('t-browse').tabs.find(({ title }) => title === 'Book a train').url`,
      ),
    );
    await expect.poll(() => name.inputValue()).toBe(site.host);
    await page.getByText(`Cookies and stored data of ${site.origin}`).waitFor();
    await page.keyboard.type('rail account');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('There is a saved sign-in "Rail account".').waitFor();
    await page.getByRole('button', { name: 'Replace' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe('Saved sign-ins');
    const asked = { threadId: 't-browse', name: 'rail account' };
    expect(await window.sent('signIns.save')).toEqual([
      { ...asked, replace: false },
      { ...asked, replace: true },
    ]);
  });

  it('are used in a task by a choice from the menu, while the user has control', async () => {
    const { page } = window;
    await window.goto('#/task/t-browse');
    await openBrowser(page);
    expect(await page.getByRole('button', { name: 'Saved sign-ins' }).count()).toBe(0);
    await openSignIns(page);
    await item('Rail account').click();
    await page.getByRole('img', { name: 'Page: rail.example' }).waitFor();
    expect(await window.sent('signIns.use')).toEqual([
      { threadId: 't-browse', signInId: 'sign-in-1' },
    ]);
  });

  it('cannot be saved or used without a keychain, and the menu says why', async () => {
    const { page } = window;
    await window.goto('#/task/t-browse');
    await page.evaluate('fake.browser.signIns.storage = null');
    await openSignIns(page);
    await page.getByText('No keychain is available here to protect sign-ins').waitFor();
    expect(await item('Save this sign-in…').getAttribute('aria-disabled')).toBe('true');
    expect(await item('Rail account').count()).toBe(0);
  });

  it('are listed in the settings, and deleted after a question that says what stays', async () => {
    const { page } = window;
    await window.goto('');
    await page.evaluate(`fake.browser.signIns.add('Rail account', 'https://rail.example')`);
    await page.evaluate(`fake.browser.signIns.add('Shop\\u202e', 'https://shop.example')`);
    await page.getByRole('button', { name: 'Settings' }).first().click();
    await page.getByRole('tab', { name: 'Data' }).click();
    const list = page.getByRole('region', { name: 'Saved sign-ins' });
    await list.getByText('https://rail.example').waitFor();
    await list.getByText('⟨U+202E⟩').waitFor();
    expect(await list.getByText('not used yet').count()).toBe(2);
    const remove = list.getByRole('button', { name: 'Delete the sign-in Rail account' });
    await remove.click();
    const question = page.getByRole('alertdialog');
    await question.getByText('stay signed in until their browser ends').waitFor();
    await expect.poll(focused).toBe('Keep it');
    await page.keyboard.press('Enter');
    expect(await window.sent('signIns.delete')).toEqual([]);
    await remove.click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    expect(await window.sent('signIns.delete')).toEqual([{ signInId: 'sign-in-1' }]);
  });
});
