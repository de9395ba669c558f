import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Deck } from '#contract/slides.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { openSlides, pageButton } from '../setup/slide-screens.ts';
import { useWindow } from '../setup/use-window.ts';

const TASK = '#/task/t-old';

describe.skipIf(chromiumPath === null)(`presentations in the window${chromiumNote}`, () => {
  const window = useWindow('?artifacts=0');
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const current = () =>
    page.getByRole('list', { name: 'Pages' }).locator('[aria-current="page"]').allInnerTexts();
  const focused = () =>
    page.evaluate<string>(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText.slice(0, 80) ?? ''`,
    );
  const savedDecks = async () =>
    ((await window.sent('slides.save')) as { readonly deck: Deck }[]).map(({ deck }) => deck);
  const titlesOf = (deck: Deck | undefined) => deck?.slides.map(({ title }) => title);
  const deckOfMain = () => page.evaluate(() => globalThis.fake.slides.deck());

  it('open with their pages, which the keyboard goes through, and what a page does not show', async () => {
    await window.goto(TASK);
    await openSlides(page, false);
    const picture = page.getByRole('figure').getByRole('img');
    expect(await picture.getAttribute('aria-label')).toBe('Third quarter');
    await pageButton(page, 1).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await current()).toEqual(['3']);
    expect(await focused()).toBe('Page 3 of 7: What happened (continued)');
    await page.getByText('Slide 2 of 6 · page 3 of 7').waitFor();
    await page.getByText('Do not read the list.').waitFor();
    // What is read out in the place of the picture.
    const id = (await picture.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${id}"]`).textContent()).toBe(
      'What happened\nA warehouse opened in Ulm\nOne supplier was replaced',
    );
    await button('https://example.com/report').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Page 4 of 7: Revenue by region, 1 thing to improve');
    await page.getByRole('region', { name: 'To improve' }).getByText('has no title').waitFor();
    await page.keyboard.press('End');
    expect(await current()).toEqual(['7']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    expect(await current()).toEqual(['1']);
    await expect.poll(() => picture.getAttribute('aria-label')).toBe('Third quarter');
    await page.locator('.slide-notes').getByRole('button').click();
    expect(await page.getByText('Ten minutes, then questions.').count()).toBe(0);
  });

  it('draw the pages that come into view, and try again where one cannot be drawn', async () => {
    await window.goto(TASK);
    await page.evaluate(() => {
      const deck = globalThis.fake.slides.deck();
      const slides = Array.from({ length: 50 }, (_, at) => ({
        ...{ layout: 'section' as const, title: `Part ${at + 1}`, text: '', notes: '' },
        sources: [],
      }));
      globalThis.fake.slides.write({ ...deck, slides });
    });
    await openSlides(page, false);
    const drawn = page.locator('.page-strip .page-picture[data-state="drawn"]');
    await drawn.nth(2).waitFor();
    const pages = async () =>
      new Set(((await window.sent('slides.draw')) as { page: number }[]).map((one) => one.page));
    expect((await pages()).size).toBeLessThan(10);
    await page.evaluate(() =>
      globalThis.fake.refuse.set('slides.draw', {
        ...{ code: 'INTERNAL', message: 'The renderer has stopped.', details: {} },
      }),
    );
    await pageButton(page, 1).focus();
    await page.keyboard.press('ArrowDown');
    const problem = page.getByRole('alert').filter({ hasText: 'The renderer has stopped.' });
    await problem.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => problem.count()).toBe(0);
    await pageButton(page, 2).focus();
    await page.keyboard.press('End');
    await expect.poll(async () => (await pages()).has(49)).toBe(true);
    expect((await pages()).has(25)).toBe(false);
  });

  it('are shown over everything, by keyboard, and end where they began', async () => {
    await window.goto(TASK);
    await openSlides(page, false);
    await button('Present').press('Enter');
    const show = page.getByRole('dialog', { name: 'Presentation quarter.pptx' });
    const place = (text: string) => show.getByText(text, { exact: true }).waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await place('1 / 7');
    await press('ArrowRight', 'Space', 'PageDown');
    await place('4 / 7');
    await press('ArrowLeft', 'PageUp');
    await place('2 / 7');
    await show.locator('.page-picture[data-state="drawn"]').waitFor();
    expect(await show.getByRole('img').getAttribute('aria-label')).toBe('What happened');
    const notes = show.getByRole('region', { name: 'Speaker notes' });
    expect(await notes.count()).toBe(0);
    await press('n');
    expect(await notes.innerText()).toBe('Do not read the list.');
    await press('End', 'ArrowRight');
    await place('7 / 7');
    expect(await notes.innerText()).toBe('No notes for this slide.');
    await press('n', 'Home');
    await place('1 / 7');
    await show.locator('.slide-show-stage').click();
    await place('2 / 7');
    await press('Escape');
    await show.waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe('Present');
    // The viewer is where the show ended.
    expect(await current()).toEqual(['2']);
    await expect.poll(() => page.evaluate('document.fullscreenElement')).toBe(null);
    await button('Present').press('Enter');
    await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(true);
    await page.evaluate('document.exitFullscreen()');
    await show.waitFor({ state: 'hidden' });
  });

  it('are edited slot by slot; what is refused says where, and what is typed stays until it is saved', async () => {
    await window.goto(TASK);
    await openSlides(page, false);
    const before = await deckOfMain();
    await pageButton(page, 4).click();
    await button('Edit slide').press('Enter');
    await expect.poll(() => field('Title').evaluate((one) => one.matches(':focus'))).toBe(true);
    await field('Title').fill('  ');
    await field('Value 3 of series 2').fill('1,5');
    await field('Title of the vertical axis').fill('EUR');
    await button('Add row').click();
    await field('Category 4').fill('East');
    await field('Sources').fill('sales.csv\n\n ledger ');
    await button('Save slide').click();
    await page.getByText('Write something here.').waitFor();
    await page.getByText('Value 3 of series 2: not a number; write it like 1234.5.').waitFor();
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(2);
    expect(await field('Title').evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await window.sent('slides.save')).toEqual([]);

    await field('Title').fill('Revenue');
    await field('Value 3 of series 2').fill('-1.5');
    // Other slides, the other files, and back.
    await pageButton(page, 1).click();
    expect(await page.getByRole('form').count()).toBe(0);
    expect(await pageButton(page, 4).getAttribute('aria-label')).toContain('Unsaved text');
    await button('All files').click();
    await page.getByRole('button', { name: /^quarter\.pptx/ }).click();
    await pageButton(page, 4).click();
    await field('Title').waitFor();
    await button('Save slide').click();
    await expect.poll(async () => (await savedDecks()).length).toBe(1);
    const [chart] = before.slides.filter(({ layout }) => layout === 'chart');
    if (chart?.layout !== 'chart') throw new Error('The fake deck has no chart.');
    expect((await savedDecks())[0]).toEqual({
      ...before,
      slides: before.slides.with(2, {
        ...chart,
        title: 'Revenue',
        sources: ['sales.csv', 'ledger'],
        chart: {
          ...chart.chart,
          categories: ['North', 'South', 'West', 'East'],
          series: [
            { name: 'Q2', values: [120, 80.5, 210, null] },
            { name: 'Q3', values: [131, 76, -1.5, null] },
          ],
          yTitle: 'EUR',
        },
      }),
    });
    await expect.poll(() => page.getByRole('form').count()).toBe(0);
    expect(await focused()).toBe('Edit slide');
    expect(await page.getByRole('region', { name: 'To improve' }).count()).toBe(0);

    await pageButton(page, 6).click();
    await button('Edit slide').click();
    await button('Remove row 2').click();
    await button('Add row').click();
    await button('Add row').click();
    await field('When, row 4').fill('2027');
    await button('Save slide').click();
    await expect
      .poll(async () => (await savedDecks())[1]?.slides[4])
      .toMatchObject({
        steps: [
          { name: 'October', text: 'Hire for the south' },
          { name: 'December', text: 'Review prices' },
          { name: '2027', text: '' },
        ],
      });
    await pageButton(page, 5).click();
    await button('Edit slide').click();
    await field('Row 2, column 1').fill('Ulm');
    await button('Discard changes').click();
    expect(await savedDecks()).toHaveLength(2);
    await button('Edit slide').click();
    expect(await field('Row 2, column 1').inputValue()).toBe('Ulm Paper');
  });

  it('that changed meanwhile are loaded again, and what was typed goes with its slide', async () => {
    await window.goto(TASK);
    await openSlides(page, false);
    await pageButton(page, 7).click();
    await button('Edit slide').click();
    await field('Text').fill('Any questions?');
    // Another slide is gone: this one is in another place now.
    await page.evaluate(() => {
      const deck = globalThis.fake.slides.deck();
      globalThis.fake.slides.write({ ...deck, slides: deck.slides.toSpliced(1, 1) });
    });
    await button('Save slide').click();
    await page
      .getByText('Not saved: the presentation was changed meanwhile. What you typed is kept.')
      .waitFor();
    expect(await field('Text').inputValue()).toBe('Any questions?');
    await button('Load it again').click();
    await page.getByText('Slide 5 of 5').waitFor();
    expect(await field('Text').inputValue()).toBe('Any questions?');
    expect(await page.getByText('changed meanwhile').count()).toBe(0);
    await button('Save slide').click();
    await expect
      .poll(async () => (await deckOfMain()).slides[4])
      .toMatchObject({
        ...{ title: 'Thank you', text: 'Any questions?' },
      });

    // The slide itself is another one now, and the agent says that it wrote the file.
    await button('Edit slide').click();
    await field('Text').fill('Mine');
    await page.evaluate(() => {
      const { fake } = globalThis;
      const deck = fake.slides.deck();
      const [last] = deck.slides.slice(-1);
      const [first] = fake.state.runs;
      if (last === undefined || first === undefined) throw new Error('Nothing is there.');
      fake.slides.write({ ...deck, slides: deck.slides.with(-1, { ...last, title: 'Goodbye' }) });
      const run = { ...first, id: 'live', threadId: 't-old', status: 'running' as const };
      fake.addLog(run, [
        {
          ...{ type: 'workspace_update', operation: 'modify', path: 'slides/quarter.pptx' },
          ...{ size: 9, origin: 'call-live' },
        },
      ]);
      fake.push({ kind: 'run_changed', run });
    });
    await page.getByText('This slide has changed since you began to edit it.').waitFor();
    expect(await field('Text').inputValue()).toBe('Mine');
  });

  it('get another order, theme and length, and every slide can be moved by keyboard', async () => {
    await window.goto(TASK);
    await openSlides(page, false);
    await pageButton(page, 4).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+ArrowUp');
    await expect
      .poll(async () => titlesOf((await savedDecks())[0])?.slice(0, 3))
      .toEqual(['Third quarter', 'Revenue by region', 'What happened']);
    await expect.poll(current).toEqual(['2']);
    expect(await focused()).toContain('Page 2 of 7: Revenue by region');
    await button('Move slide up').press('Enter');
    await expect.poll(current).toEqual(['1']);
    // At the top, there is nowhere to go.
    await button('Move slide up').press('Enter');
    expect(await focused()).toBe('Move slide up');
    await button('Move slide down').click();
    await expect.poll(current).toEqual(['2']);
    expect(await savedDecks()).toHaveLength(3);

    await button('Delete slide').click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Keep slide' }).click();
    await expect.poll(focused).toBe('Delete slide');
    await button('Delete slide').click();
    await question.getByText('“Revenue by region” is removed').waitFor();
    await question.getByRole('button', { name: 'Delete slide' }).click();
    await page.getByText('Slide 2 of 5').waitFor();
    expect(titlesOf(await deckOfMain())?.slice(0, 2)).toEqual(['Third quarter', 'What happened']);
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('Midnight');
    await expect.poll(async () => (await deckOfMain()).theme).toBe('midnight');
    expect(await savedDecks()).toHaveLength(5);
  });
});
