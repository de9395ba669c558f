import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EgressConnection } from '#contract/egress.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The switch, the list of connections and their settings, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`the network in the window${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const updates = () =>
    page.evaluate(() =>
      globalThis.fake.requests
        .filter((one) => one.name === 'settings.update')
        .map(({ input }) => (input as { changes: unknown }).changes),
    );

  it('one click in the title bar takes everything offline, another restores the previous policy', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('button', { name: 'Network is on' }).click();
    const off = page.getByRole('button', { name: 'Network is off' });
    await off.waitFor();
    expect(await off.getAttribute('aria-pressed')).toBe('true');
    await off.click();
    await page.getByRole('button', { name: 'Network is on' }).waitFor();
    expect(await updates()).toEqual([
      { egress: 'offline', egressWhenOn: 'open' },
      { egress: 'open', egressWhenOn: 'open' },
    ]);
  });

  it('restores the allowed hosts, also in a window that was opened while offline', async () => {
    await window.goto('#/task/t-sales');
    const setTo = (egress: 'offline' | 'allowlist') =>
      page.evaluate((wanted) => {
        globalThis.fake.state.settings = {
          ...globalThis.fake.state.settings,
          ...{ egress: wanted, egressWhenOn: 'allowlist' },
        };
        globalThis.fake.push({
          kind: 'settings_changed',
          settings: globalThis.fake.state.settings,
        });
      }, egress);
    await setTo('offline');
    await page.getByRole('button', { name: 'Network is off' }).click();
    await page.getByRole('button', { name: 'Network is on' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Network' }).click();
    await page.getByRole('radio', { name: /^Offline, including the app/ }).click();
    await expect.poll(updates).toEqual([
      { egress: 'allowlist', egressWhenOn: 'allowlist' },
      { egress: 'offline', egressWhenOn: 'allowlist' },
    ]);
  });

  it('shows all of a long list, a page at a time', async () => {
    await window.goto('');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.evaluate(() => {
      const { state } = globalThis.fake;
      const [first] = state.connections;
      if (first === undefined) return;
      state.connections = Array.from({ length: 600 }, (_, index) => ({
        ...first,
        ...{ id: index + 1, host: `host-${Math.floor(index / 2)}.example` },
        ...{ verdict: 'denied', reason: 'not_listed' },
      }));
    });
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('tab', { name: 'Network' }).click();
    // By class: names and roles of hundreds of lines are slow to compute.
    const [count, lines] = [dialog.locator('.connection-count'), dialog.locator('.connection')];
    const shown = async () => [await count.innerText(), await lines.count()];
    await expect.poll(shown).toEqual(['Newest 500 connections, 500 denied', 100]);
    const earlier = dialog.getByText('Show earlier', { exact: true });
    for (const known of [200, 300]) {
      await earlier.click();
      await expect.poll(() => lines.count()).toBe(known);
    }
    expect(await count.innerText()).toBe('600 connections, 600 denied');
    expect(await lines.last().innerText()).toMatch(/host-0\.example[\s\S]*2 times/);
    expect(await earlier.count()).toBe(0);
  });

  it('shows what a task sent and tried to send, and lets the user allow a host', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('tab', { name: 'Network' }).click();
    const list = page.getByRole('list', { name: 'Connections' });
    await list.waitFor();
    const lines = await list.getByRole('listitem').allInnerTexts();
    expect(lines.map((line) => line.split('\n')[0])).toEqual([
      'example.com',
      'files.pythonhosted.org 151.101.128.223',
      'pypi.org 151.101.0.223',
    ]);
    expect(lines[0]).toContain('Denied: not on the list of allowed hosts');
    expect(lines[1]).toContain('1.2 kB out, 4.8 MB in');
    await page.getByRole('button', { name: 'Allow example.com' }).click();
    await page.getByText('example.com is now allowed.').waitFor();
    const allowed = page.getByRole('button', { name: 'Allowed: example.com' });
    expect(await allowed.evaluate((one) => one.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    expect(await updates()).toEqual([{ egressHosts: ['pypi.org', 'example.com'] }]);
    // A new connection appears by itself, and so does its end; hidden characters in its name are visible.
    const connection: EgressConnection = {
      ...{
        id: 9,
        at: Date.now(),
        endedAt: null,
        actor: 'fetch',
        port: 8443,
        address: '93.184.215.14',
      },
      ...{ host: 'new.example\u202egro', verdict: 'allowed', reason: null },
      ...{ runId: 'run-t-sales', sentBytes: 0, receivedBytes: 0 },
    };
    const runId = 'run-t-sales';
    await page.evaluate((connection) => globalThis.fake.push({ kind: 'egress', connection }), {
      ...connection,
      runId,
    });
    await list.getByText('open').waitFor();
    expect(await list.getByRole('listitem').first().innerText()).toContain('U+202E');
    await page.evaluate((connection) => globalThis.fake.push({ kind: 'egress', connection }), {
      ...connection,
      runId,
      endedAt: Date.now(),
      sentBytes: 10,
      receivedBytes: 20,
    });
    await list.getByText('10 B out, 20 B in').waitFor();
  });

  it('the network access of a task is chosen with its message, and kept for the next one', async () => {
    await window.goto('#/task/t-sales');
    // The task had none before.
    await page.getByRole('button', { name: 'Network access: none' }).click();
    await page.getByRole('menuitemradio', { name: /^Allowed hosts/ }).click();
    const chosen = page.getByRole('button', { name: 'Network access: allowed hosts' });
    await chosen.waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Go on');
    await page.keyboard.press('Enter');
    const started = () =>
      page.evaluate(() =>
        globalThis.fake.requests
          .filter((one) => one.name === 'runs.start')
          .map(({ input }) => (input as { options: { network?: string } }).options.network),
      );
    await expect.poll(started).toEqual(['allowlist']);
  });

  it('network settings say what is wrong with a host, and keep it to be corrected', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Network' }).click();
    const hosts = page.getByLabel('Allowed hosts', { exact: true });
    await hosts.fill('pypi.org\n*.example.com:8443');
    const saved = page.getByText('Saved', { exact: true }).waitFor();
    await hosts.blur();
    await saved;
    await page.getByRole('radio', { name: /^Only allowed hosts/ }).check();
    await page.getByRole('dialog').getByRole('tab', { name: 'Agents' }).click();
    await page.getByRole('radio', { name: /CodeAct/ }).check();
    expect(await updates()).toEqual([
      { egressHosts: ['pypi.org', '*.example.com:8443'] },
      { egress: 'allowlist', egressWhenOn: 'allowlist' },
      { executionMode: 'codeact' },
    ]);
  });
});
