import type { Page } from 'playwright-core';
import type { Screen } from './axe.ts';
import { showComputer } from './narrow-window.ts';

/** Opens the presentation of the fake main, and waits for its first page. */
export async function openSlides(page: Page, narrow: boolean): Promise<void> {
  await showComputer(page, narrow);
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: /^quarter\.pptx/ }).click();
  await page.locator('.slide-page .page-picture[data-state="drawn"]').waitFor();
}

/** The n-th page of the strip, from 1. */
export const pageButton = (page: Page, place: number) =>
  page
    .getByRole('list', { name: 'Pages' })
    .getByRole('button')
    .nth(place - 1);

const TEMPLATE = 'brand of a company with a long name, for slides on wide screens.potx';

/** Presentations: the viewer, its forms, its show. */
export const SLIDE_SCREENS: Readonly<Record<string, Screen>> = {
  'a presentation': {
    path: '?artifacts=0#/task/t-old',
    open: async (page, narrow) => {
      await openSlides(page, narrow);
      await pageButton(page, 2).click();
      await page.getByText('Do not read the list.').waitFor();
    },
  },
  'the chart of a slide being edited': {
    path: '?artifacts=0#/task/t-old',
    open: async (page, narrow) => {
      await openSlides(page, narrow);
      await pageButton(page, 4).click();
      await page.getByRole('button', { name: 'Edit slide' }).click();
      await page.getByRole('textbox', { name: 'Value 1 of series 1' }).fill('many');
      await page.getByRole('button', { name: 'Save slide' }).click();
      await page.getByText('not a number').waitFor();
    },
  },
  'a presentation checked in LibreOffice': {
    path: '?artifacts=0#/task/t-old',
    open: async (page, narrow) => {
      await openSlides(page, narrow);
      await page.evaluate(() => {
        globalThis.fake.slides.office = {
          state: 'checked',
          alike: [1, 0.41],
          problems: ['LibreOffice shows page 2 differently (similarity 0.41 of 1).'],
        };
      });
      await page.getByRole('button', { name: 'Check in LibreOffice' }).click();
      await page.getByText('LibreOffice shows page 2').waitFor();
    },
  },
  'a presentation on a template': {
    path: '?artifacts=0#/task/t-old',
    open: async (page, narrow) => {
      await openSlides(page, narrow);
      await page.evaluate((name) => {
        const { fake } = globalThis;
        const file = { mimeType: 'application/octet-stream', encoding: 'utf8', data: '' } as const;
        fake.state.files.set(name, file);
        fake.slides.leftOut = ['2 pictures of the template are left out.'];
      }, TEMPLATE);
      const theme = page.getByRole('combobox', { name: 'Theme' });
      await theme.focus();
      await theme.locator('option', { hasText: TEMPLATE }).waitFor({ state: 'attached' });
      await theme.selectOption(TEMPLATE);
      await page.getByText('2 pictures of the template').waitFor();
    },
  },
  'a show with notes': {
    path: '?artifacts=0#/task/t-old',
    open: async (page, narrow) => {
      await openSlides(page, narrow);
      await page.getByRole('button', { name: 'Present' }).click();
      await page.keyboard.press('n');
      await page.getByText('Ten minutes, then questions.').last().waitFor();
      await page.locator('.slide-show .page-picture[data-state="drawn"]').waitFor();
    },
  },
};
