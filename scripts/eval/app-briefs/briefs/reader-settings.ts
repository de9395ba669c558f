import type { Page } from 'playwright-core';
import { button, isDisabled, press } from '../controls.ts';
import { counts, shows, until } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function bodyStyleIs(page: Page, property: string, value: string): Promise<void> {
  const style = (): Promise<string> =>
    page.evaluate<string>(`getComputedStyle(document.body).getPropertyValue('${property}')`);
  await until(
    async () => (await style()) === value,
    async () => `${property} of the body is ${await style()}, not ${value}.`,
  );
}

export const brief: AppBrief = {
  name: 'reader-settings',
  prompt: [
    'Build a page for reading with the heading "The lighthouse" and some paragraphs of any',
    'story, and buttons for how it looks. In the light theme the body element has the background',
    '#ffffff and the text color #111111, in the dark theme the background #121212 and the text',
    'color #eeeeee; a button "Dark theme" switches to dark and one called "Light theme" to',
    'light, and only the one of the other theme is shown. As long as the visitor has not chosen',
    'a theme, the page follows the setting of the system. The buttons "Larger text" and "Smaller',
    'text" change the font size of the body element, 16 px at first, by 2 px between 12 px and',
    '24 px, with each button disabled at its end, and the page shows "Text size: 16 px". A',
    'chosen theme and size are kept over a reload, and a button "Reset" forgets both choices.',
  ].join(' '),
  points: [
    {
      says: 'The theme can be switched, and it is kept over a reload.',
      holds: async (page) => {
        await bodyStyleIs(page, 'background-color', 'rgb(255, 255, 255)');
        await bodyStyleIs(page, 'color', 'rgb(17, 17, 17)');
        await press(page, 'Dark theme');
        await bodyStyleIs(page, 'background-color', 'rgb(18, 18, 18)');
        await bodyStyleIs(page, 'color', 'rgb(238, 238, 238)');
        await counts(button(page, 'Dark theme'), 0);
        await page.reload();
        await bodyStyleIs(page, 'background-color', 'rgb(18, 18, 18)');
        await press(page, 'Light theme');
        await bodyStyleIs(page, 'background-color', 'rgb(255, 255, 255)');
      },
    },
    {
      says: 'Without a choice the page follows the system, and with one it does not.',
      holds: async (page) => {
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.reload();
        await bodyStyleIs(page, 'background-color', 'rgb(18, 18, 18)');
        await press(page, 'Light theme');
        await bodyStyleIs(page, 'background-color', 'rgb(255, 255, 255)');
        await page.reload();
        await counts(button(page, 'Dark theme'), 1);
        await bodyStyleIs(page, 'background-color', 'rgb(255, 255, 255)');
      },
    },
    {
      says: 'The text size changes in steps and is kept over a reload.',
      holds: async (page) => {
        await shows(page, 'Text size: 16 px');
        await press(page, 'Larger text');
        await shows(page, 'Text size: 18 px');
        await bodyStyleIs(page, 'font-size', '18px');
        await page.reload();
        await shows(page, 'Text size: 18 px');
        await bodyStyleIs(page, 'font-size', '18px');
      },
    },
    {
      says: 'The text size stays between its limits.',
      holds: async (page) => {
        for (const size of [14, 12]) {
          await press(page, 'Smaller text');
          await shows(page, `Text size: ${size} px`);
        }
        await isDisabled(button(page, 'Smaller text'));
        for (const size of [14, 16, 18, 20, 22, 24]) {
          await press(page, 'Larger text');
          await shows(page, `Text size: ${size} px`);
        }
        await isDisabled(button(page, 'Larger text'));
        await bodyStyleIs(page, 'font-size', '24px');
      },
    },
    {
      says: 'Reset forgets theme and size.',
      holds: async (page) => {
        await press(page, 'Dark theme');
        await press(page, 'Smaller text');
        await shows(page, 'Text size: 14 px');
        await press(page, 'Reset');
        await shows(page, 'Text size: 16 px');
        await bodyStyleIs(page, 'background-color', 'rgb(255, 255, 255)');
        await page.reload();
        await shows(page, 'Text size: 16 px');
        await bodyStyleIs(page, 'background-color', 'rgb(255, 255, 255)');
        await counts(button(page, 'Dark theme'), 1);
      },
    },
  ],
};
