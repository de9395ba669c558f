import type { Page } from 'playwright-core';
import type { TestedWindow } from './use-window.ts';

/** Opens a task whose answer is this text, which ends with "The end.". */
export async function showAnswer(
  { page, goto }: Pick<TestedWindow, 'page' | 'goto'>,
  text: string,
  sources: readonly number[] = [],
): Promise<void> {
  await goto('');
  await addAnswer(page, text, sources);
}

/** The same in a window that is open. */
export async function addAnswer(
  page: Page,
  text: string,
  sources: readonly number[] = [],
): Promise<void> {
  await page.evaluate(
    ([said, numbers]) => {
      const { fake } = globalThis;
      const first = fake.state.runs[0];
      if (first === undefined) throw new Error('The fake main has no runs.');
      const run = { ...first, id: 'rich', threadId: 't-run', status: 'completed' as const };
      fake.addLog(run, [
        ...numbers.map((index) => ({
          ...{ type: 'source' as const, index, url: `https://example.com/${index}` },
          ...{ title: `Page ${index}`, snippet: 'It says so.', foundBy: 'search' },
        })),
        { type: 'token', messageId: 'm', text: said },
        {
          type: 'complete',
          outcome: 'completed',
          durationMs: 1,
          rounds: 1,
          toolCalls: 0,
          answer: said,
        },
      ]);
    },
    [text, sources] as const,
  );
  await page.evaluate(`location.hash = '#/task/t-run'`);
  await page.getByText('The end.').waitFor();
}
