import type { Page } from 'playwright-core';
import { button, fillIn, press, standInOrder } from '../controls.ts';
import { counts, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function addGroceries(
  page: Page,
  items: readonly (readonly [name: string, quantity: string, price: string])[],
): Promise<void> {
  for (const [name, quantity, price] of items) {
    await fillIn(page, { Item: name, Quantity: quantity, Price: price });
    await press(page, 'Add item');
    await counts(button(page, `Remove ${name}`), 1);
  }
}

export const brief: AppBrief = {
  name: 'shopping-list',
  prompt: [
    'I need a shopping list with the fields "Item", "Quantity" and "Price" (the price of one',
    'piece, with a decimal point) and a button "Add item"; it starts empty. Each item in the',
    'list has a button "Remove" followed by its name, like "Remove Milk", which removes it at',
    'once, and a button "Undo" brings the item that was removed last back. Show what everything',
    'costs together with two decimals, like "Total: 12.00" (quantity times price, summed up). A',
    'button "Sort by price" puts the list in order from the lowest price of one piece to the',
    'highest, top to bottom. A quantity below 1 is not added, and the page then says "Quantity',
    'must be at least 1". The list has to survive a reload of the page.',
  ].join(' '),
  points: [
    {
      says: 'The total is the sum of quantity times price, with two decimals.',
      holds: async (page) => {
        await addGroceries(page, [
          ['Milk', '2', '1.25'],
          ['Bread', '1', '3.10'],
        ]);
        await shows(page, 'Total: 5.60');
        await press(page, 'Remove Milk');
        await shows(page, 'Total: 3.10');
      },
    },
    {
      says: 'Prices are sorted as numbers.',
      holds: async (page) => {
        await addGroceries(page, [
          ['Wine', '1', '100'],
          ['Cheese', '20', '9'],
          ['Coffee', '1', '10.5'],
        ]);
        await press(page, 'Sort by price');
        await standInOrder(
          ['Cheese', 'Coffee', 'Wine'].map((name) => button(page, `Remove ${name}`)),
        );
      },
    },
    {
      says: 'Undo brings back the item that was removed last.',
      holds: async (page) => {
        await addGroceries(page, [
          ['Milk', '2', '1.50'],
          ['Bread', '1', '4'],
        ]);
        await press(page, 'Remove Bread');
        await shows(page, 'Total: 3.00');
        await counts(button(page, 'Remove Bread'), 0);
        await press(page, 'Undo');
        await shows(page, 'Total: 7.00');
        await counts(button(page, 'Remove Bread'), 1);
      },
    },
    {
      says: 'A quantity of zero or less is refused.',
      holds: async (page) => {
        await addGroceries(page, [['Milk', '1', '2']]);
        for (const quantity of ['0', '-3']) {
          await fillIn(page, { Item: 'Salt', Quantity: quantity, Price: '5' });
          await press(page, 'Add item');
          await shows(page, 'Quantity must be at least 1');
          await counts(button(page, 'Remove Salt'), 0);
        }
        await shows(page, 'Total: 2.00');
      },
    },
    {
      says: 'The list survives a reload.',
      holds: async (page) => {
        await addGroceries(page, [['Milk', '3', '2.20']]);
        await shows(page, 'Total: 6.60');
        await page.reload();
        await shows(page, 'Total: 6.60');
        await counts(button(page, 'Remove Milk'), 1);
      },
    },
  ],
};
