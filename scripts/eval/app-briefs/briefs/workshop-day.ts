import type { Page } from 'playwright-core';
import { button, fillIn, heading, press } from '../controls.ts';
import { counts, lacks, shows, until } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function workshopPlaces(page: Page): Promise<readonly { x: number; y: number }[]> {
  const places: { x: number; y: number }[] = [];
  for (let workshop = 1; workshop <= 6; workshop += 1) {
    const box = await heading(page, `Workshop ${workshop}`).boundingBox();
    if (!box) throw new Error(`The heading Workshop ${workshop} is not visible.`);
    places.push({ x: box.x + box.width / 2, y: box.y });
  }
  return places;
}

async function standsInColumns(page: Page, columns: number): Promise<void> {
  const isSo = async (): Promise<boolean> => {
    const places = await workshopPlaces(page);
    return places.every((place, index) => {
      const left = index % columns === 0 ? undefined : places[index - 1];
      const above = places[index - columns];
      const isRightOfLeft = !left || place.x > left.x + 50;
      const isBelowAbove = !above || (place.y > above.y + 10 && Math.abs(place.x - above.x) < 20);
      return isRightOfLeft && isBelowAbove;
    });
  };
  await until(isSo, () => `The workshops do not stand in ${columns} columns.`);
}

async function fitsInWidth(page: Page): Promise<void> {
  await until(
    () => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
    () => 'The page scrolls sideways.',
  );
}

const NARROW = { width: 400, height: 800 };
const WIDE = { width: 1200, height: 800 };

export const brief: AppBrief = {
  name: 'workshop-day',
  prompt: [
    'Make a page for a day of workshops: a navigation with the links "Program" and "Comments"',
    'that jump to sections of the page with these headings. Under Program are six cards in a',
    'grid, each with its heading "Workshop 1" to "Workshop 6" at its top and a short text: three',
    'columns at a width of 1200 px and one column at 400 px, in this order. At 600 px and less',
    'the links are hidden at first, for keyboard and screen readers too, and a button that is',
    'always called "Menu" shows and hides them; choosing a link hides them again, and on wider',
    'pages the links are always visible and there is no such button. Under Comments one writes',
    'into a field "Comment" and presses "Post", and the text is added to the list below; an',
    'empty comment is not added and the page says "Please write something". At 400 px the page',
    'must never scroll sideways, not even when somebody posts a very long word.',
  ].join(' '),
  points: [
    {
      says: 'The cards stand in three columns on a wide page and in one on a narrow one.',
      holds: async (page) => {
        await page.setViewportSize(WIDE);
        await counts(page.getByRole('heading', { name: /^Workshop \d$/ }), 6);
        await standsInColumns(page, 3);
        await page.setViewportSize(NARROW);
        await standsInColumns(page, 1);
        await fitsInWidth(page);
      },
    },
    {
      says: 'On a narrow page the menu shows and hides the links.',
      holds: async (page) => {
        await page.setViewportSize(NARROW);
        const links = page.getByRole('link', { name: 'Comments', exact: true });
        await counts(button(page, 'Menu'), 1);
        await counts(links, 0);
        await press(page, 'Menu');
        await counts(links, 1);
        await fitsInWidth(page);
        await press(page, 'Menu');
        await counts(links, 0);
        await press(page, 'Menu');
        await links.click();
        await counts(links, 0);
        await counts(button(page, 'Menu'), 1);
      },
    },
    {
      says: 'On a wide page the links are always visible, without a button.',
      holds: async (page) => {
        await page.setViewportSize(NARROW);
        await counts(button(page, 'Menu'), 1);
        await page.setViewportSize(WIDE);
        await counts(page.getByRole('link', { name: 'Program', exact: true }), 1);
        await counts(page.getByRole('link', { name: 'Comments', exact: true }), 1);
        await counts(button(page, 'Menu'), 0);
      },
    },
    {
      says: 'A very long word does not make a narrow page scroll sideways.',
      holds: async (page) => {
        const word = 'Donaudampfschiff'.repeat(20);
        await page.setViewportSize(NARROW);
        await fillIn(page, { Comment: word });
        await press(page, 'Post');
        await fillIn(page, { Comment: '' });
        await shows(page, word);
        await fitsInWidth(page);
      },
    },
    {
      says: 'Comments are added, but no empty ones.',
      holds: async (page) => {
        await fillIn(page, { Comment: 'See you there' });
        await press(page, 'Post');
        await fillIn(page, { Comment: '' });
        await shows(page, 'See you there');
        await lacks(page, 'Please write something');
        await press(page, 'Post');
        await shows(page, 'Please write something');
      },
    },
  ],
};
