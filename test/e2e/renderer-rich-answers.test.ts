import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { showAnswer } from '../setup/show-answer.ts';
import { useWindow } from '../setup/use-window.ts';

describe.skipIf(chromiumPath === null)(
  `answers with more than plain Markdown${chromiumNote}`,
  () => {
    const window = useWindow();
    let page: Page;
    beforeEach(() => {
      page = window.page;
    });

    const answer = async (text: string, sources: readonly number[] = []): Promise<void> => {
      await showAnswer(window, text, sources);
      // Until the parser is loaded, the source is shown.
      await expect.poll(() => page.locator('.markdown-source').count()).toBe(0);
    };

    it('typesets formulas, in a line and on lines of their own', async () => {
      await answer(
        'By \\(a_1^2 + b\\), or $c_n$, it costs $5 or $6:\n\n\\[\n\\int_0^1 \\frac{x}{2}\\,dx = \\frac14\n\\]\n\n```math\ne = mc^2\n```\n\nThe end.',
      );
      await expect.poll(() => page.locator('.formula .katex-mathml').count()).toBe(4);
      expect(await page.locator('.formula[data-display=true]').count()).toBe(2);
      await page.getByText('it costs $5 or $6:').waitFor();
      const sources = await page.locator('annotation').allTextContents();
      expect(sources[0]).toBe('a_1^2 + b');
    });

    it('keeps a formula within its box, and shows one that cannot be typeset as it is written', async () => {
      await answer(
        'Before \\(\\raisebox{-15em}{\\text{Approved}}\\smash{\\rule{900em}{900em}}\\) after.\n\nBad: \\(\\frac{1\\) and \\(\\href{javascript:alert(1)}{x}\\).\n\nThe end.',
      );
      await page.getByText('\\frac{1', { exact: true }).waitFor();
      const box = page.locator('.formula').first();
      await box.waitFor();
      const painted = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('.formula')).contain`,
      );
      expect(painted).toContain('paint');
      expect(await page.locator('.transcript a').count()).toBe(0);
    });

    it('reads the few tags that change how text looks, and shows all others', async () => {
      await answer(
        'H<sub>2</sub>O, 2<sup>3</sup>, <kbd>Ctrl</kbd><br>next, <b onclick="x()">bold</b> <script>alert(1)</script>\n\n<details>\n<summary>Steps</summary>\n\nOne\n\n- two\n\n</details>\n\nThe end.',
      );
      const rows = page.getByRole('region', { name: 'Conversation' });
      expect(await rows.locator('sub').textContent()).toBe('2');
      expect(await rows.locator('sup').textContent()).toBe('3');
      expect(await rows.locator('kbd').textContent()).toBe('Ctrl');
      await rows.getByText('<b onclick="x()">bold</b>').waitFor();
      await rows.getByText('<script>alert(1)</script>').waitFor();
      const item = rows.locator('details li');
      expect(await item.isVisible()).toBe(false);
      await rows.getByText('Steps').click();
      await item.waitFor();
      expect(await rows.locator('script, b').count()).toBe(0);
    });

    it('sets text from right to left where it is written so', async () => {
      await answer('مرحبا بالعالم\n\n- عنصر\n\nHello\nThe end.');
      await page.locator('.markdown li').waitFor();
      const directions = await page.evaluate<string[][]>(
        `[...document.querySelectorAll('.markdown p, .markdown li')].map((block) =>
          [block.textContent.trim(), getComputedStyle(block).direction])`,
      );
      expect(directions.slice(0, 3)).toEqual([
        ['مرحبا بالعالم', 'rtl'],
        ['عنصر', 'rtl'],
        ['Hello\nThe end.', 'ltr'],
      ]);
    });

    it('makes links of numbers that are sources of the run, and of no others', async () => {
      await answer('It is so [1], and so [1, 2]. Not a[7], `x[1]` or [3].\n\nThe end.', [1, 2]);
      const links = page.getByRole('region', { name: 'Conversation' }).locator('.citation');
      expect(await links.allInnerTexts()).toEqual(['1', '1', '2']);
      await page.getByText('Not a[7], x[1] or [3].').waitFor();
      await links.first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Page 1' }).waitFor();
    });

    it('leaves numbers of a run without sources as they are', async () => {
      await answer('The first is a[1].\n\nThe end.');
      await page.getByText('The first is a[1].').waitFor();
    });

    it('ticks the boxes of tasks that are done', async () => {
      await answer('- [x] done\n- [ ] open\n\nThe end.');
      const ticks = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.task-box')].map((box) =>
          getComputedStyle(box, '::after').borderBottomStyle)`,
      );
      expect(ticks).toEqual(['solid', 'none']);
      expect(await page.getByRole('img', { name: 'done', exact: true }).count()).toBe(1);
      expect(await page.getByRole('img', { name: 'open', exact: true }).count()).toBe(1);
    });

    it('shows footnotes under their numbers, and text that only looks like one as it is', async () => {
      await answer('So it is.[^1]\n\nNot [^a-z].\n\n[^1]: Says *who*.\n\nThe end.');
      const rows = page.getByRole('region', { name: 'Conversation' });
      expect(await rows.locator('.footnote-mark').allInnerTexts()).toEqual(['1', '1']);
      expect(await rows.locator('.footnote').innerText()).toBe('1 Says who.');
      await page.getByText('Not [^a-z].').waitFor();
    });

    it('sorts tables by a column, and copies them as CSV', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await answer(
        '| City | Price |\n|---|---:|\n| Bonn | $1,200.50 |\n| "Ä, b" | $90 |\n| =cmd() | $10,000 |\n\nThe end.',
      );
      const prices = () => page.locator('.answer-table tbody td:last-child').allInnerTexts();
      const sort = page.getByRole('button', { name: 'Sort by Price' });
      await sort.click();
      expect(await prices()).toEqual(['$90', '$1,200.50', '$10,000']);
      expect(
        await page.getByRole('columnheader', { name: /^Price/ }).getAttribute('aria-sort'),
      ).toBe('ascending');
      await sort.click();
      expect(await prices()).toEqual(['$10,000', '$1,200.50', '$90']);
      await sort.click();
      expect(await prices()).toEqual(['$1,200.50', '$90', '$10,000']);
      await page.getByRole('button', { name: 'Copy as CSV' }).click();
      await expect
        .poll(() => page.evaluate('navigator.clipboard.readText()'))
        .toBe(`City,Price\r\nBonn,"$1,200.50"\r\n"""Ä, b""",$90\r\n'=cmd(),"$10,000"\r\n`);
    });

    it('wraps the lines of code on request', async () => {
      await answer(`\`\`\`\n${'long '.repeat(200)}\n\`\`\`\n\nThe end.`);
      const hidden = () =>
        page.evaluate<number>(
          `(() => { const code = document.querySelector('.code'); return code.scrollWidth - code.clientWidth; })()`,
        );
      expect(await hidden()).toBeGreaterThan(100);
      const wrap = page.getByRole('button', { name: 'Wrap lines' });
      await wrap.click();
      await expect.poll(hidden).toBe(0);
      expect(await wrap.getAttribute('aria-pressed')).toBe('true');
    });
  },
);
