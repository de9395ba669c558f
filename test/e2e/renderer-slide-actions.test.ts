import { text } from 'node:stream/consumers';
import type { Download, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { openSlides, pageButton } from '../setup/slide-screens.ts';
import { useWindow } from '../setup/use-window.ts';

const TASK = '#/task/t-old';

describe.skipIf(chromiumPath === null)(`what can be done with presentations${chromiumNote}`, () => {
  const window = useWindow('?artifacts=0');
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const textOf = async (download: Promise<Download>) => {
    const file = await download;
    return [file.suggestedFilename(), await text(await file.createReadStream())];
  };

  it('are changed with words, which begin with the slide', async () => {
    await page.setViewportSize({ width: 700, height: 860 });
    await window.goto(TASK);
    await field('Message').fill('First this.');
    await openSlides(page, true);
    await pageButton(page, 4).click();
    await button('Change with words…').click();
    await expect.poll(() => field('Message').evaluate((one) => one.matches(':focus'))).toBe(true);
    await page.keyboard.type('sort the bars');
    expect(await field('Message').inputValue()).toBe(
      'First this.\n\nIn slides/quarter.pptx, slide 3: sort the bars',
    );
  });

  it('on a template show its name among the themes, and a theme takes its place', async () => {
    await window.goto(TASK);
    await page.evaluate(() => {
      const template = { name: 'own brand.potx', hash: '0'.repeat(64) };
      globalThis.fake.slides.write({ ...globalThis.fake.slides.deck(), template });
    });
    await openSlides(page, false);
    const theme = page.getByRole('combobox', { name: 'Theme' });
    expect(await theme.locator('option:checked').textContent()).toBe('own brand.potx');
    await theme.selectOption('Midnight');
    await expect.poll(() => theme.inputValue()).toBe('midnight');
    expect(await page.evaluate(() => globalThis.fake.slides.deck().template)).toBeUndefined();
    expect(await theme.getByRole('option', { name: 'own brand.potx' }).count()).toBe(0);
  });

  it('take a presentation of the task as their template, and show pages of its shape', async () => {
    await page.setViewportSize({ width: 1200, height: 700 });
    await window.goto(TASK);
    await openSlides(page, false);
    const theme = page.getByRole('combobox', { name: 'Theme' });
    const hint = theme.getByRole('option', { name: 'Attach a .pptx or .potx to use its look' });
    expect(await hint.isDisabled()).toBe(true);
    await page.evaluate(() => {
      const { fake } = globalThis;
      const file = { mimeType: 'application/octet-stream', encoding: 'utf8', data: 'PK' } as const;
      for (const path of ['brand/own.potx', 'macros.pptx', 'potx.md', '.hyperagent/slides/x.potx'])
        fake.state.files.set(path, file);
      fake.slides.leftOut = [
        '1 picture of the template cannot be read here (emf), and is left out.',
      ];
    });
    await theme.focus();
    const offered = theme.locator('optgroup > option');
    await expect.poll(() => offered.allTextContents()).toEqual(['brand/own.potx', 'macros.pptx']);
    const shape = async (of: string) => {
      const box = await page.locator(of).first().boundingBox();
      return Math.round(((box?.width ?? 0) / (box?.height ?? 1)) * 100) / 100;
    };
    expect(await shape('.slide-page .page-picture')).toBe(1.78);

    await theme.selectOption('macros.pptx');
    await page.getByText('It has macros.').waitFor();
    expect(await theme.inputValue()).toBe('ocean');
    await theme.selectOption('brand/own.potx');
    await page.getByText('1 picture of the template cannot be read here').waitFor();
    expect(await page.getByText('It has macros.').count()).toBe(0);
    expect(await theme.locator('option:checked').textContent()).toBe('own.potx');
    expect(await page.evaluate(() => globalThis.fake.slides.deck().template?.name)).toBe(
      'own.potx',
    );
    await page.locator('.slide-page .page-picture[data-state="drawn"]').waitFor();
    expect(await shape('.slide-page .page-picture')).toBe(1.33);
    expect(await shape('.page-thumbnail .page-picture')).toBe(1.33);
    await button('Present').click();
    await page.locator('.slide-show .page-picture[data-state="drawn"]').waitFor();
    expect(await shape('.slide-show .page-picture')).toBe(1.33);
    const drawn = await page.locator('.slide-show canvas').evaluate((one) => {
      return Number(Reflect.get(one, 'width')) / Number(Reflect.get(one, 'height'));
    });
    expect(drawn).toBeCloseTo(4 / 3, 2);
    await page.keyboard.press('Escape');

    await theme.selectOption('Midnight');
    await expect.poll(() => shape('.slide-page .page-picture')).toBe(1.78);
    expect(await page.getByText('1 picture of the template').count()).toBe(0);
  });

  it('are checked in LibreOffice, or say why not, and again once they change', async () => {
    await window.goto(TASK);
    await openSlides(page, false);
    await button('Check in LibreOffice').press('Enter');
    await page.getByText('LibreOffice shows all 7 pages the same way.').waitFor();
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('Midnight');
    await expect.poll(() => page.getByText('the same way').count()).toBe(0);
    await page.evaluate(() => {
      globalThis.fake.slides.office = { state: 'not_checked', why: 'not installed' };
    });
    await button('Check in LibreOffice').click();
    await page.getByText('Not checked in LibreOffice (not installed).').waitFor();
    const problem = 'LibreOffice shows page 2 differently (similarity 0.41 of 1).';
    await page.evaluate((text) => {
      globalThis.fake.slides.office = { state: 'checked', alike: [1, 0.41], problems: [text] };
    }, problem);
    await button('Check in LibreOffice').click();
    await page.getByText(problem).waitFor();
    await page.evaluate(() => {
      const error = {
        code: 'SANDBOX_UNAVAILABLE',
        message: 'There is no sandbox.',
        details: {},
      } as const;
      globalThis.fake.refuse.set('slides.office', error);
    });
    await button('Check in LibreOffice').click();
    await page.getByText('There is no sandbox.').waitFor();
    expect(await page.getByText(problem).count()).toBe(0);
  });

  it('are saved page by page as PNG, and written again slide by slide, while no run is going on', async () => {
    await window.goto(TASK);
    await openSlides(page, false);
    await pageButton(page, 4).click();
    const png = page.waitForEvent('download');
    await button('Save page as PNG').click();
    const [name, content] = await textOf(png);
    expect([name, content?.slice(1, 4)]).toEqual(['quarter-4.png', 'PNG']);
    const drawn = (await window.sent('slides.draw')) as { page: number; width: number }[];
    expect(drawn).toContainEqual(expect.objectContaining({ page: 3, width: 1_920 }));

    await button('Write slide again').press('Enter');
    await page.getByText('Started. Follow its progress in the conversation.').waitFor();
    expect(await window.sent('runs.start')).toMatchObject([
      {
        threadId: 't-old',
        prompt: 'In slides/quarter.pptx, write slide 3 again: the same facts in other words.',
        options: {
          skill: {
            id: 'slide_generation',
            params: {
              request: 'Write slide 3 again: the same facts in other words.',
              ...{ file: 'slides/quarter.pptx', slide: 3 },
            },
          },
        },
      },
    ]);
    await expect.poll(() => button('Write slide again').getAttribute('aria-disabled')).toBe('true');
    await button('Write slide again').press('Enter');
    expect(await window.sent('runs.start')).toHaveLength(1);
  });

  it('are saved as they are and as PDF; one from elsewhere says so, and is saved all the same', async () => {
    await window.goto(TASK);
    await openSlides(page, false);
    const pdf = textOf(page.waitForEvent('download'));
    await button('Save as PDF').click();
    expect(await pdf).toEqual(['quarter.pdf', '%PDF-1.7 with 6 slides']);
    const file = textOf(page.waitForEvent('download'));
    await button('Save quarter.pptx').click();
    expect(await file).toEqual(['quarter.pptx', 'In slides/quarter.pptx']);
    await page.evaluate(() => {
      const { fake } = globalThis;
      const error = { code: 'INTERNAL', message: 'No PDF today.', details: {} } as const;
      fake.refuse.set('slides.pdf', error);
      const foreign = { mimeType: 'application/octet-stream', encoding: 'utf8' } as const;
      fake.state.files.set('theirs.pptx', { ...foreign, data: 'PK' });
    });
    await button('Save as PDF').click();
    await page.getByText('No PDF today.').waitFor();

    await button('All files').click();
    await button('Refresh').click();
    await page.getByRole('button', { name: /^theirs\.pptx/ }).click();
    await page.getByText('theirs.pptx was not made here').waitFor();
    expect(await page.getByRole('list', { name: 'Pages' }).count()).toBe(0);
    const theirs = textOf(page.waitForEvent('download'));
    await page.getByRole('tabpanel').getByRole('alert').getByRole('button').click();
    expect(await theirs).toEqual(['theirs.pptx', 'PK']);
  });
});
