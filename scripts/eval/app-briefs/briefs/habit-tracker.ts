import type { Page } from 'playwright-core';
import { checkbox, fillIn, isChecked, press } from '../controls.ts';
import { counts, lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function addHabits(page: Page, habits: readonly string[]): Promise<void> {
  for (const habit of habits) {
    await fillIn(page, { Habit: habit });
    await press(page, 'Add');
    await counts(checkbox(page, habit), 1);
  }
}

export const brief: AppBrief = {
  name: 'habit-tracker',
  prompt: [
    'Please make me a habit tracker whose list starts empty: I type into a field labelled',
    '"Habit" and press the button "Add". Every habit in the list has a checkbox labelled with',
    'the name of the habit, which I tick when it is done, and a button "Remove" followed by the',
    'name, e.g. "Remove Running", which removes it without asking. Somewhere it says how many',
    'are done, for example "Done today: 1 of 3". If the field is empty or has only spaces,',
    'nothing is added and the page says "Please enter a habit". If the habit is already in the',
    'list, no matter in which letter case, it is not added a second time and the page says',
    '"Already in the list". Habits and ticks must still be there after I reload the page.',
  ].join(' '),
  points: [
    {
      says: 'Habits that are added can be ticked, and the ticked ones are counted.',
      holds: async (page) => {
        await addHabits(page, ['Running', 'Reading', 'Piano']);
        await shows(page, 'Done today: 0 of 3');
        await checkbox(page, 'Reading').click();
        await shows(page, 'Done today: 1 of 3');
        await isChecked(checkbox(page, 'Reading'), true);
        await isChecked(checkbox(page, 'Piano'), false);
      },
    },
    {
      says: 'Removing a ticked habit lowers both figures.',
      holds: async (page) => {
        await addHabits(page, ['Running', 'Reading']);
        await checkbox(page, 'Running').click();
        await shows(page, 'Done today: 1 of 2');
        await press(page, 'Remove Running');
        await shows(page, 'Done today: 0 of 1');
        await counts(checkbox(page, 'Running'), 0);
        await counts(checkbox(page, 'Reading'), 1);
      },
    },
    {
      says: 'Habits and ticks are there after a reload.',
      holds: async (page) => {
        await addHabits(page, ['Running', 'Reading']);
        await checkbox(page, 'Reading').click();
        await shows(page, 'Done today: 1 of 2');
        await page.reload();
        await shows(page, 'Done today: 1 of 2');
        await isChecked(checkbox(page, 'Reading'), true);
        await isChecked(checkbox(page, 'Running'), false);
      },
    },
    {
      says: 'Only spaces are refused with a message.',
      holds: async (page) => {
        await addHabits(page, ['Running']);
        await fillIn(page, { Habit: '   ' });
        await press(page, 'Add');
        await shows(page, 'Please enter a habit');
        await counts(page.getByRole('checkbox'), 1);
      },
    },
    {
      says: 'A habit that differs only in letter case is refused.',
      holds: async (page) => {
        await addHabits(page, ['Running']);
        await lacks(page, 'Already in the list');
        await fillIn(page, { Habit: 'rUNNING' });
        await press(page, 'Add');
        await shows(page, 'Already in the list');
        await counts(page.getByRole('checkbox'), 1);
      },
    },
  ],
};
