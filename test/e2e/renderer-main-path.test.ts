import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** A task from its message to its files, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`the main path of the window${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const composer = () => page.getByRole('textbox', { name: 'Message' });
  /** The accessible name of the focused element. */
  const focused = () =>
    page.evaluate(
      '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? "").trim()',
    ) as Promise<string>;
  /** Presses Tab until an element of that name has the focus. */
  const tabTo = async (name: RegExp): Promise<void> => {
    // A little more than once around the window.
    for (let presses = 0; presses < 100; presses++) {
      if (name.test(await focused())) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}; the focus is on "${await focused()}"`);
  };

  it('works by keyboard alone', async () => {
    await window.goto('', '?pace=2');
    await composer().waitFor();
    await page.keyboard.type('Total the sales in this CSV');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('by region');
    await page.keyboard.press('Enter');

    const question = page.getByRole('region', { name: 'Run this Python code?' });
    await question.waitFor();
    await page.getByText('HyperAgent asks: Run this Python code?').waitFor({ state: 'attached' });
    expect(await question.evaluate((card) => card.matches(':focus'))).toBe(true);
    await page.keyboard.press('Escape');
    expect(await question.isVisible()).toBe(true);

    await tabTo(/^Deny/);
    await page.keyboard.press('Enter');
    await page.keyboard.type('not this');
    await page.keyboard.press('Escape');
    await tabTo(/^Always approve/);
    await page.keyboard.press('Enter');
    await tabTo(/^This exact call/);
    await page.keyboard.press('ArrowDown');
    const pattern = page.getByLabel('Pattern');
    await pattern.waitFor();
    expect(await pattern.inputValue()).toBe('{"code":*,"language":"python"}');
    await page.getByText('Would have decided 14 of your last 200 calls.').waitFor();
    await tabTo(/^Back/);
    await page.keyboard.press('Enter');
    await tabTo(/^Approve once/);
    // By nothing at first.
    await page.locator('.question button:focus:not([aria-disabled])').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('The run is finished.').waitFor({ state: 'attached' });

    await tabTo(/^Ran Python/);
    await page.keyboard.press('Enter');
    await page.getByText('You approved this call').waitFor();
    await tabTo(/^Files$/);
    await page.keyboard.press('ArrowLeft');
    await page
      .locator('.xterm-rows')
      .getByText('saved sales-by-region.svg', { exact: true })
      .waitFor();
    await page.keyboard.press('ArrowRight');
    await tabTo(/^sales\.csv/);
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'revenue', exact: true }).waitFor();

    expect(await page.evaluate(() => globalThis.fake.requests.at(-1)?.name)).toBe('files.read');
    const started = await page.evaluate(
      () => globalThis.fake.requests.find(({ name }) => name === 'runs.start')?.input,
    );
    expect(started).toMatchObject({ prompt: 'Total the sales in this CSV\nby region' });
  });

  it('shows what changed in a state of the files, by keyboard', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'File history' }).click();
    await page.getByRole('button', { name: 'Show what changed' }).first().press('Enter');
    const files = page.getByRole('listitem').filter({ hasText: 'sales.csv' }).getByRole('listitem');
    await expect
      .poll(() => files.allInnerTexts())
      .toEqual(['report/summary.md\nnew', 'sales.csv\nchanged']);
    await files.getByRole('button', { name: 'sales.csv' }).press('Enter');
    const lines = page.locator('.diff-line:not([data-kind=same])');
    await expect
      .poll(() => lines.allTextContents())
      .toEqual([expect.stringContaining('north,1'), expect.stringContaining('north,2')]);
  });

  it('restores files from their history, after a confirmation', async () => {
    await window.goto('#/task/t-sales');
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'File history' }).click();
    const entries = page.getByRole('listitem').filter({ hasText: 'Restore' });
    expect(await entries.allInnerTexts()).toEqual([
      expect.stringMatching(/^After a step \(event 41\)\s*newest[\s\S]*2 files, 1.5 kB · 1 new/),
      expect.stringMatching(/^Before the first step/),
    ]);
    await page.getByRole('button', { name: /^Restore: Before the first step/ }).click();
    const question = page.getByRole('alertdialog', { name: 'Restore the files?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    const restores = () =>
      page.evaluate(
        () => globalThis.fake.requests.filter(({ name }) => name === 'snapshots.restore').length,
      );
    expect(await restores()).toBe(0);
    await page.getByRole('button', { name: /^Restore: Before the first step/ }).click();
    await question.getByRole('button', { name: 'Restore files' }).click();
    await page.getByText('After a restore').waitFor();
    await page.getByText(/Not removed.*: model\.bin/).waitFor();
    expect(await restores()).toBe(1);
  });

  it('does not send while an input method composes', async () => {
    await window.goto('');
    await composer().focus();
    const client = await page.context().newCDPSession(page);
    await client.send('Input.imeSetComposition', {
      text: 'にほ',
      selectionStart: 2,
      selectionEnd: 2,
    });
    await page.keyboard.press('Enter');
    await client.send('Input.insertText', { text: '日本' });
    expect(await composer().inputValue()).toContain('日本');
    expect(
      await page.evaluate(() => globalThis.fake.requests.map(({ name }) => name)),
    ).not.toContain('runs.start');
  });

  it('shows the same from the stored log as from pushed events', async () => {
    await window.goto('', '?pace=1');
    await composer().fill('Total the sales');
    await composer().press('Enter');
    await page.getByRole('button', { name: 'Approve once' }).click();
    await page.getByText('9.4 s').waitFor();
    await page.getByRole('img', { name: 'Revenue by region' }).first().waitFor();
    const main = page.getByRole('main');
    const live = await main.innerText();
    // Enough other tasks to evict this one.
    for (const title of ['Clean up the photo', 'Fetch the weather', 'Largest prime']) {
      await page.getByRole('button', { name: title }).first().click();
      await main.getByRole('heading', { name: title }).waitFor();
    }
    await page.getByRole('button', { name: 'Total the sales' }).first().click();
    await page.getByText('9.4 s').waitFor();
    await page.getByRole('img', { name: 'Revenue by region' }).first().waitFor();
    expect(await main.innerText()).toBe(live);
  });

  it('keeps the task in the address, with back and forward', async () => {
    await window.goto('#/task/t-fail');
    await page.getByText('MODEL_STREAM_BROKEN').waitFor();
    await page.getByRole('button', { name: 'Largest prime' }).first().click();
    await page.getByText('You stopped this run.').first().waitFor();
    await page.goBack();
    await page.getByText('MODEL_STREAM_BROKEN').waitFor();
    expect(await page.title()).toBe(
      '(1) Waiting for you · Fetch the weather of the last ten years · HyperAgent',
    );
  });

  it('follows the end, stays put after a scroll, and jumps back', async () => {
    await window.goto('#/task/t-run');
    await page.getByRole('heading', { name: 'Compare three ways' }).waitFor();
    await say(page, 0, 60);
    await page.getByText('Paragraph 59').waitFor();
    await say(page, 60, 20);
    await page.getByText('Paragraph 79').waitFor();
    const list = page.getByRole('region', { name: 'Conversation' });
    await list.hover();
    await page.mouse.wheel(0, -900);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const before = await list.evaluate((element) => element.scrollTop);
    await say(page, 80, 40);
    await page.waitForTimeout(200);
    expect(Math.abs((await list.evaluate((element) => element.scrollTop)) - before)).toBeLessThan(
      2,
    );
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await page.getByText('Paragraph 119').waitFor();
    // Rows far from the visible ones are not rendered.
    expect(await page.locator('.transcript-row').count()).toBeLessThan(50);
  });

  it('follows the end on a computer that is too busy to draw at once', async () => {
    // What React plans waits for longer than the browser needs to report a scroll.
    await page.addInitScript(`
      globalThis.MessageChannel = class extends MessageChannel {
        constructor() {
          super();
          const post = this.port2.postMessage.bind(this.port2);
          this.port2.postMessage = (message) => setTimeout(post, globalThis.isBusy ? 50 : 0, message);
        }
      };
    `);
    await window.goto('#/task/t-run');
    await page.getByRole('heading', { name: 'Compare three ways' }).waitFor();
    await page.evaluate('globalThis.isBusy = true');
    await say(page, 0, 60);
    await page.getByText('Paragraph 59').waitFor();
    await say(page, 60, 60);
    await page.getByText('Paragraph 119').waitFor();
    const list = page.getByRole('region', { name: 'Conversation' });
    const left = () =>
      list.evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
        Math.round(scrollHeight - scrollTop - clientHeight),
      );
    await expect.poll(left).toBe(0);
  });
});

/** Lets a run of the task `t-run` say some more paragraphs, all at once. */
function say(page: Page, from: number, count: number): Promise<void> {
  return page.evaluate(
    ([first, total]) => {
      const { fake } = globalThis;
      const base = fake.state.runs[0];
      if (base === undefined) return;
      if (!fake.state.runs.some(({ id }) => id === 'live')) {
        fake.addLog({ ...base, id: 'live', threadId: 't-run', status: 'running' }, []);
        fake.push({
          kind: 'run_changed',
          run: { ...base, id: 'live', threadId: 't-run', status: 'running' },
        });
      }
      const drafts = Array.from({ length: total }, (_, index) => {
        const text = `Paragraph ${first + index}\n\n`;
        return { type: 'token' as const, messageId: 'm', text };
      });
      fake.emit('live', drafts);
    },
    [from, count] as const,
  );
}
