import type { Screen } from './axe.ts';
import { showSidebar } from './narrow-window.ts';

const settings = (section: string, settled: string): Screen => ({
  path: '',
  open: async (page, narrow) => {
    await showSidebar(page, narrow);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: section }).click();
    await page.getByText(settled).first().waitFor();
  },
});

/** The states of the settings, the setup check and the first steps that are looked at. */
export const SETTINGS_SCREENS: Readonly<Record<string, Screen>> = {
  'the first steps with a server': {
    path: '?first=yes',
    open: (page) => page.getByRole('button', { name: /qwen3:8b/ }).waitFor(),
  },
  'the first steps without a server': {
    path: '?first=none',
    open: async (page) => {
      await page.getByRole('button', { name: 'Download Qwen3 4B' }).click();
      await page.getByRole('progressbar').waitFor();
      await page.getByRole('button', { name: 'Another model file' }).click();
      await page.getByLabel('SHA-256 (optional)').fill('abc');
      await page.getByText('A SHA-256 hash has 64 digits').waitFor();
    },
  },
  'the setup check without a model': {
    path: '?first=none',
    open: async (page) => {
      await page.getByRole('button', { name: 'Setup check' }).click();
      await page.getByText('Not ready: no model was found').waitFor();
      await page.getByRole('button', { name: 'Start Ollama' }).waitFor();
    },
  },
  'the setup check': {
    path: '?first=yes',
    open: async (page) => {
      await page.getByRole('button', { name: 'Setup check' }).click();
      await page.getByRole('button', { name: /escape attempts blocked/ }).click();
      await page.getByText('no route to any address').waitFor();
    },
  },
  'settings: diagnostics': {
    path: '',
    open: async (page, narrow) => {
      await settings('Data', 'Your data').open(page, narrow);
      await page.getByRole('button', { name: 'Show diagnostics…' }).click();
      await page.getByLabel('Crash dumps').uncheck();
      await page.getByText('Left out by the user: crashes').waitFor();
    },
  },
  'settings: models': settings('Models', 'Keys are never shown again'),
  'settings: a checked model': {
    path: '',
    open: async (page, narrow) => {
      await settings('Models', 'Keys are never shown again').open(page, narrow);
      await page
        .getByRole('button', { name: /qwen3:8b/ })
        .last()
        .click();
      await page.getByRole('button', { name: 'Check this model' }).click();
      await page.getByText('Two tool calls at once').waitFor();
      await page.getByRole('button', { name: 'Recommend from' }).click();
      await page.getByText('No installed model fits.').waitFor();
      await page.getByRole('textbox', { name: 'Model name' }).fill('gemma3:4b');
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      await page.getByRole('progressbar').waitFor();
      await page.getByRole('button', { name: 'Edit the servers as JSON' }).click();
      await page.getByRole('textbox', { name: 'Servers' }).fill('[{]');
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByText('Invalid JSON').waitFor();
    },
  },
  'settings: agents': settings('Agents', 'Parallel steps'),
  'settings: sandbox': settings('Sandbox', 'Docker image'),
  'settings: a sandbox in the cloud': {
    path: '',
    open: async (page, narrow) => {
      await settings('Sandbox', 'Docker image').open(page, narrow);
      await page.getByRole('radio', { name: 'E2B, a cloud sandbox' }).check();
      await page.getByText('Task files are sent to e2b.dev').waitFor();
      await page.getByLabel('Key for e2b').waitFor();
    },
  },
  'settings: search': settings('Search', 'SearXNG address'),
  'settings: a search that was tried': {
    path: '',
    open: async (page, narrow) => {
      await settings('Search', 'SearXNG address').open(page, narrow);
      await page.getByRole('button', { name: 'Test search' }).click();
      await page.getByText('Brave refused the key').waitFor();
    },
  },
  'settings: prompts': {
    path: '',
    open: async (page, narrow) => {
      await settings('Prompts', 'No prompts yet.').open(page, narrow);
      const add = async (name: string, text: string): Promise<void> => {
        await page.getByRole('button', { name: 'Add prompt' }).click();
        await page.getByRole('textbox', { name: 'Name' }).fill(name);
        await page.getByRole('textbox', { name: 'Text' }).fill(text);
      };
      const save = page.getByRole('button', { name: 'Save prompt' });
      await add('Weekly report', `Report on {{topic}}, ${'with all that matters, '.repeat(20)}`);
      await save.click();
      await save.waitFor({ state: 'hidden' });
      await add(`<b>${'a-name-without-spaces-'.repeat(3)}\u202e`, 'Short');
      await save.click();
      await save.waitFor({ state: 'hidden' });
      await add('Weekly report', 'Another');
      await page.getByText('You have a prompt with this name.').waitFor();
    },
  },
  'settings: approvals': settings('Approvals', 'Revoke'),
  'settings: guardrails': settings('Guardrails', 'Scan time limit'),
  'settings: appearance': settings('Appearance', 'System'),
  'settings: data': settings('Data', 'Data folder'),
  'settings: saved sign-ins, one to be deleted': {
    path: '',
    open: async (page, narrow) => {
      await page.evaluate(() => {
        const { signIns } = globalThis.fake.browser;
        signIns.add('Rail account', 'https://rail.example');
        signIns.add(`${'a-name-without-spaces-'.repeat(3)}\u202e`, 'https://shop.example:8443');
      });
      await settings('Data', 'Data folder').open(page, narrow);
      await page.getByRole('button', { name: 'Delete the sign-in Rail account' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  'settings: locked by a policy': {
    path: '?policy=held',
    open: settings('Network', 'Set by Example Ltd').open,
  },
  'settings: lists that a policy locks': {
    path: '?policy=held',
    open: settings('Models', 'Set by Example Ltd').open,
  },
  'an invalid policy': {
    path: '?policy=invalid',
    open: (page) => page.getByText('The policy of this computer is invalid').waitFor(),
  },
  'settings: delete all data': {
    path: '',
    open: async (page, narrow) => {
      await settings('Data', 'Data folder').open(page, narrow);
      await page.getByRole('button', { name: 'Export…' }).click();
      await page.getByText('0 of 7 tasks').waitFor();
      await page.getByRole('button', { name: 'Delete all data…' }).click();
      await page.getByRole('alertdialog').getByRole('textbox').fill('delete');
    },
  },
};
