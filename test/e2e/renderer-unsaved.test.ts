import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** What is typed into the settings and not saved. */
describe.skipIf(chromiumPath === null)(`unsaved text in the settings${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(async () => {
    page = window.page;
    await window.goto('');
  });
  const dialog = () => page.getByRole('dialog', { name: 'Settings' });
  const open = async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await dialog().waitFor();
  };
  const section = (name: string) => dialog().getByRole('tab', { name, exact: true }).click();
  const close = async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  };
  const field = (name: string) => dialog().getByRole('textbox', { name, exact: true });
  /** Settings that another window saved, once they are on the screen. */
  const changeElsewhere = async (changes: object): Promise<void> => {
    await page.evaluate((changed) => {
      const settings = { ...globalThis.fake.state.settings, ...changed };
      globalThis.fake.state.settings = settings;
      globalThis.fake.push({ kind: 'settings_changed', settings });
    }, changes);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  };
  const saved = () => window.sent('settings.update');

  it('is no place for what another window saves', async () => {
    await open();
    await dialog().getByRole('button', { name: 'Edit the servers as JSON' }).click();
    await field('Servers').fill('[ "mine" ]');
    await field('Ollama address').fill('http://127.0.0.1:1');
    await changeElsewhere({ ollamaUrl: 'http://127.0.0.1:2', maxRounds: 77, servers: [] });
    expect(await field('Ollama address').inputValue()).toBe('http://127.0.0.1:1');
    expect(await field('Servers').inputValue()).toBe('[ "mine" ]');
    // A field that nobody types into follows.
    expect(await field('Maximum steps per run').inputValue()).toBe('77');
    expect(await saved()).toEqual([]);
    await section('Network');
    expect(await saved()).toEqual([{ changes: { ollamaUrl: 'http://127.0.0.1:1' } }]);
    const hosts = field('Allowed hosts');
    await hosts.fill('mine.example\n\n');
    await changeElsewhere({ egressHosts: ['theirs.example'] });
    expect(await hosts.inputValue()).toBe('mine.example\n\n');
    await section('Models');
    expect(await field('Servers').inputValue()).toBe('[ "mine" ]');
    expect(await saved()).toHaveLength(2);
    expect((await saved())[1]).toEqual({ changes: { egressHosts: ['mine.example'] } });
  });

  it('stays in forms on another page and in closed settings, until it is saved or given up', async () => {
    await open();
    await field('Name').fill('mine');
    await field('Address').fill('http://127.0.0.1:9');
    const key = () => dialog().getByLabel('Key for OpenAI', { exact: true });
    await key().fill('sk-typed');
    await section('Approvals');
    await dialog().getByRole('button', { name: 'Add rule' }).click();
    await field('Pattern').fill('["git","*"]');
    await section('Prompts');
    await dialog().getByRole('button', { name: 'Add prompt' }).click();
    await field('Text').fill('Sum it up.');
    await close();

    await open();
    await expect.poll(() => field('Address').inputValue()).toBe('http://127.0.0.1:9');
    expect([await field('Name').inputValue(), await key().inputValue()]).toEqual([
      ...['mine', 'sk-typed'],
    ]);
    await dialog().getByRole('tab', { name: 'Skills' }).click();
    await page.keyboard.press('ArrowDown');
    await dialog().getByRole('tab', { name: 'Connectors', selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    // The form that is still open leaves the focus to the tabs.
    await expect.poll(() => field('Text').inputValue()).toBe('Sum it up.');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => field('Pattern').inputValue()).toBe('["git","*"]');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await section('Prompts');
    await field('Name').fill('Sum');
    await dialog().getByRole('button', { name: 'Save prompt' }).click();
    await dialog().getByRole('button', { name: 'Edit Sum' }).click();
    await field('Text').fill('Sum it up, in short.');
    // The prompt is deleted in another window: what is typed here is a new one.
    await changeElsewhere({ prompts: [] });
    expect(await field('Text').inputValue()).toBe('Sum it up, in short.');
    await dialog().getByRole('button', { name: 'Save prompt' }).click();
    await expect
      .poll(async () => (await saved()).at(-1))
      .toEqual({ changes: { prompts: [{ name: 'Sum', text: 'Sum it up, in short.' }] } });
    await section('Models');
    await key().press('Enter');
    await dialog().getByText('Key stored').first().waitFor();
    await section('Approvals');
    await dialog().getByRole('button', { name: 'Add rule' }).waitFor();
    expect(await field('Pattern').count()).toBe(0);
    await section('Models');
    expect(await key().inputValue()).toBe('');
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
    ).not.toContain('sk-typed');
  });

  it('is saved when the settings close over it, and what is refused then is said, and stays', async () => {
    await open();
    await field('Maximum steps per run').fill('12');
    await close();
    await expect.poll(saved).toEqual([{ changes: { maxRounds: 12 } }]);
    await open();
    await page.evaluate(() =>
      globalThis.fake.refuse.set('settings.update', {
        ...{ code: 'BAD_REQUEST', message: 'Choose 1 to 1,000.', details: {} },
      }),
    );
    await field('Maximum steps per run').fill('9999');
    await close();
    await page.getByText('Maximum steps per run: not saved. Choose 1 to 1,000.').waitFor();
    await open();
    expect(await field('Maximum steps per run').inputValue()).toBe('9999');
    await dialog().getByText('Choose 1 to 1,000.').waitFor();
    await field('Maximum steps per run').fill('12');
    await expect.poll(() => dialog().getByText('Choose 1 to 1,000.').count()).toBe(0);
    await close();
    expect(await saved()).toHaveLength(2);
  });
});
