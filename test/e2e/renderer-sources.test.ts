import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

interface Found {
  readonly index: number;
  readonly url: string;
  readonly title: string;
  readonly isRead?: boolean;
}

const FOUND: readonly Found[] = [
  { index: 7, url: 'https://tides.example/today', title: 'Tides today' },
  { index: 8, url: 'javascript:alert(1)', title: 'A script' },
  { index: 9, url: 'file:///etc/passwd', title: 'A file of the computer' },
  { index: 10, url: 'library:1/notes.md', title: 'My\u202enotes' },
];

/** The sources of tasks other than research, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`sources in the window${chromiumNote}`, () => {
  const window = useWindow();

  /** A finished run of a task that found these sources, and said this. */
  const addRun = (run: string, found: readonly Found[], said: string): Promise<void> =>
    window.page.evaluate(
      ([id, sources, answer]) => {
        const { fake } = globalThis;
        const [first] = fake.state.runs;
        if (first === undefined) throw new Error('The fake main has no runs.');
        const status = 'completed' as const;
        const createdAt = first.createdAt + fake.state.runs.length;
        fake.addLog({ ...first, id, threadId: 't-old', status, createdAt }, [
          ...sources.map((source) => ({
            ...{ type: 'source' as const, snippet: 'High water at noon.', foundBy: 'brave' },
            ...{ toolCallId: 'call-search', ...source },
          })),
          { type: 'token', messageId: `m-${id}`, text: answer },
          {
            ...{ type: 'complete', outcome: 'completed', answer, durationMs: 1 },
            ...{ rounds: 1, toolCalls: 0 },
          },
        ]);
      },
      [run, found, said] as const,
    );

  it('are on a tab once there is one; only web addresses can be opened, and only after they were shown', async () => {
    const { page } = window;
    await window.goto('#/task/t-sales');
    await page.getByRole('tab', { name: 'Files' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Sources' }).count()).toBe(0);
    await addRun('run-tides', FOUND, 'High water is at noon [7]. The end.');
    await page.evaluate("location.hash = '#/task/t-old'");
    await page.getByText('The end.').waitFor();
    await page.getByRole('tab', { name: 'Sources' }).click();
    const sources = page.locator('.source');
    expect((await sources.allInnerTexts()).map((text) => text.split(/\n+/).slice(0, 3))).toEqual([
      ['7', 'Tides today', 'tides.example · found by Brave'],
      ['8', 'A script', 'javascript:alert(1) · found by Brave'],
      ['9', 'A file of the computer', 'file:///etc/passwd · found by Brave'],
      ['10', 'My⟨U+202E⟩notes', 'Your library: notes.md'],
    ]);
    expect(await sources.getByRole('button').count()).toBe(1);
    expect(await sources.locator('a').count()).toBe(0);
    await page.getByRole('button', { name: 'Tides today' }).click();
    const address = page.getByRole('dialog', { name: /link/i });
    expect(await address.getByText('https://tides.example/today').count()).toBe(1);
    await page.keyboard.press('Escape');
  });

  it('are what numbers of answers lead to, also in a later run of the task', async () => {
    const { page } = window;
    await window.goto('#/');
    await addRun('run-tides', FOUND, 'High water is at noon [7], and not [3].');
    const read = { ...FOUND[0], index: 11, title: 'The moon', isRead: true } as Found;
    await addRun('run-moon', [read], 'As said [7]; the moon does it [11]. The end.');
    await page.evaluate("location.hash = '#/task/t-old'");
    await page.getByText('The end.').waitFor();
    const numbers = page.locator('.answer-block .citation');
    await expect.poll(() => numbers.allInnerTexts()).toEqual(['7', '7', '11']);
    expect(await page.getByText('and not [3].').count()).toBe(1);
    await numbers.nth(1).focus();
    await page.keyboard.press('Enter');
    await page
      .locator('.citation-popover')
      .getByRole('button', { name: 'Show in Sources' })
      .click();
    const asked = page.locator('.source[data-requested="true"]');
    await asked.getByText('Tides today').waitFor();
    expect(await page.evaluate(`document.activeElement?.getAttribute('data-source')`)).toBe('7');
    await page.getByLabel('Sources of').selectOption('Run 2 of 2');
    await page.getByText('found by Brave · read').waitFor();
  });
});
