import type { Page } from 'playwright-core';
import { heading, link, press } from '../controls.ts';
import { counts, shows, until } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function goToHash(page: Page, hash: string): Promise<void> {
  const [address] = page.url().split('#');
  await page.goto(`${address}${hash}`);
}

async function hashIs(page: Page, hash: string): Promise<void> {
  await until(
    async () => page.url().endsWith(hash),
    () => `The address is ${page.url()}, without ${hash} at its end.`,
  );
}

export const brief: AppBrief = {
  name: 'bakery-site',
  prompt: [
    'Make a small site for a bakery with a navigation of the links "Home", "Menu" and "Contact",',
    'which switch between three views in one page without loading it again. Only the present',
    'view is shown, each with its heading: "Welcome to Sunny Bakery", "Our menu" and "Contact',
    'us". The addresses end in "#/", "#/menu" and "#/contact", so that the back button of the',
    'browser, a reload and opening such an address directly all lead to the right view, and',
    'without any hash it is Home. For any other hash show the heading "Page not found" and keep',
    'the navigation. The link of the present view has aria-current="page" and the others have',
    'not. The menu lists "Rye bread" for 4.20, "Croissant" for 1.80 and "Apple pie" for 3.50,',
    'each with a button like "Add Croissant", and "Basket: 0 items, 0.00" stands on every view',
    'and keeps counting while one changes views (write "1 items" too).',
  ].join(' '),
  points: [
    {
      says: 'The links switch the view and the address.',
      holds: async (page) => {
        await counts(heading(page, 'Welcome to Sunny Bakery'), 1);
        await link(page, 'Menu').click();
        await counts(heading(page, 'Our menu'), 1);
        await counts(heading(page, 'Welcome to Sunny Bakery'), 0);
        await hashIs(page, '#/menu');
        await link(page, 'Contact').click();
        await counts(heading(page, 'Contact us'), 1);
        await counts(heading(page, 'Our menu'), 0);
        await hashIs(page, '#/contact');
      },
    },
    {
      says: 'The back button and a reload lead to the right view.',
      holds: async (page) => {
        await link(page, 'Menu').click();
        await counts(heading(page, 'Our menu'), 1);
        await link(page, 'Contact').click();
        await counts(heading(page, 'Contact us'), 1);
        await page.goBack();
        await counts(heading(page, 'Our menu'), 1);
        await page.reload();
        await counts(heading(page, 'Our menu'), 1);
        await counts(heading(page, 'Welcome to Sunny Bakery'), 0);
        await page.goBack();
        await counts(heading(page, 'Welcome to Sunny Bakery'), 1);
      },
    },
    {
      says: 'An unknown address is said to be unknown, and one can go on.',
      holds: async (page) => {
        await goToHash(page, '#/nowhere');
        await counts(heading(page, 'Page not found'), 1);
        await counts(heading(page, 'Welcome to Sunny Bakery'), 0);
        await link(page, 'Home').click();
        await counts(heading(page, 'Welcome to Sunny Bakery'), 1);
        await counts(heading(page, 'Page not found'), 0);
      },
    },
    {
      says: 'The link of the present view is marked, also when it is opened directly.',
      holds: async (page) => {
        const current = page.locator('[aria-current="page"]');
        await goToHash(page, '#/contact');
        await page.reload();
        await counts(link(page, 'Contact').and(current), 1);
        await counts(link(page, 'Home').and(current), 0);
        await link(page, 'Home').click();
        await counts(link(page, 'Home').and(current), 1);
        await counts(link(page, 'Contact').and(current), 0);
      },
    },
    {
      says: 'The basket adds up and stays while one changes views.',
      holds: async (page) => {
        await shows(page, 'Basket: 0 items, 0.00');
        await link(page, 'Menu').click();
        await press(page, 'Add Croissant');
        await press(page, 'Add Croissant');
        await press(page, 'Add Rye bread');
        await shows(page, 'Basket: 3 items, 7.80');
        await link(page, 'Home').click();
        await counts(heading(page, 'Welcome to Sunny Bakery'), 1);
        await shows(page, 'Basket: 3 items, 7.80');
      },
    },
  ],
};
