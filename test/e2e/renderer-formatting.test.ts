import { describe, expect, it } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

const CHARS = 60_000;

/** Each takes the parser half a minute and more, or overflows the stack. */
const ENDLESS: readonly (readonly [string, string])[] = [
  ['headings', 'a\n=\n'.repeat(CHARS / 4)],
  ['emphasis', '*a_ '.repeat(CHARS / 4)],
  ['quotes in quotes', '>'.repeat(CHARS)],
];

describe.skipIf(chromiumPath === null)(`long texts in the window${chromiumNote}`, () => {
  const window = useWindow();

  /** Opens a task with one answer, whose text arrives at once. */
  async function answer(text: string): Promise<void> {
    await window.goto('');
    await window.page.evaluate(
      ({ events }) => {
        const { fake } = globalThis;
        const first = fake.state.runs[0];
        if (first === undefined) throw new Error('no history');
        fake.addLog({ ...first, id: 'long', threadId: 't-run', status: 'completed' }, events);
      },
      { events: [{ type: 'token', messageId: 'm', text }] satisfies RunEventDraft[] },
    );
    await window.page.evaluate(`location.hash = '#/task/t-run'`);
  }

  it.each(ENDLESS)('shows %s unformatted, without blocking the window', async (_name, text) => {
    const { page } = window;
    await answer(text);
    await page.getByText(text.slice(0, 3)).last().waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('still here');
    await page.getByText('too long or too deeply nested').waitFor();
    expect(await page.locator('.markdown-source').last().textContent()).toBe(text);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('still here');
  });

  it('formats an ordinary long text, and colours long code', async () => {
    const { page } = window;
    const notes = Array.from({ length: 900 }, (_, i) => `Word[^${i}] and\n\n[^${i}]: Note ${i}\n`);
    const lines = Array.from({ length: 900 }, (_, i) => `const value${i} = 'text ${i}';`);
    await answer(`${notes.join('')}\n\`\`\`js\n${lines.join('\n')}\n\`\`\`\n\n**The end.**`);
    await page.locator('strong', { hasText: 'The end.' }).waitFor();
    await page.locator('.hljs-keyword').first().waitFor();
    expect(await page.locator('.hljs-keyword').count()).toBe(lines.length);
  });
});
