import { choose, field, fillIn, holdsValue, press, showsNoFigure } from '../controls.ts';
import { lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

export const brief: AppBrief = {
  name: 'temperature-converter',
  prompt: [
    'I want a temperature converter with a number field "Value", which is empty at first, and',
    'two drop-down lists "From" and "To", each with "Celsius", "Fahrenheit" and "Kelvin"; at',
    'first From is Celsius and To is Fahrenheit. The result appears while I type, with two',
    'decimals, like "Result: 212.00". A button "Swap" exchanges the units in From and To and',
    'leaves the value as it is. As long as the value is empty show "Enter a value" and no',
    'result, but 0 is a value like any other. If the temperature is below absolute zero (-273.15',
    'Celsius) show "Below absolute zero" and no result.',
  ].join(' '),
  points: [
    {
      says: 'Values are converted between all three units.',
      holds: async (page) => {
        await fillIn(page, { Value: '100' });
        await shows(page, 'Result: 212.00');
        await choose(page, 'To', 'Kelvin');
        await shows(page, 'Result: 373.15');
        await choose(page, 'From', 'Fahrenheit');
        await shows(page, 'Result: 310.93');
        await choose(page, 'From', 'Kelvin');
        await choose(page, 'To', 'Celsius');
        await shows(page, 'Result: -173.15');
      },
    },
    {
      says: 'Swap exchanges the units and leaves the value.',
      holds: async (page) => {
        await fillIn(page, { Value: '50' });
        await shows(page, 'Result: 122.00');
        await press(page, 'Swap');
        await shows(page, 'Result: 10.00');
        await holdsValue(field(page, 'Value'), '50');
        await choose(page, 'To', 'Fahrenheit');
        await shows(page, 'Result: 50.00');
      },
    },
    {
      says: 'Zero is a value and an empty field is none.',
      holds: async (page) => {
        await shows(page, 'Enter a value');
        await showsNoFigure(page, 'Result:');
        await fillIn(page, { Value: '0' });
        await shows(page, 'Result: 32.00');
        await lacks(page, 'Enter a value');
        await fillIn(page, { Value: '' });
        await shows(page, 'Enter a value');
        await showsNoFigure(page, 'Result:');
      },
    },
    {
      says: 'Below absolute zero there is no result, in any unit.',
      holds: async (page) => {
        await fillIn(page, { Value: '-273.15' });
        await shows(page, 'Result: -459.67');
        await fillIn(page, { Value: '-274' });
        await shows(page, 'Below absolute zero');
        await showsNoFigure(page, 'Result:');
        await choose(page, 'From', 'Fahrenheit');
        await choose(page, 'To', 'Celsius');
        await shows(page, 'Result: -170.00');
        await choose(page, 'From', 'Kelvin');
        await fillIn(page, { Value: '-1' });
        await shows(page, 'Below absolute zero');
      },
    },
  ],
};
