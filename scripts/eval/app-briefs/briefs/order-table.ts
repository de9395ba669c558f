import type { Locator, Page } from 'playwright-core';
import { button, choose, isDisabled, press, standInOrder } from '../controls.ts';
import { counts, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

function orderRow(page: Page, order: number): Locator {
  return page.getByRole('row').filter({
    has: page.getByText(`Order ${order}`, { exact: true }),
  });
}

async function listsOrders(page: Page, count: number): Promise<void> {
  await counts(page.getByRole('table').getByRole('row'), count + 1);
}

export const brief: AppBrief = {
  name: 'order-table',
  prompt: [
    'Make a table of 23 orders with the columns "Order", "City" and "Amount": they are called',
    '"Order 1" to "Order 23", the cities are Berlin, Paris, Rome in turn (Order 1 Berlin, Order',
    '2 Paris, Order 3 Rome, Order 4 Berlin ...), and the amount is five times the number of the',
    'order. It shows 10 orders a page below a heading row, with the buttons "Previous" and',
    '"Next" and the text "Page 1 of 3"; Previous is disabled on the first page and Next on the',
    'last. A drop-down list "City" with "All cities", "Berlin", "Paris" and "Rome" filters the',
    'table and always goes back to page 1. Above the table is the sum of the amounts of all',
    'orders that match the filter, on all pages, like "Sum: 1380". A button "Sort by amount"',
    'sorts all matching orders, not only those of this page, with the highest amount first,',
    'pressed again with the lowest first, and also goes to page 1.',
  ].join(' '),
  points: [
    {
      says: 'Ten orders are on a page, three on the last, and one can page back and forth.',
      holds: async (page) => {
        await shows(page, 'Page 1 of 3');
        await listsOrders(page, 10);
        await isDisabled(button(page, 'Previous'));
        await press(page, 'Next');
        await shows(page, 'Page 2 of 3');
        await counts(orderRow(page, 11), 1);
        await counts(orderRow(page, 10), 0);
        await press(page, 'Next');
        await shows(page, 'Page 3 of 3');
        await listsOrders(page, 3);
        await isDisabled(button(page, 'Next'));
        await press(page, 'Previous');
        await shows(page, 'Page 2 of 3');
      },
    },
    {
      says: 'The sum is that of all orders that match.',
      holds: async (page) => {
        await shows(page, 'Sum: 1380');
        await choose(page, 'City', 'Paris');
        await shows(page, 'Sum: 500');
        await listsOrders(page, 8);
        await counts(orderRow(page, 23), 1);
        await choose(page, 'City', 'Rome');
        await shows(page, 'Sum: 420');
        await choose(page, 'City', 'All cities');
        await shows(page, 'Sum: 1380');
      },
    },
    {
      says: 'Filtering on the last page goes back to the first.',
      holds: async (page) => {
        await press(page, 'Next');
        await press(page, 'Next');
        await shows(page, 'Page 3 of 3');
        await choose(page, 'City', 'Berlin');
        await shows(page, 'Page 1 of 1');
        await listsOrders(page, 8);
        await counts(orderRow(page, 1), 1);
        await isDisabled(button(page, 'Next'));
      },
    },
    {
      says: 'All pages are sorted by amount as a number, both ways.',
      holds: async (page) => {
        await press(page, 'Next');
        await shows(page, 'Page 2 of 3');
        await press(page, 'Sort by amount');
        await shows(page, 'Page 1 of 3');
        await standInOrder([23, 22, 21, 14].map((order) => orderRow(page, order)));
        await shows(orderRow(page, 23), '115');
        await press(page, 'Sort by amount');
        await standInOrder([1, 2, 3, 10].map((order) => orderRow(page, order)));
      },
    },
  ],
};
