import type { Page } from 'playwright-core';
import { button, press } from '../controls.ts';
import { counts, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function turnCard(page: Page, card: number): Promise<string> {
  await press(page, `Card ${card}`);
  const turned = page.getByRole('button', { name: new RegExp(`^Card ${card}: [ABCD]$`) });
  await counts(turned, 1);
  for (const letter of 'ABCD') {
    if ((await button(page, `Card ${card}: ${letter}`).count()) === 1) return letter;
  }
  throw new Error(`Card ${card} is turned but shows no letter.`);
}

async function turnAllCards(page: Page): Promise<readonly string[]> {
  const letters: string[] = [];
  for (let card = 1; card <= 8; card += 1) letters.push(await turnCard(page, card));
  return letters;
}

export const brief: AppBrief = {
  name: 'memory-game',
  prompt: [
    'Please build a memory game with 8 cards, which are the letters A, B, C and D twice each,',
    'shuffled at random. Every card is a button: face down its accessible name is "Card 1" to',
    '"Card 8" by its place, and face up, also when its pair is found, it is for example "Card 3:',
    'B". Two cards turned make a move, and "Moves: 0" counts them; a pair stays face up, and two',
    'cards that differ stay face up until the next face-down card is pressed, which turns those',
    'two down and the pressed one up (use no timers). Pressing a card that is face up does',
    'nothing and is no move. When all pairs are found show for example "All pairs found in 6',
    'moves", and a button "New game" always starts again with all cards face down, newly',
    'shuffled, and no moves.',
  ].join(' '),
  points: [
    {
      says: 'There are four letters, each on two cards.',
      holds: async (page) => {
        const letters = await turnAllCards(page);
        await shows(page, 'Moves: 4');
        const sorted = [...letters].sort().join('');
        if (sorted !== 'AABBCCDD') throw new Error(`The cards are ${sorted}.`);
      },
    },
    {
      says: 'The game can be played to its end.',
      holds: async (page) => {
        const letters = await turnAllCards(page);
        let moves = 4;
        for (const letter of 'ABCD') {
          if ((await page.getByRole('button', { name: `: ${letter}` }).count()) === 2) continue;
          await turnCard(page, letters.indexOf(letter) + 1);
          const second = button(page, `Card ${letters.lastIndexOf(letter) + 1}`);
          await counts(second, 1);
          await second.click();
          moves += 1;
          await shows(page, `Moves: ${moves}`);
        }
        await shows(page, `All pairs found in ${moves} moves`);
      },
    },
    {
      says: 'Two cards that differ are turned down by the next card.',
      holds: async (page) => {
        const letters = await turnAllCards(page);
        await press(page, 'New game');
        await shows(page, 'Moves: 0');
        await counts(page.getByRole('button', { name: /^Card \d$/ }), letters.length);
        const first = await turnCard(page, 1);
        const second = await turnCard(page, 2);
        await turnCard(page, 3);
        await counts(
          page.getByRole('button', { name: /^Card \d: [ABCD]$/ }),
          first === second ? 3 : 1,
        );
      },
    },
    {
      says: 'Pressing the same card twice is no move.',
      holds: async (page) => {
        const letter = await turnCard(page, 1);
        await button(page, `Card 1: ${letter}`).click({ force: true });
        await shows(page, 'Moves: 0');
        await turnCard(page, 2);
        await shows(page, 'Moves: 1');
        await turnCard(page, 3);
        await shows(page, 'Moves: 1');
      },
    },
    {
      says: 'Cards are shuffled again for each game.',
      holds: async (page) => {
        const games = new Set<string>();
        for (let game = 0; game < 5 && games.size < 2; game += 1) {
          games.add((await turnAllCards(page)).join(''));
          await press(page, 'New game');
          await shows(page, 'Moves: 0');
        }
        if (games.size < 2) throw new Error('Five games had the same order of cards.');
      },
    },
  ],
};
