import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`the way to a model${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const message = () => page.getByRole('textbox', { name: 'Message' });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  /** Opens a new task for which no model is chosen. */
  const openWithout = async (servers: 'some' | 'none'): Promise<void> => {
    await window.goto('');
    await page.evaluate((kind) => {
      const { fake } = globalThis;
      const settings = { ...fake.state.settings, model: null };
      fake.state.settings = settings;
      if (kind === 'none') {
        fake.state.servers = fake.state.servers.map((server) =>
          server.kind === 'demo' ? server : { ...server, reachable: false, models: [] },
        );
      }
      fake.push({ kind: 'settings_changed', settings });
    }, servers);
    await page.getByText('Choose a model', { exact: true }).first().waitFor();
  };

  it('sends nothing without a model, and offers those that are there', async () => {
    await openWithout('some');
    await message().fill('Total the sales');
    await message().press('Enter');
    await page.getByText('This message needs a model.').waitFor();
    const focused = await page.evaluate<string>('document.activeElement.textContent');
    expect(focused).toBe('Choose a model');
    expect(await window.sent('runs.start')).toEqual([]);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: /qwen3:8b/ }).click();
    await page.getByText('This message needs a model.').waitFor({ state: 'hidden' });
    expect(await message().inputValue()).toBe('Total the sales');
    await message().press('Enter');
    await expect
      .poll(() => window.sent('runs.start'))
      .toMatchObject([{ options: { model: { provider: 'ollama', name: 'qwen3:8b' } } }]);
  });

  it('leads to a model or the demonstration where no server has one', async () => {
    await openWithout('none');
    await message().fill('Total the sales');
    await button('Send').click();
    await page.getByText('No model was found').waitFor();
    await button('Open model settings').click();
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Escape');
    await button('Try the demonstration').click();
    expect(await message().inputValue()).toBe('Total the sales');
    await message().press('Enter');
    await expect
      .poll(() => window.sent('runs.start'))
      .toMatchObject([{ options: { model: { provider: 'demo' } } }]);
  });

  it('folds servers that do not answer to one line each, and adds another', async () => {
    await window.goto('');
    await page.evaluate(() => {
      const { fake } = globalThis;
      const absent = fake.state.servers.find(({ reachable }) => !reachable);
      if (absent === undefined) throw new Error('Every server of the fake main answers.');
      for (const name of ['jan', 'vllm', 'llama-cpp']) {
        fake.state.servers.push({ ...absent, provider: name, label: name });
      }
    });
    await button(/^Model: /).click();
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: '4 servers do not answer' }).click();
    const lines = menu.locator('.absent-server');
    await expect.poll(() => lines.count()).toBe(4);
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.absent-server')].map((line) => line.offsetHeight)`,
    );
    expect(Math.max(...heights)).toBeLessThan(32);
    await menu.getByRole('menuitem', { name: 'Add server…' }).click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await expect.poll(() => page.evaluate('document.activeElement.placeholder')).toBe('lm-studio');
    expect(await settings.getByRole('tab', { name: 'Models' }).getAttribute('data-state')).toBe(
      'active',
    );
  });

  it('says what answers at an address that was changed or added', async () => {
    await window.goto('');
    await button('Settings').click();
    const address = page.getByLabel('Ollama address');
    const status = page.getByTestId('server-ollama');
    await status.getByText('4 models found').waitFor();
    await page.evaluate(() => {
      const { fake } = globalThis;
      fake.state.servers = fake.state.servers.map((server) =>
        server.provider === 'ollama'
          ? { ...server, reachable: false, models: [], problem: 'Nothing answers at this address.' }
          : server,
      );
    });
    await address.fill('http://127.0.0.1:9');
    await address.press('Enter');
    await status.getByText('Nothing answers at this address.').waitFor();
    await page.evaluate(() => {
      const { fake } = globalThis;
      const [ollama] = fake.state.servers;
      if (ollama === undefined) throw new Error('The fake main has no servers.');
      fake.state.servers.push({ ...ollama, provider: 'box', reachable: true, problem: null });
    });
    await page.getByLabel('Name', { exact: true }).fill('box');
    await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:8/v1');
    await button('Add server').click();
    await page.getByTestId('server-box').getByText('No models').waitFor();
    expect(await window.sent('settings.update')).toMatchObject([
      { changes: { ollamaUrl: 'http://127.0.0.1:9' } },
      { changes: { servers: [{ name: 'lm-studio' }, { name: 'box' }] } },
    ]);
  });
});
