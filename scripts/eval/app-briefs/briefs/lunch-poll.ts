import type { Page } from 'playwright-core';
import { asAnotherVisitor, button, fillIn, isDisabled, press } from '../controls.ts';
import { counts, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function addOption(page: Page, option: string): Promise<void> {
  await fillIn(page, { 'New option': option });
  await press(page, 'Add option');
}

export const brief: AppBrief = {
  name: 'lunch-poll',
  prompt: [
    'I need a poll "Where do we eat?" for my team, with a small server that keeps options and',
    'votes in memory, so that everybody who opens the page sees the same. Anyone can add an',
    'option with the field "New option" and the button "Add option"; each option shows its votes',
    'like "Votes for Pizza: 0" and has a button like "Vote for Pizza". Every browser can vote',
    'once for each option: after that the button of this option is disabled, also after a reload',
    'of the page, while other options can still be voted for. An option that is already there,',
    'no matter in which letter case, is not added again, and the page says "This option is',
    'already there"; if the field is empty it says "Please enter an option". If I reload the',
    'page I see the votes of the others.',
  ].join(' '),
  points: [
    {
      says: 'An option of one visitor can be voted for by another, and votes add up.',
      holds: async (page) => {
        await addOption(page, 'Ramen');
        await shows(page, 'Votes for Ramen: 0');
        await press(page, 'Vote for Ramen');
        await shows(page, 'Votes for Ramen: 1');
        await asAnotherVisitor(page, async (visitor) => {
          await shows(visitor, 'Votes for Ramen: 1');
          await press(visitor, 'Vote for Ramen');
          await shows(visitor, 'Votes for Ramen: 2');
        });
        await page.reload();
        await shows(page, 'Votes for Ramen: 2');
      },
    },
    {
      says: 'A browser can vote once for each option, also after a reload.',
      holds: async (page) => {
        await addOption(page, 'Falafel');
        await shows(page, 'Votes for Falafel: 0');
        await addOption(page, 'Curry');
        await shows(page, 'Votes for Curry: 0');
        await press(page, 'Vote for Falafel');
        await shows(page, 'Votes for Falafel: 1');
        await isDisabled(button(page, 'Vote for Falafel'));
        await page.reload();
        await isDisabled(button(page, 'Vote for Falafel'));
        await press(page, 'Vote for Curry');
        await shows(page, 'Votes for Curry: 1');
        await shows(page, 'Votes for Falafel: 1');
      },
    },
    {
      says: 'An option that another visitor has added is not added again.',
      holds: async (page) => {
        await addOption(page, 'Dumplings');
        await shows(page, 'Votes for Dumplings: 0');
        await asAnotherVisitor(page, async (visitor) => {
          await shows(visitor, 'Votes for Dumplings: 0');
          await addOption(visitor, 'dUMPLINGS');
          await shows(visitor, 'This option is already there');
          await visitor.reload();
          await counts(visitor.getByRole('button', { name: /^Vote for Dumplings$/i }), 1);
        });
      },
    },
    {
      says: 'An empty option is refused.',
      holds: async (page) => {
        await addOption(page, 'Risotto');
        await counts(button(page, 'Vote for Risotto'), 1);
        const options = await page.getByRole('button', { name: /^Vote for/ }).count();
        await addOption(page, '');
        await shows(page, 'Please enter an option');
        await page.reload();
        await counts(button(page, 'Vote for Risotto'), 1);
        await counts(page.getByRole('button', { name: /^Vote for/ }), options);
      },
    },
  ],
};
