import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RequestInput } from '#contract/requests.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** What is typed into the message box while the agent asks. */
describe.skipIf(chromiumPath === null)(`a message during a question${chromiumNote}`, () => {
  const window = useWindow('?questions=1');
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const message = () => page.getByRole('textbox', { name: 'Message' });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const responses = async (): Promise<unknown[]> =>
    ((await window.sent('runs.respond')) as { response: unknown }[]).map(
      ({ response }) => response,
    );
  /** Opens a task whose stored question takes an answer. */
  const open = async (threadId: string): Promise<void> => {
    await window.goto(`#/task/${threadId}`);
    await page.evaluate(() => {
      const { fake } = globalThis;
      const request = fake.request.bind(fake);
      fake.request = async (name, input) => {
        if (name !== 'runs.respond' || fake.refuse.has(name)) return request(name, input);
        fake.requests.push({ name, input });
        const { runId, interruptId, response } = input as RequestInput<'runs.respond'>;
        fake.emit(runId, [{ type: 'interrupt_response', interruptId, response, by: 'person' }]);
        return { ok: true, data: {} as never };
      };
    });
  };
  const say = async (threadId: string, text: string): Promise<void> => {
    await open(threadId);
    await page.getByRole('status').filter({ hasText: 'Your message' }).waitFor();
    await message().fill(text);
    await message().press('Enter');
  };

  it.each([
    ['a question with options', 't-wait', { action: 'input', text: 'Only those of 2019' }],
    ['a checkpoint', 't-plan', { action: 'input', text: 'Only those of 2019' }],
    ['yes or no', 't-confirm', { action: 'input', text: 'Only those of 2019' }],
  ])('answers %s', async (_name, threadId, expected) => {
    await say(threadId, 'Only those of 2019');
    await expect.poll(responses).toEqual([expected]);
    await expect.poll(() => message().inputValue()).toBe('');
    expect(await page.getByText('Next', { exact: true }).count()).toBe(0);
  });

  it('denies the calls that are asked about, with its words as the reason', async () => {
    await say('t-batch', 'Keep the notes, list them instead');
    const denial = { action: 'deny', reason: 'Keep the notes, list them instead' };
    await expect.poll(responses).toEqual([denial, denial]);
  });

  it('never approves a call, nor denies one, by a word of agreement', async () => {
    await say('t-batch', 'Yes, go ahead!');
    await page.getByText('A message never approves a call').waitFor();
    await message().fill('Yes, but only the notes');
    await page.getByText('A message never approves a call').waitFor({ state: 'hidden' });
    expect(await responses()).toEqual([]);
  });

  it('is queued instead where the user wants that, and keeps its files', async () => {
    await open('t-wait');
    await page
      .locator('.composer input[type=file]')
      .setInputFiles([{ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('x') }]);
    await message().fill('Then make an album');
    await button('Send after this run instead').click();
    await message().press('Enter');
    await page.getByText('Then make an album').waitFor();
    expect(await responses()).toEqual([]);
    // The next one answers again.
    await message().fill('Into the attic');
    await message().press('Enter');
    await expect.poll(responses).toEqual([{ action: 'input', text: 'Into the attic' }]);
  });

  it('is not taken for an answer where it was begun before the question came', async () => {
    await window.goto('', '?pace=60');
    await message().fill('Total the sales');
    await message().press('Enter');
    await message().fill('And then draw a map');
    await button('Approve once').waitFor();
    await message().press('Enter');
    await page.getByText('Next', { exact: true }).waitFor();
    expect(await responses()).toEqual([]);
    await button('Move back to the message box').click();
    await page.getByText('Your message denies the call above').waitFor();
    await message().press('Enter');
    await expect.poll(responses).toEqual([{ action: 'deny', reason: 'And then draw a map' }]);
  });

  it('is not taken for an answer to a later question of the same batch', async () => {
    await open('t-batch');
    await message().fill('Keep the notes');
    await page.getByText('Your message denies').waitFor();
    await page.evaluate(() => {
      const { fake } = globalThis;
      const response = { action: 'deny', reason: '' } as const;
      fake.emit('run-t-batch', [
        { type: 'interrupt_response', interruptId: 'b1', response, by: 'person' },
        { type: 'interrupt_response', interruptId: 'b2', response, by: 'person' },
        {
          ...{ type: 'interrupt', interruptId: 'b3', kind: 'approval', title: 'Run a command?' },
          ...{ message: 'It lists.', reasons: [], options: [], attentionMs: 120_000 },
          ...{ toolCallId: 'call-b3', toolName: 'shell_command', batchId: 'batch-1' },
          ...{ argumentsText: '{"command":"ls"}', argumentsSha256: 'cd'.repeat(32) },
        },
      ]);
    });
    await page.getByRole('region', { name: 'Run a command?' }).waitFor();
    await message().press('Enter');
    await page.getByText('Next', { exact: true }).waitFor();
    expect(await responses()).toEqual([]);
  });

  it('stays in the box where the answer was refused', async () => {
    await open('t-wait');
    await page.evaluate(() =>
      globalThis.fake.refuse.set('runs.respond', {
        ...{ code: 'ALREADY_ANSWERED', message: 'Somebody answered first.', details: {} },
      }),
    );
    await message().fill('Into the attic');
    await message().press('Enter');
    await page.getByText('Somebody answered first.').waitFor();
    expect(await message().inputValue()).toBe('Into the attic');
  });

  it('takes an answer in own words on the card of the question too', async () => {
    await open('t-wait');
    await page.getByLabel('Or answer in your own words').fill('Ask my sister');
    await button('Answer').click();
    await expect.poll(responses).toEqual([{ action: 'input', text: 'Ask my sister' }]);
  });
});
