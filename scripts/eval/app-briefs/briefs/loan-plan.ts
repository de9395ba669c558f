import type { Page } from 'playwright-core';
import { fillIn, press, showsNoFigure } from '../controls.ts';
import { counts, lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function calculateLoan(
  page: Page,
  loan: readonly [amount: string, interest: string, years: string],
): Promise<void> {
  const [amount, interest, years] = loan;
  await fillIn(page, { Amount: amount, 'Yearly interest in percent': interest, Years: years });
  await press(page, 'Calculate');
}

export const brief: AppBrief = {
  name: 'loan-plan',
  prompt: [
    'Make a loan calculator with the number fields "Amount", "Yearly interest in percent" and',
    '"Years", all empty at first, and a button "Calculate". It shows the constant monthly',
    'payment (a twelfth of the yearly interest is due each month on what is still owed) and all',
    'interest together, like "Monthly payment: 860.66" and "Total interest: 327.97", which is',
    'for an amount of 10000 at 6 percent over 1 year; calculate with unrounded figures and write',
    'all money with two decimals and no thousands separators. Below is a single table with a',
    'heading row with "Month" and "Balance" and a row for each month with its number and what is',
    'owed after its payment; the last balance is "0.00", never "-0.00". Interest of 0 percent is',
    'allowed. If the amount is empty, zero or negative, show "Amount must be more than 0" and',
    'neither results nor table.',
  ].join(' '),
  points: [
    {
      says: 'Payment and interest of a loan are right.',
      holds: async (page) => {
        await calculateLoan(page, ['10000', '6', '1']);
        await shows(page, 'Monthly payment: 860.66');
        await shows(page, 'Total interest: 327.97');
        await calculateLoan(page, ['200000', '4.5', '30']);
        await shows(page, 'Monthly payment: 1013.37');
      },
    },
    {
      says: 'The table has a row for each month and ends at zero.',
      holds: async (page) => {
        await calculateLoan(page, ['10000', '6', '1']);
        const rows = page.getByRole('table').getByRole('row');
        await counts(rows, 13);
        await shows(rows.nth(1), '9189.34');
        await shows(rows.nth(12), '0.00');
        await lacks(rows.nth(12), '-0.00');
      },
    },
    {
      says: 'A loan without interest is divided evenly.',
      holds: async (page) => {
        await calculateLoan(page, ['1200', '0', '2']);
        await shows(page, 'Monthly payment: 50.00');
        await shows(page, 'Total interest: 0.00');
        await counts(page.getByRole('table').getByRole('row'), 25);
      },
    },
    {
      says: 'An amount that is not above zero gives a message, and results go away.',
      holds: async (page) => {
        await calculateLoan(page, ['1200', '0', '1']);
        await shows(page, 'Monthly payment: 100.00');
        for (const amount of ['-5', '0', '']) {
          await calculateLoan(page, [amount, '0', '1']);
          await shows(page, 'Amount must be more than 0');
          await showsNoFigure(page, 'Monthly payment:');
          await counts(page.getByRole('row'), 0);
        }
      },
    },
  ],
};
