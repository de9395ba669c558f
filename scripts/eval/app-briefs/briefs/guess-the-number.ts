import type { Page } from 'playwright-core';
import { fillIn, press, says } from '../controls.ts';
import { lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function guess(page: Page, number: string): Promise<void> {
  await fillIn(page, { 'Your guess': number });
  await press(page, 'Check');
}

async function findNumber(page: Page): Promise<number> {
  let low = 1;
  let high = 100;
  for (let guesses = 1; low <= high; guesses += 1) {
    const middle = Math.floor((low + high) / 2);
    await guess(page, String(middle));
    await shows(page, `Guesses: ${guesses}`);
    if (await says(page, `Correct! You needed ${guesses} guesses`)) return guesses;
    if (await says(page, 'Too low')) low = middle + 1;
    else if (await says(page, 'Too high')) high = middle - 1;
    else throw new Error(`There is no answer to the guess ${middle}.`);
  }
  throw new Error('No number from 1 to 100 agrees with the answers.');
}

export const brief: AppBrief = {
  name: 'guess-the-number',
  prompt: [
    'Build a game in which the page picks a random whole number from 1 to 100 and I guess it in',
    'the field "Your guess" with the button "Check". It answers only the last guess (keep no',
    'list of earlier ones) with "Too low", "Too high" or, for example, "Correct! You needed 5',
    'guesses"; these words appear nowhere else on the page, and write "1 guesses" too. "Guesses:',
    '0" counts all guesses of the game, also the right one. A guess that is empty or not a whole',
    'number from 1 to 100 is answered with "Please enter a number from 1 to 100", and one I',
    'already tried in this game with "You already tried 50"; both are not counted. A button "New',
    'game" is always there and starts again with a new number and "Guesses: 0".',
  ].join(' '),
  points: [
    {
      says: 'The number can be found from the answers.',
      holds: async (page) => {
        const guesses = await findNumber(page);
        await shows(page, `Correct! You needed ${guesses} guesses`);
        await lacks(page, 'Too low');
      },
    },
    {
      says: 'Numbers outside 1 to 100 and empty guesses are not counted.',
      holds: async (page) => {
        await shows(page, 'Guesses: 0');
        for (const number of ['101', '0', '-7', '']) {
          await guess(page, number);
          await shows(page, 'Please enter a number from 1 to 100');
        }
        await findNumber(page);
      },
    },
    {
      says: 'A number that was tried before is not counted again.',
      holds: async (page) => {
        await guess(page, '1');
        await shows(page, 'Guesses: 1');
        if (await says(page, 'Correct!')) {
          await press(page, 'New game');
          await guess(page, '2');
          await guess(page, '2');
          await shows(page, 'You already tried 2');
          return;
        }
        await guess(page, '1');
        await shows(page, 'You already tried 1');
        await shows(page, 'Guesses: 1');
      },
    },
    {
      says: 'A new game forgets the guesses of the one before.',
      holds: async (page) => {
        await guess(page, '100');
        await shows(page, 'Guesses: 1');
        await press(page, 'New game');
        await shows(page, 'Guesses: 0');
        await guess(page, '100');
        await shows(page, 'Guesses: 1');
        await lacks(page, 'You already tried 100');
        await press(page, 'New game');
        await shows(page, 'Guesses: 0');
        await findNumber(page);
      },
    },
  ],
};
