import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { emptyPage, useChromium } from '../setup/use-window.ts';
import { openAddress, watchPage } from '../setup/window-harness.ts';

/** Names of the requests with an effect, in the order in which they were made. */
const REQUESTS = `window.fake.requests
  .map(({ name }) => name)
  .filter((name) => /^localModels\\.(?!get)|^settings\\.update|^runs\\.start|^attachments/.test(name))`;
const FOCUSED = `(() => {
  const { activeElement, body } = document;
  if (activeElement === body) return '';
  return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
})()`;

describe.skipIf(chromiumPath === null)(`the first steps${chromiumNote}`, () => {
  const chromium = useChromium();
  let page: Page;
  let session: CDPSession;

  beforeAll(async () => {
    page = await chromium.browser.newPage({ reducedMotion: 'reduce' });
    session = await page.context().newCDPSession(page);
  });
  afterAll(() => page?.close());
  beforeEach(() => emptyPage(page, session, chromium.url));

  const open = async (query: string): Promise<void> => {
    await openAddress(page, `${chromium.url}${query}`, watchPage(page, chromium.url));
    await page.getByRole('heading', { name: 'Welcome to HyperAgent' }).waitFor();
  };
  /** Presses Tab until what has the focus is called so, then Enter. */
  const pressByKeyboard = async (name: string | RegExp): Promise<void> => {
    for (let turn = 0; turn < 60; turn += 1) {
      await page.keyboard.press('Tab');
      const focused = (await page.evaluate(FOCUSED)) as string;
      if (typeof name === 'string' ? focused === name : name.test(focused)) {
        await page.keyboard.press('Enter');
        return;
      }
    }
    throw new Error(`${name} cannot be reached by Tab`);
  };

  it('lead by keyboard alone from no server to a model that is downloaded', async () => {
    await open('?first=none');
    await page.getByRole('button', { name: 'Download Qwen3 4B' }).waitFor();
    await pressByKeyboard('Download Qwen3 4B');
    await page.getByRole('progressbar', { name: 'Downloading qwen3-4b.gguf' }).waitFor();
    await pressByKeyboard('Pause qwen3-4b.gguf');
    await page.getByText('Paused · 1.0 GB of 2.5 GB').waitFor();
    await pressByKeyboard('Resume qwen3-4b.gguf');
    await page.getByText('Ready', { exact: true }).waitFor();
    await pressByKeyboard('Install the runtime');
    await page.getByText('Model files need a runtime').waitFor({ state: 'detached' });
    expect(await page.evaluate(REQUESTS)).toEqual([
      'localModels.download',
      'localModels.pause',
      'localModels.resume',
      'localModels.installRuntime',
    ]);
  });

  it('take a file that another program has, and run a task with the sample', async () => {
    await open('?first=none&pace=1');
    await page.getByRole('button', { name: 'Use this file: gemma3:4b' }).waitFor();
    await pressByKeyboard('Use this file: gemma3:4b');
    await page.getByText('gemma3:4b answers your tasks.').waitFor();
    await pressByKeyboard('Run it: Total the sample sales and draw a chart');
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
    expect(await page.evaluate(REQUESTS)).toEqual(
      expect.arrayContaining([
        'localModels.use',
        'settings.update',
        'attachments.add',
        'runs.start',
      ]),
    );
    const start = `window.fake.requests.find(({ name }) => name === 'runs.start').input.attachmentIds.length`;
    expect(await page.evaluate(start)).toBe(1);
  });

  it('start a server that is installed, and choose its model', async () => {
    await open('?first=none');
    await page.getByRole('button', { name: 'Start Ollama' }).waitFor();
    await pressByKeyboard('Start Ollama');
    // It runs now, and has no model yet.
    await page.getByRole('button', { name: 'Download qwen3:8b with Ollama' }).waitFor();
    await pressByKeyboard(/Download qwen3:8b with Ollama/);
    await page.getByRole('progressbar').waitFor();
  });

  it('choose a model of a server without leaving the steps', async () => {
    await open('?first=yes');
    await page.getByRole('button', { name: /qwen3:8b/ }).waitFor();
    await pressByKeyboard(/^qwen3:8b/);
    await page.getByText('qwen3:8b answers your tasks.').waitFor();
    await page.getByRole('heading', { name: 'Step 1: Choose a model' }).waitFor();
    await pressByKeyboard('Choose another');
    await page.getByRole('button', { name: /llama3.2:3b/ }).waitFor();
  });

  it('choose when to be asked', async () => {
    await open('?first=none');
    await page.getByRole('radio', { name: /Ask only when something leaves/ }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'Step 2: Choose when it asks you' }).waitFor();
    const level = 'window.fake.state.settings.policyLevel';
    await expect.poll(() => page.evaluate(level)).toBe('ask_on_exit');
  });

  it('play the demonstration without any model', async () => {
    await open('?first=none&pace=1');
    await page.getByRole('button', { name: 'Run it: Play the scripted demo' }).waitFor();
    await pressByKeyboard('Run it: Play the scripted demo');
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
    const model = `window.fake.requests.find(({ name }) => name === 'runs.start').input.options.model.provider`;
    expect(await page.evaluate(model)).toBe('demo');
  });

  it('are skipped with one button, shown once, and opened again from the setup check', async () => {
    await open('?first=none');
    await pressByKeyboard('Skip for now');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await page.evaluate('window.fake.state.settings.checkupSeen')).toBe(true);
    await page.getByRole('button', { name: 'Choose a model' }).first().click();
    await page.getByRole('menuitem', { name: 'Open setup check' }).click();
    await pressByKeyboard('First steps');
    await page.getByRole('heading', { name: 'Welcome to HyperAgent' }).waitFor();
  });

  it('say why an address is refused, at its field', async () => {
    await open('?first=none');
    await page.getByRole('button', { name: 'Another model file' }).waitFor();
    await pressByKeyboard('Another model file');
    await page.keyboard.press('Tab');
    await page.keyboard.type('qwen3:8b');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('is not a model file').waitFor();
    const field = page.getByLabel('Address or Hugging Face file');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('https://models.example/own.gguf');
    await page.keyboard.press('Enter');
    await page.getByText('Licence unknown').waitFor();
  });
});
