import { fillIn, showsNoFigure } from '../controls.ts';
import { lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

export const brief: AppBrief = {
  name: 'tip-calculator',
  prompt: [
    'Please build a tip calculator with the number fields "Bill" (empty at first), "Tip in',
    'percent" (15 at first) and "People" (1 at first). While I type it shows three results with',
    'a decimal point and two decimals, like "Tip: 15.00", "Total: 115.00" and "Each pays:',
    '38.34". What each pays is rounded up to the next cent if the total cannot be divided',
    'evenly, but an amount that is even must not grow by a cent: a bill of 33 with 10 percent',
    'and 1 person makes "Each pays: 36.30". If there are fewer than 1 people show "At least one',
    'person" instead of the three results, and if the bill is negative show "Bill must not be',
    'negative" instead of them.',
  ].join(' '),
  points: [
    {
      says: 'Tip, total and share are shown while typing, the share rounded up.',
      holds: async (page) => {
        await fillIn(page, { Bill: '100', People: '3' });
        await shows(page, 'Tip: 15.00');
        await shows(page, 'Total: 115.00');
        await shows(page, 'Each pays: 38.34');
        await fillIn(page, { 'Tip in percent': '20' });
        await shows(page, 'Each pays: 40.00');
      },
    },
    {
      says: 'Amounts that are even are not rounded up.',
      holds: async (page) => {
        await fillIn(page, { Bill: '33', 'Tip in percent': '10' });
        await shows(page, 'Total: 36.30');
        await shows(page, 'Each pays: 36.30');
      },
    },
    {
      says: 'No people gives a message instead of results.',
      holds: async (page) => {
        await fillIn(page, { Bill: '80' });
        await shows(page, 'Each pays: 92.00');
        await lacks(page, 'At least one person');
        await fillIn(page, { People: '0' });
        await shows(page, 'At least one person');
        await showsNoFigure(page, 'Each pays:');
      },
    },
    {
      says: 'A negative bill gives a message instead of results, until it is corrected.',
      holds: async (page) => {
        await fillIn(page, { Bill: '-20' });
        await shows(page, 'Bill must not be negative');
        await showsNoFigure(page, 'Total:');
        await fillIn(page, { Bill: '20' });
        await shows(page, 'Total: 23.00');
        await lacks(page, 'Bill must not be negative');
      },
    },
  ],
};
