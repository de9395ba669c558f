import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** Search over all tasks and in one conversation, in real Chromium with a fake main. */

/** A task of 2,000 answers and calls; every hundredth answer has a cat, one call in the middle an axolotl. */
const LONG_TASK = `(() => {
  const run = { ...fake.state.runs.find(({ status }) => status === 'completed'), id: 'run-long', threadId: 't-old', prompt: 'Count **everything**', origin: null };
  const drafts = [];
  for (let n = 0; n < 1000; n++) {
    const animal = n % 100 === 0 ? 'a **cat** sits' : 'nothing is here';
    drafts.push({ type: 'token', messageId: 'm' + n, text: 'Answer ' + n + ': ' + animal + '.\\n\\nMore text, so that rows differ in height. '.repeat(1 + n % 4) });
    const call = { toolCallId: 'c' + n, name: 'shell_command' };
    drafts.push({ type: 'tool_call', ...call, arguments: { command: 'echo ' + n }, risk: 'low', effect: 'opaque', agent: 'executor', round: n + 1 });
    drafts.push({ type: 'tool_result', ...call, status: 'ok', content: n === 400 ? 'seen: one axolotl' : 'ok', durationMs: 1 });
  }
  drafts.push({ type: 'complete', outcome: 'completed', answer: 'Done with all.', durationMs: 1, rounds: 1, toolCalls: 1 });
  fake.state.runs = fake.state.runs.filter(({ threadId }) => threadId !== 't-old');
  fake.addLog(run, drafts);
})()`;

describe.skipIf(chromiumPath === null)(`finding${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const search = () => page.getByRole('searchbox', { name: 'Search tasks' });
  const rowsInPage = () => page.locator('.transcript-row').count();
  /** What is painted as found, without its surroundings. */
  const painted = (name: string) =>
    page.evaluate(
      `[...(CSS.highlights.get('${name}') ?? [])].map((range) => range.toString().toLowerCase())`,
    ) as Promise<string[]>;
  const inView = (selector: string) =>
    page.evaluate(`(() => {
      const frame = document.querySelector('.transcript').getBoundingClientRect();
      return [...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => {
        const box = one.getBoundingClientRect();
        return box.height > 0 && box.top < frame.bottom && box.bottom > frame.top;
      });
    })()`) as Promise<boolean>;

  it('over all tasks shows excerpts, and Enter shows the place far up in a long conversation', async () => {
    await window.goto('');
    await page.evaluate(LONG_TASK);
    await search().fill('axolotl');
    const result = page.getByRole('list', { name: '1 task found' });
    await result.waitFor();
    expect(await result.locator('mark').allInnerTexts()).toEqual(['axolotl']);
    await search().press('Enter');
    const row = page.locator('.transcript-row[data-found="true"]');
    await row.getByText('seen: one axolotl').waitFor();
    await expect.poll(() => inView('[data-found="true"]')).toBe(true);
    await expect.poll(() => painted('found-text')).toEqual(['axolotl']);
    expect(await rowsInPage()).toBeLessThan(60);
    // The list of tasks is there again when the words are gone.
    await search().press('Escape');
    await page.getByRole('heading', { name: 'Older' }).waitFor();
  });

  it('works by the arrow keys, and finds what is nowhere in nothing', async () => {
    await window.goto('');
    await page.evaluate(LONG_TASK);
    await search().fill('cat');
    await page.getByRole('list', { name: /found$/ }).waitFor();
    await search().press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Answer 100: a cat sits.').first().waitFor();
    await expect.poll(() => inView('[data-found="true"]')).toBe(true);
    await search().fill('zzzz');
    await page.getByText('No tasks match “zzzz”.').waitFor();
  });

  it('in the conversation counts all of it, steps through it, and gives the focus back', async () => {
    await window.goto('');
    await page.evaluate(LONG_TASK);
    await page.evaluate("location.hash = '#/task/t-old'");
    await page.getByText('Done with all.').first().waitFor();
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('CAT sits');
    const bar = page.getByRole('search', { name: 'Find in this conversation' });
    await bar.getByText('1 of 10').waitFor();
    await expect.poll(() => painted('found-text-current')).toEqual(['cat sits']);
    await page.getByText('Answer 0: a cat sits.').first().waitFor();
    await page.keyboard.press('Shift+Enter');
    await bar.getByText('10 of 10').waitFor();
    await page.getByText('Answer 900: a cat sits.').first().waitFor();
    await page.keyboard.press('Enter');
    await bar.getByText('1 of 10').waitFor();
    // Folded output is found, and opened.
    await bar.getByRole('textbox').fill('one axolotl');
    await bar.getByText('1 of 1').waitFor();
    await page.getByText('seen: one axolotl').waitFor();
    await bar.getByRole('textbox').fill('no such thing');
    await bar.getByText('No matches').waitFor();
    await page.keyboard.press('Escape');
    expect([
      await bar.count(),
      await page.evaluate('document.activeElement.tagName'),
      await painted('found-text'),
    ]).toEqual([0, 'TEXTAREA', []]);
  });

  it('copies the whole conversation as Markdown after select all', async () => {
    await window.goto('');
    await page.evaluate(LONG_TASK);
    await page.evaluate("location.hash = '#/task/t-old'");
    await page.getByText('Done with all.').first().waitFor();
    await page.getByRole('region', { name: 'Conversation' }).focus();
    await page.keyboard.press('Control+a');
    const copied = (await page.evaluate(`(() => {
      const data = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
      return data.getData('text/plain');
    })()`)) as string;
    expect([
      copied.startsWith(
        '## You wrote\n\nCount **everything**\n\n## HyperAgent answered\n\nAnswer 0: a **cat** sits.',
      ),
      copied.match(/^Answer \d+:/gm)?.length,
      copied.includes('> shell_command: `echo 999`'),
    ]).toEqual([true, expect.any(Number), true]);
    expect(copied.match(/Answer \d+:/g)?.length).toBeGreaterThanOrEqual(1000);
    // Anything else is an ordinary selection again.
    await page.keyboard.press('Escape');
    const later = await page.evaluate(`(() => {
      const data = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
      return data.getData('text/plain');
    })()`);
    expect(later).toBe('');
  });

  it('pins and archives tasks', async () => {
    await window.goto('');
    const act = async (task: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${task}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const titles = (group: string) =>
      page.getByRole('region', { name: group }).locator('.thread-title').allInnerTexts();
    await act('Largest prime below ten million', 'Pin');
    await expect.poll(() => titles('Pinned')).toEqual(['Largest prime below ten million']);
    await act('Largest prime below ten million', 'Archive');
    await page.getByRole('button', { name: 'Archived (1)' }).click();
    await expect.poll(() => titles('Archived')).toEqual(['Largest prime below ten million']);
    await act('Largest prime below ten million', 'Move out of the archive');
    expect(await page.getByRole('button', { name: /^Archived/ }).count()).toBe(0);
  });

  it('exports a task from its menu', async () => {
    await window.goto('');
    await page.getByRole('button', { name: 'Actions for Largest prime below ten million' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).hover();
    await page.keyboard.press('ArrowRight');
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Web page (HTML)' }).click();
    expect((await download).suggestedFilename()).toBe('task.html');
    expect(await window.sent('threads.export')).toEqual([{ threadId: 't-cancel', format: 'html' }]);
  });
});
