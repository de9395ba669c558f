import type { Locator, Page } from 'playwright-core';
import { button, fillIn, isDisabled, isFocused, press } from '../controls.ts';
import { lacks, shows, until } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

function tab(page: Page, name: string): Locator {
  return page.getByRole('tab', { name, exact: true });
}

async function isSelected(page: Page, selected: string, others: readonly string[]): Promise<void> {
  const state = (name: string): Promise<string | null> =>
    tab(page, name).getAttribute('aria-selected');
  await until(
    async () => {
      if ((await state(selected)) !== 'true') return false;
      for (const other of others) if ((await state(other)) === 'true') return false;
      return true;
    },
    () => `The tab ${selected} is not the only one that is selected.`,
  );
}

export const brief: AppBrief = {
  name: 'recipe-tabs',
  prompt: [
    'Please make a recipe page with the heading "Pancakes" and three accessible tabs (roles tab',
    'and tabpanel, aria-selected on the tabs) "Ingredients", "Steps" and "Notes", of which',
    'Ingredients is selected at first; only the panel of the selected tab is visible. With the',
    'focus on a tab, the right and left arrow keys select and focus the next and previous tab,',
    'going round at the ends, and Home and End go to the first and last one. Ingredients shows',
    '"Servings: 2" with the buttons "More" and "Fewer", and for 2 servings "Flour: 200 g",',
    '"Milk: 300 ml" and "Eggs: 2", which change in proportion by one serving a press; with 1',
    'serving Fewer is disabled. Steps shows "Whisk everything until smooth", and Notes has a',
    'text area "My notes". Servings and notes stay as they are when I switch tabs and come back,',
    'and notes are also kept over a reload of the page.',
  ].join(' '),
  points: [
    {
      says: 'A click on a tab shows its panel only.',
      holds: async (page) => {
        await isSelected(page, 'Ingredients', ['Steps', 'Notes']);
        await shows(page, 'Flour: 200 g');
        await lacks(page, 'Whisk everything until smooth');
        await tab(page, 'Steps').click();
        await isSelected(page, 'Steps', ['Ingredients', 'Notes']);
        await shows(page.getByRole('tabpanel'), 'Whisk everything until smooth');
        await lacks(page, 'Flour: 200 g');
      },
    },
    {
      says: 'The keyboard moves between tabs and round at the ends.',
      holds: async (page) => {
        await tab(page, 'Ingredients').click();
        await page.keyboard.press('ArrowRight');
        await isSelected(page, 'Steps', ['Ingredients', 'Notes']);
        await isFocused(tab(page, 'Steps'));
        await page.keyboard.press('ArrowRight');
        await isSelected(page, 'Notes', ['Ingredients', 'Steps']);
        await isFocused(tab(page, 'Notes'));
        await page.keyboard.press('ArrowRight');
        await isSelected(page, 'Ingredients', ['Steps', 'Notes']);
        await isFocused(tab(page, 'Ingredients'));
        await page.keyboard.press('ArrowLeft');
        await isSelected(page, 'Notes', ['Ingredients', 'Steps']);
      },
    },
    {
      says: 'Home and End go to the first and last tab.',
      holds: async (page) => {
        await tab(page, 'Steps').click();
        await page.keyboard.press('End');
        await isSelected(page, 'Notes', ['Ingredients', 'Steps']);
        await isFocused(tab(page, 'Notes'));
        await page.keyboard.press('Home');
        await isSelected(page, 'Ingredients', ['Steps', 'Notes']);
        await shows(page, 'Milk: 300 ml');
      },
    },
    {
      says: 'Amounts follow the servings, which cannot go below one.',
      holds: async (page) => {
        await press(page, 'More');
        await shows(page, 'Servings: 3');
        await shows(page, 'Flour: 300 g');
        await shows(page, 'Milk: 450 ml');
        await press(page, 'Fewer');
        await press(page, 'Fewer');
        await shows(page, 'Servings: 1');
        await shows(page, 'Eggs: 1');
        await shows(page, 'Milk: 150 ml');
        await isDisabled(button(page, 'Fewer'));
      },
    },
    {
      says: 'Servings and notes outlast a change of tabs, and notes a reload.',
      holds: async (page) => {
        await press(page, 'More');
        await press(page, 'More');
        await shows(page, 'Flour: 400 g');
        await tab(page, 'Notes').click();
        await fillIn(page, { 'My notes': 'More butter' });
        await tab(page, 'Ingredients').click();
        await shows(page, 'Servings: 4');
        await tab(page, 'Notes').click();
        await shows(page.getByRole('tabpanel'), 'More butter');
        await page.reload();
        await tab(page, 'Notes').click();
        await shows(page.getByRole('tabpanel'), 'More butter');
      },
    },
  ],
};
