import type { Page } from 'playwright-core';
import { button, field, fillIn, isDisabled, press, standInOrder } from '../controls.ts';
import { counts, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function addTasks(page: Page, tasks: readonly string[]): Promise<void> {
  for (const task of tasks) {
    await fillIn(page, { Task: task });
    await press(page, 'Add task');
    await counts(button(page, `Rename ${task}`), 1);
  }
}

export const brief: AppBrief = {
  name: 'task-queue',
  prompt: [
    'Make a queue of tasks that starts empty, with a field "Task" and a button "Add task" that',
    'puts the new task at the bottom. Each task has three buttons named with its text, for',
    'example "Move Laundry up", "Move Laundry down" and "Rename Laundry"; tasks are listed from',
    'top to bottom, and the up button of the first task and the down button of the last one are',
    'disabled. Rename shows a field "New name", filled with the present text, and the buttons',
    '"Save" and "Cancel", where Cancel leaves the task as it was, and saving an empty name also',
    'leaves it as it was and says "A task needs a name". Text is always shown exactly as I typed',
    'it, even if it looks like HTML such as "<b>Milk</b>". The order and names must be the same',
    'after a reload of the page.',
  ].join(' '),
  points: [
    {
      says: 'Tasks move, and the order is the same after a reload.',
      holds: async (page) => {
        await addTasks(page, ['Laundry', 'Dishes', 'Windows']);
        await press(page, 'Move Windows up');
        await press(page, 'Move Laundry down');
        const order = ['Windows', 'Laundry', 'Dishes'].map((task) =>
          button(page, `Rename ${task}`),
        );
        await standInOrder(order);
        await page.reload();
        await standInOrder(order);
      },
    },
    {
      says: 'The first cannot move up and the last not down.',
      holds: async (page) => {
        await addTasks(page, ['Laundry', 'Dishes']);
        await isDisabled(button(page, 'Move Laundry up'));
        await isDisabled(button(page, 'Move Dishes down'));
        await press(page, 'Move Laundry down');
        await isDisabled(button(page, 'Move Dishes up'));
        await isDisabled(button(page, 'Move Laundry down'));
      },
    },
    {
      says: 'A new name is taken on saving and not on cancelling.',
      holds: async (page) => {
        await addTasks(page, ['Laundry']);
        await press(page, 'Rename Laundry');
        await fillIn(page, { 'New name': 'Ironing' });
        await press(page, 'Cancel');
        await counts(button(page, 'Move Laundry up'), 1);
        await press(page, 'Rename Laundry');
        await fillIn(page, { 'New name': 'Cooking' });
        await press(page, 'Save');
        await counts(button(page, 'Move Cooking up'), 1);
        await counts(button(page, 'Move Laundry up'), 0);
      },
    },
    {
      says: 'An empty new name is refused.',
      holds: async (page) => {
        await addTasks(page, ['Laundry', 'Dishes']);
        await press(page, 'Rename Laundry');
        await field(page, 'New name').fill('');
        await press(page, 'Save');
        await shows(page, 'A task needs a name');
        await page.reload();
        await counts(button(page, 'Rename Laundry'), 1);
        await counts(button(page, 'Rename Dishes'), 1);
      },
    },
    {
      says: 'Text that looks like HTML is shown as typed.',
      holds: async (page) => {
        await addTasks(page, ['Buy <b>Milk</b>']);
        await fillIn(page, { Task: '' });
        await shows(page, 'Buy <b>Milk</b>');
        await counts(button(page, 'Move Buy <b>Milk</b> up'), 1);
      },
    },
  ],
};
