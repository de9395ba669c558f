import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { addOffers } from '../setup/connector-screens.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`what connectors offer for messages${chromiumNote}`, () => {
  const window = useWindow();
  const message = () => window.page.getByRole('textbox', { name: 'Message' });
  const active = () => window.page.getByRole('option', { selected: true });
  const dialog = () => window.page.getByRole('dialog', { name: 'Plan a day' });
  const field = (name: string) => dialog().getByRole('textbox', { name });
  const text = () => message().inputValue();
  const isFocused = () => message().evaluate((element) => element.matches(':focus'));
  const chips = () => window.page.locator('.attachment').allInnerTexts();
  const refuse = (why: string | null) =>
    window.page.evaluate((refusal) => {
      globalThis.fake.connectors.refusal = refusal;
    }, why);

  async function choose(typed: string, shown: string): Promise<void> {
    await message().focus();
    await window.page.keyboard.type(typed);
    await expect.poll(() => active().allInnerTexts()).toEqual([expect.stringContaining(shown)]);
    await window.page.keyboard.press('Enter');
  }

  beforeEach(async () => {
    await window.goto('');
    await message().waitFor();
    await addOffers(window.page);
  });

  it('a resource is attached by @, and says why where it is not', async () => {
    await choose('Read @today', 'Notes of today');
    await expect.poll(chips).toEqual([expect.stringMatching(/today\.md\s+2(?:\.0)? kB/i)]);
    expect([await text(), await isFocused()]).toEqual(['Read ', true]);
    expect(await window.sent('connectors.attachResource')).toEqual([
      { connectorId: 'connector-notes', uri: 'notes://days/today.md', variables: {} },
    ]);
    await refuse('The connector "notes" is switched off.');
    await choose('@today', 'Notes of today');
    await expect.poll(chips).toHaveLength(2);
    await expect.poll(async () => (await chips())[1]).toContain('is switched off');
    await window.page.keyboard.type('and');
    expect(await text()).toBe('Read and');
  });

  it('a resource that asks for something is attached once that is filled in, by keyboard alone', async () => {
    const { page } = window;
    const asked = page.getByRole('dialog', { name: 'Diary page', exact: true });
    await choose('Read @diary', 'Diary page…');
    await asked.waitFor();
    expect(await asked.innerText()).toContain('Resource from the connector notes');
    expect(await asked.innerText()).toContain('notes://days/{day}{?format}');
    expect(await asked.getByRole('button', { name: 'Attach' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'hidden' });
    await expect.poll(isFocused).toBe(true);
    await choose('@diary', 'Diary page…');
    await asked.waitFor();
    await page.keyboard.type('monday.md');
    await page.keyboard.press('Enter');
    await asked.waitFor({ state: 'hidden' });
    await expect.poll(chips).toHaveLength(1);
    await expect.poll(isFocused).toBe(true);
    expect(await text()).toBe('Read ');
    const uri = 'notes://days/{day}{?format}';
    expect(await window.sent('connectors.attachResource')).toEqual([
      { connectorId: 'connector-notes', uri, variables: { day: 'monday.md' } },
    ]);
  });

  it('a prompt without arguments takes the place of what was typed', async () => {
    await choose('First: /hello', 'Say hello');
    await expect.poll(text).toBe('First: Do it: {}');
    expect(await isFocused()).toBe(true);
    await window.page.keyboard.press('Control+z');
    expect(await text()).toBe('First: ');
    await refuse('The server ended.');
    await choose('/hello', 'Say hello');
    await window.page.getByText('The server ended.').waitFor();
    expect(await text()).toBe('First: ');
  });

  it('asks for arguments by keyboard alone, and gives the focus back', async () => {
    const { keyboard } = window.page;
    await choose('/plan', 'Plan a day');
    await dialog().waitFor();
    expect(await dialog().innerText()).toContain('⟨U+202E⟩');
    expect(await dialog().getByText('Prompt from the connector notes').isVisible()).toBe(true);
    await keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(isFocused).toBe(true);

    await choose('/plan', 'Plan a day');
    await dialog().waitFor();
    expect(await dialog().getByRole('button', { name: 'Insert' }).isDisabled()).toBe(true);
    await refuse('The connector "notes" did not give plan: it failed.');
    await keyboard.type('Monday');
    await keyboard.press('Enter');
    await dialog().getByRole('alert').getByText('it failed').waitFor();
    // Nothing that was typed is lost.
    expect(await field('day').inputValue()).toBe('Monday');
    await refuse(null);
    await field('mood').focus();
    await keyboard.press('Enter');
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(text).toBe('Do it: {"day":"Monday"}');
    await expect.poll(isFocused).toBe(true);
    await keyboard.type('!');
    expect(await text()).toBe('Do it: {"day":"Monday"}!');
  });
});
