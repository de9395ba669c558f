import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** Background programs of a task, above its terminal. */
describe.skipIf(chromiumPath === null)(`programs in the window${chromiumNote}`, () => {
  const window = useWindow();

  it('are listed by their names with hidden characters visible, and stop on a click', async () => {
    const { page } = window;
    await window.goto('#/');
    await page.evaluate(() => {
      const startedAt = Date.now() - 60_000;
      globalThis.fake.state.programs.set('t-sales', [
        { pid: 7, command: 'npm run dev', startedAt, runId: null },
        { pid: 8, command: 'a\u202eb <img src=x>', startedAt, runId: null },
      ]);
    });
    await page.evaluate("location.hash = '#/task/t-sales'");
    await page.getByRole('tab', { name: 'Terminal' }).click();
    const list = page.getByRole('region', { name: 'Background programs' });
    await list.getByText('2 programs running in the background').waitFor();
    const shown = await list.getByRole('listitem').allInnerTexts();
    expect(shown.map((line) => line.replace(/\s+/g, ' ').replace(/\d\d:\d\d/, 'TIME'))).toEqual([
      'npm run dev since TIME, pid 7',
      'a⟨U+202E⟩b <img src=x> since TIME, pid 8',
    ]);
    await list.getByRole('button', { name: 'Stop all' }).click();
    await list.waitFor({ state: 'detached' });
    const asked = await page.evaluate(() =>
      globalThis.fake.requests.filter(({ name }) => name === 'sandbox.endPrograms'),
    );
    expect(asked.map(({ input }) => input)).toEqual([{ threadId: 't-sales' }]);
  });
});
