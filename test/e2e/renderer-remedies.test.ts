import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** What the window offers about a run that failed. */
describe.skipIf(chromiumPath === null)(`remedies${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const failedWith = async (code: string): Promise<void> => {
    await window.goto('');
    await page.evaluate((given) => {
      const { fake } = globalThis;
      const [first] = fake.state.runs;
      if (first === undefined) throw new Error('The fake main has no runs.');
      const prompt = 'Draw all the maps';
      const run = { ...first, id: 'broken', threadId: 't-run', status: 'failed' as const, prompt };
      fake.addLog(run, [{ type: 'error', code: given, message: 'It did not work.', details: {} }]);
    }, code);
    await page.evaluate(`location.hash = '#/task/t-run'`);
    await page.getByText('It did not work.').waitFor();
  };
  /** The buttons of the card, as they stand. */
  const offered = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.end-card .row button:not([aria-label])')].map((one) => one.textContent)`,
    );

  it.each([
    ['MODEL_LOAD_FAILED', ['Choose another model', 'Open model settings', 'Run again']],
    ['CLOUD_MODEL_NOT_ALLOWED', ['Allow this model and run again', 'Choose another model']],
    ['BAD_REQUEST', ['Edit the message']],
    ['MODEL_STREAM_BROKEN', ['Retry the last step', 'Run again']],
  ])('fit %s', async (code, buttons) => {
    await failedWith(code);
    expect(await offered()).toEqual(buttons);
  });

  it('choose another model, and run with that one', async () => {
    await failedWith('MODEL_LOAD_FAILED');
    await button('Choose another model').click();
    await page.getByRole('menuitemradio', { name: /llama3\.2:3b/ }).click();
    await button('Run again').click();
    await expect
      .poll(() => window.sent('runs.start'))
      .toMatchObject([
        { prompt: 'Draw all the maps', options: { model: { name: 'llama3.2:3b' } } },
      ]);
  });

  it('edit the message, before what is written already', async () => {
    await failedWith('BAD_REQUEST');
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('In colour');
    await button('Edit the message').click();
    expect(await message.inputValue()).toBe('Draw all the maps\n\nIn colour');
    expect(await message.evaluate((box) => box.matches(':focus'))).toBe(true);
    // A second press adds nothing.
    await button('Edit the message').click();
    expect(await message.inputValue()).toBe('Draw all the maps\n\nIn colour');
  });
});
