import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { openConnector, openConnectors } from '../setup/connector-screens.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(`connectors at an address${chromiumNote}`, () => {
  const window = useWindow();
  const form = () => window.page.getByRole('region', { name: 'Add a connector' });
  const list = () => window.page.getByRole('region', { name: 'Connectors', exact: true });
  const dialog = (name: string) => window.page.getByRole('dialog', { name: `Add “${name}”?` });
  const press = (name: string) =>
    window.page.getByRole('button', { name, exact: true }).filter({ visible: true }).click();
  const facts = () => window.page.locator('.connector-facts dd').allTextContents();

  it('can have a client that the user registered, with a secret', async () => {
    await window.goto('');
    await openConnectors(window.page);
    await form().getByRole('radio', { name: 'Address' }).check();
    for (const [name, text] of [
      ['Name', 'far'],
      ['Address', 'https://example.com/mcp'],
      ['Client ID', ' my-app '],
    ] as const) {
      await form().getByRole('textbox', { name, exact: true }).fill(text);
    }
    const secret = form().getByLabel('Client secret', { exact: true });
    expect(await secret.getAttribute('type')).toBe('password');
    await secret.fill('zq-secret');
    await press('Review…');
    await dialog('far').waitFor();
    expect(await facts()).toEqual([
      ...['https://example.com/mcp', 'none', 'my-app', 'stored encrypted'],
      'on another computer: what is sent there leaves this one',
    ]);
    await press('Add');
    await dialog('far').waitFor({ state: 'hidden' });
    expect(await window.sent('connectors.add')).toMatchObject([
      { draft: { oauth: { clientId: 'my-app', clientSecret: 'zq-secret' } } },
    ]);
    await form().getByRole('radio', { name: 'Address' }).check();
    expect(await secret.inputValue()).toBe('');
  });

  it('are signed in to: the user sees where, opens the page, and signs out again', async () => {
    const { page } = window;
    await window.goto('');
    await page.evaluate(() => {
      const { connectors } = globalThis.fake;
      const problem = 'It wants you to sign in.';
      const config = { kind: 'remote' as const, url: 'https://example.com/mcp', headers: [] };
      connectors.add('far', { config, problem, state: 'failed', signIn: 'needed' });
      const { promise, resolve } = Promise.withResolvers<void>();
      connectors.signedIn = promise;
      Object.assign(globalThis, { finishSignIn: resolve });
    });
    await openConnectors(page);
    await openConnector(page, 'far');
    await press('Sign in…');
    await press('Open the sign-in page of accounts.example.com');
    const link = page.locator('.link-popover').getByRole('link');
    expect(await link.getAttribute('href')).toContain('https://accounts.example.com/authorize');
    await page.keyboard.press('Escape');
    await page.getByText('Waiting until you have signed in there.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await page.evaluate('finishSignIn()');
    await page.getByRole('button', { name: 'Sign in again…' }).waitFor();
    expect(await list().getByText('It wants you to sign in.').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out of far' }).click();
    await page.getByRole('button', { name: 'Sign in…', exact: true }).waitFor();
    const far = { connectorId: 'connector-far' };
    expect(await window.sent('connectors.awaitSignIn')).toEqual([far]);
    expect(await window.sent('connectors.signOut')).toEqual([far]);
  });

  it('whose sign-in fails say why, and can be tried again', async () => {
    const { page } = window;
    await window.goto('');
    await page.evaluate(() => {
      const { connectors } = globalThis.fake;
      const config = { kind: 'remote' as const, url: 'https://example.com/mcp', headers: [] };
      connectors.add('far', { config, signIn: 'needed' });
      connectors.refusal = 'The sign-in was refused: access_denied.';
    });
    await openConnectors(page);
    await openConnector(page, 'far');
    await press('Sign in…');
    await page.getByText('The sign-in was refused: access_denied.').first().waitFor();
    await page.evaluate('fake.connectors.refusal = null');
    await press('Sign in…');
    await page.getByRole('button', { name: 'Sign in again…' }).waitFor();
  });
});
