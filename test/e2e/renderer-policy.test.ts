import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** What a policy of the computer locks, and one that is invalid, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`a policy in the window${chromiumNote}`, () => {
  const window = useWindow();
  const HELD = '?policy=held';
  const NOTE = 'Set by Example Ltd (/etc/hyperagent/policy.json)';

  const openSection = async (name: string): Promise<void> => {
    await window.page.getByRole('dialog').getByRole('tab', { name, exact: true }).click();
    await window.page.getByRole('tabpanel', { name }).waitFor();
  };
  const openSettings = async (search: string, section: string): Promise<void> => {
    await window.goto('#/', search);
    await window.page.getByRole('button', { name: 'Settings' }).click();
    await openSection(section);
  };

  it('disables what is locked, and says by whom and where', async () => {
    await openSettings(HELD, 'Network');
    const { page } = window;
    const panel = page.getByRole('tabpanel');
    await panel.getByText('Example Ltd manages some settings of HyperAgent.').waitFor();
    await panel.getByText('Contact: it@example.com').waitFor();
    const limit = page.getByRole('group', { name: 'App-wide network limit' });
    expect(
      await limit
        .getByRole('radio')
        .evaluateAll((all) => all.every((one) => one.matches(':disabled'))),
    ).toBe(true);
    expect(await limit.getByText(NOTE).count()).toBe(1);
    const hosts = page.getByRole('textbox', { name: 'Allowed hosts', exact: true });
    expect(await hosts.isDisabled()).toBe(true);
    expect(await hosts.getAttribute('aria-describedby')).not.toBeNull();
    expect(
      await page
        .getByRole('textbox', { name: 'Allowed hosts', exact: true })
        .evaluate(
          (field) =>
            field.ownerDocument.getElementById(field.getAttribute('aria-describedby') ?? '')
              ?.textContent,
        ),
    ).toBe(NOTE);
    // What is not locked stays the user's.
    const own = page.getByRole('textbox', { name: 'Allowed hosts on your own' });
    expect(await own.isDisabled()).toBe(false);
  });

  it.each([
    ['Models', 'Default model', 'combobox'],
    ['Models', 'Max', 'combobox'],
    ['Agents', 'What the agent should always know or do', 'textbox'],
    ['Appearance', 'Text size', 'combobox'],
  ] as const)('a control of each kind: %s, %s', async (section, name, role) => {
    await openSettings(HELD, section);
    const control = window.page.getByRole('tabpanel').getByRole(role, { name }).first();
    expect(await control.isDisabled()).toBe(true);
    await openSettings('', section);
    expect(await control.isDisabled()).toBe(false);
  });

  it.each([
    ['Models', 'Add'],
    ['Skills', 'Add'],
  ])('nothing is added to a list that is locked: %s', async (section, name) => {
    await openSettings(HELD, section);
    const { page } = window;
    const panel = page.getByRole('tabpanel');
    const fields = panel.locator('fieldset:disabled input');
    expect(await fields.count()).toBeGreaterThan(0);
    const button = panel.locator('fieldset:disabled').getByRole('button', { name }).first();
    expect(await button.isDisabled()).toBe(true);
  });

  it('locks the level of all tasks and of each, by keyboard too', async () => {
    await openSettings(HELD, 'Approvals');
    const { page } = window;
    const level = page.getByRole('tabpanel').getByRole('radio', { name: /Ask only/ });
    expect(await level.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Approvals:|^Asks|^Approval/ })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('menu');
    await menu.getByText(NOTE).waitFor();
    expect(await menu.getByRole('menuitemradio').count()).toBe(0);
  });

  it('a message is sent with what is locked, whatever was chosen before', async () => {
    await window.goto('#/', HELD);
    const { page } = window;
    await page.evaluate(() => {
      const { state } = globalThis.fake;
      const other = { network: 'open', model: { provider: 'ollama', name: 'other' } } as const;
      state.runs = state.runs.map((run) => ({ ...run, options: { ...run.options, ...other } }));
    });
    await page.evaluate("location.hash = '#/task/t-sales'");
    await page.getByText('Revenue by region').first().waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await page.keyboard.press('Enter');
    await expect.poll(() => window.sent('runs.start')).toHaveLength(1);
    const [sent] = (await window.sent('runs.start')) as { options: object; level?: string }[];
    expect(sent).toMatchObject({
      options: { network: 'offline', model: { provider: 'ollama', name: 'qwen3:8b' } },
    });
    expect(sent).not.toHaveProperty('level');
  });

  it('an invalid one is named with its lines, above everything', async () => {
    await window.goto('#/', '?policy=invalid');
    const bar = window.page.getByRole('alert');
    await bar.getByText('The policy of this computer is invalid.').waitFor();
    await bar
      .getByText('/etc/hyperagent/policy.json, line 3: settings.egres: there is no such setting.')
      .waitFor();
    expect((await bar.boundingBox())?.y).toBe(0);
    // None of the first steps could be taken.
    await window.goto('#/', '?policy=invalid&first=yes');
    await window.page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await window.page.getByText('Welcome to HyperAgent').count()).toBe(0);
  });
});
