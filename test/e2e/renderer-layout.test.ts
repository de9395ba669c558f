import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** Widths at which people use the window, in CSS pixels; 720 is 1440 at a zoom of 200 %. */
const NARROW = [
  { width: 860, height: 700 },
  { width: 720, height: 450 },
  { width: 420, height: 700 },
];

/** Streams 60 pieces of an answer, one each frame; gives by how much a row was painted over the one before. */
const STREAM_AND_MEASURE = `(async () => {
  let overlap = 0;
  let measure = () => {};
  const probe = document.body.appendChild(document.createElement('div'));
  probe.style.cssText = 'position: fixed; width: 1px; pointer-events: none';
  new ResizeObserver(() => measure()).observe(probe);
  for (let n = 0; n < 60; n++) {
    const text = 'Some words that wrap onto the next line of the column. '.repeat(n % 4) + '\\n\\n- item ' + n + '\\n\\n';
    const type = n % 9 === 8 ? 'reasoning' : 'token';
    fake.emit('live', [{ type, text, messageId: 'm-' + Math.floor(n / 9) }]);
    await new Promise(requestAnimationFrame);
    probe.style.height = n + 1 + 'px';
    // Observers of sizes are called last before the frame is painted.
    await new Promise((painted) => {
      measure = () => {
        const boxes = [...document.querySelectorAll('.transcript-row')]
          .map((row) => row.getBoundingClientRect())
          .sort((a, b) => a.top - b.top);
        boxes.forEach((box, i) => {
          overlap = Math.max(overlap, (boxes[i - 1]?.bottom ?? box.top) - box.top);
        });
        painted();
      };
    });
  }
  return overlap;
})()`;

/** Tasks of today, above those that the fake main has. */
async function addTasks(page: Page, count: number): Promise<void> {
  await page.evaluate((many) => {
    const at = Date.now();
    for (let n = 0; n < many; n++) {
      const title = `Task number ${n}`;
      const times = { createdAt: at, updatedAt: at + n, pinnedAt: null, archivedAt: null };
      const thread = { id: `t-${n}`, title, ...times };
      globalThis.fake.push({ kind: 'thread_changed', thread: { ...thread, status: 'completed' } });
    }
  }, count);
}

describe.skipIf(chromiumPath === null)(`layout${chromiumNote}`, () => {
  const window = useWindow();

  it('keeps skills and settings in reach beside a long list of tasks', async () => {
    const { page } = window;
    await window.goto('');
    await page.getByText('Invoice template').waitFor();
    await addTasks(page, 40);
    for (const size of NARROW) {
      await page.setViewportSize(size);
      await page.getByRole('button', { name: 'Show the task list' }).click();
      const drawer = page.getByRole('dialog');
      const settings = drawer.getByRole('button', { name: 'Settings' });
      await settings.waitFor();
      const box = await settings.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0), `at ${size.width} px`).toBeLessThanOrEqual(
        size.height,
      );
      await drawer.hover();
      await page.mouse.wheel(0, 4000);
      await drawer.getByText('Invoice template').waitFor();
      await settings.click();
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
      await page.keyboard.press('Escape');
    }
  });

  it('keeps every control of the message box in reach, and the name of the model readable', async () => {
    const { page } = window;
    await window.goto('#/task/t-sales');
    await page.getByRole('radio', { name: 'Data' }).waitFor();
    // As many modes as an app with all its skills has.
    await page.evaluate(`(() => {
      const picker = document.querySelector('.mode-picker');
      for (const name of ['Writing', 'Code', 'Slides']) {
        const mode = picker.lastElementChild.cloneNode(true);
        mode.querySelector('button').textContent = name;
        picker.append(mode);
      }
    })()`);
    for (const size of [{ width: 1024, height: 700 }, ...NARROW, { width: 560, height: 700 }]) {
      await page.setViewportSize(size);
      const outside = await page.evaluate<string[]>(`(() => {
        const box = document.querySelector('.composer-box').getBoundingClientRect();
        const name = document.querySelector('.model-name');
        const controls = [...document.querySelectorAll('.composer-bar button')];
        return [
          ...controls.filter((one) => {
            const { left, right } = one.getBoundingClientRect();
            return left < box.left || right > box.right || right - left < 20;
          }),
          ...(name.scrollWidth > name.clientWidth ? [name] : []),
        ].map((one) => one.getAttribute('aria-label') ?? one.textContent);
      })()`);
      expect(outside, `at ${size.width} px`).toEqual([]);
    }
  });

  it('draws the tasks in sight, of however many there are, and reaches the last', async () => {
    const { page } = window;
    await window.goto('');
    await page.getByText('Invoice template').waitFor();
    await addTasks(page, 1_000);
    const sidebar = page.getByRole('navigation', { name: 'Tasks' });
    await sidebar.getByText('Task number 999', { exact: true }).waitFor();
    const drawn = sidebar.getByRole('listitem');
    expect(await drawn.count()).toBeLessThan(80);
    await sidebar.hover();
    for (let turns = 0; turns < 12; turns++) await page.mouse.wheel(0, 4_000);
    const last = drawn.filter({ hasText: 'Invoice template' });
    await last.waitFor();
    expect(await last.getAttribute('aria-setsize')).toBe('1007');
    expect(await last.getAttribute('aria-posinset')).toBe('1007');
    expect(await drawn.count()).toBeLessThan(80);
  });

  it('never paints a row over another while text streams', async () => {
    const { page } = window;
    await window.goto('#/task/t-run');
    await page.evaluate(() => {
      const { fake } = globalThis;
      const first = fake.state.runs[0];
      if (first === undefined) throw new Error('The fake main has no runs.');
      const run = { ...first, id: 'live', threadId: 't-run', status: 'running' as const };
      fake.addLog(run, [{ type: 'token', messageId: 'm-0', text: 'Sorting begins. ' }]);
      fake.push({ kind: 'run_changed', run });
    });
    await page.getByText('Sorting begins.').waitFor();
    const overlap = await page.evaluate<number>(STREAM_AND_MEASURE);
    expect(await page.locator('.transcript-row').count()).toBeGreaterThan(5);
    expect(overlap).toBeLessThan(1);
  });
});
