import type { Locator, Page } from 'playwright-core';
import { button, fillIn, press } from '../controls.ts';
import { counts, shows, until } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function addBars(
  page: Page,
  bars: readonly (readonly [label: string, value: string])[],
): Promise<void> {
  for (const [label, value] of bars) {
    await fillIn(page, { Label: label, Value: value });
    await press(page, 'Add bar');
    await counts(bar(page, label, value), 1);
  }
}

function bar(page: Page, label: string, value: string): Locator {
  return page.getByRole('img', { name: `${label}: ${value}`, exact: true });
}

async function isTimesAsHigh(high: Locator, low: Locator, times: number): Promise<void> {
  const ratio = async (): Promise<number> => {
    const [highBox, lowBox] = await Promise.all([high.boundingBox(), low.boundingBox()]);
    return (highBox?.height ?? 0) / (lowBox?.height ?? 0);
  };
  await until(
    async () => Math.abs((await ratio()) / times - 1) < 0.1,
    async () => `${high} is ${await ratio()} times as high as ${low}, not ${times} times.`,
  );
}

export const brief: AppBrief = {
  name: 'bar-chart',
  prompt: [
    'Build a page that draws a bar chart as SVG, with the fields "Label" and "Value" and a',
    'button "Add bar"; it starts without bars. The bars are upright rectangles, exactly as high',
    'as their values from zero (30 is three times as high as 10), scaled so that all fit, and',
    'for screen readers each rectangle itself has the role "img" and a name like "Apples: 30".',
    'Each bar also has a button "Remove" plus its label, e.g. "Remove Apples", which removes it',
    'at once, and the page shows the sum like "Sum: 40". A label that is already there gets the',
    'new value instead of a second bar. Zero is a fine value, but for a negative or empty value',
    'nothing is added and the page says "Value must be 0 or more", and for an empty label "Label',
    'is required".',
  ].join(' '),
  points: [
    {
      says: 'Bars are as high as their values, also after a much higher one is added.',
      holds: async (page) => {
        await addBars(page, [
          ['Apples', '30'],
          ['Pears', '10'],
        ]);
        await isTimesAsHigh(bar(page, 'Apples', '30'), bar(page, 'Pears', '10'), 3);
        await addBars(page, [['Plums', '60']]);
        await isTimesAsHigh(bar(page, 'Plums', '60'), bar(page, 'Pears', '10'), 6);
        await isTimesAsHigh(bar(page, 'Apples', '30'), bar(page, 'Pears', '10'), 3);
      },
    },
    {
      says: 'Bars can be removed, and the sum follows.',
      holds: async (page) => {
        await addBars(page, [
          ['Apples', '30'],
          ['Pears', '12'],
        ]);
        await shows(page, 'Sum: 42');
        await press(page, 'Remove Apples');
        await shows(page, 'Sum: 12');
        await counts(bar(page, 'Apples', '30'), 0);
        await counts(bar(page, 'Pears', '12'), 1);
      },
    },
    {
      says: 'A label that is already there gets the new value.',
      holds: async (page) => {
        await addBars(page, [
          ['Apples', '30'],
          ['Pears', '10'],
          ['Apples', '5'],
        ]);
        await shows(page, 'Sum: 15');
        await counts(page.getByRole('img', { name: /^Apples: / }), 1);
        await counts(button(page, 'Remove Apples'), 1);
      },
    },
    {
      says: 'Zero is accepted; negative and empty values and empty labels are not.',
      holds: async (page) => {
        await addBars(page, [
          ['Apples', '7'],
          ['Nuts', '0'],
        ]);
        await shows(page, 'Sum: 7');
        for (const value of ['-4', '']) {
          await fillIn(page, { Label: 'Figs', Value: value });
          await press(page, 'Add bar');
          await shows(page, 'Value must be 0 or more');
        }
        await fillIn(page, { Label: '', Value: '3' });
        await press(page, 'Add bar');
        await shows(page, 'Label is required');
        await shows(page, 'Sum: 7');
        await counts(page.getByRole('img', { name: /: -?\d*$/ }), 2);
      },
    },
  ],
};
