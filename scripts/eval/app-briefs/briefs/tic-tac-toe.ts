import type { Page } from 'playwright-core';
import { button, press } from '../controls.ts';
import { counts, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function takeSquares(page: Page, squares: readonly number[]): Promise<void> {
  for (const [turn, square] of squares.entries()) {
    await press(page, `Square ${square}`);
    await counts(button(page, `Square ${square}: ${turn % 2 === 0 ? 'X' : 'O'}`), 1);
  }
}

export const brief: AppBrief = {
  name: 'tic-tac-toe',
  prompt: [
    'Make tic-tac-toe for two people at one screen, X begins. The nine squares are buttons whose',
    'accessible names are "Square 1" to "Square 9", row by row, and once taken for example',
    '"Square 5: X". A line above the board says "X to move", "O to move", "X wins", "O wins" or',
    '"Draw". A square that is taken cannot be taken again, and after the game is over no square',
    'does anything. A button "Undo" takes back the last move, several times in a row if pressed',
    'again, and a button "New game" clears the board, X beginning again.',
  ].join(' '),
  points: [
    {
      says: 'Players take turns, and a row wins.',
      holds: async (page) => {
        await shows(page, 'X to move');
        await takeSquares(page, [1, 4, 2, 5]);
        await shows(page, 'X to move');
        await takeSquares(page, [3]);
        await shows(page, 'X wins');
        await counts(page.getByRole('button', { name: /^Square \d$/ }), 4);
      },
    },
    {
      says: 'A column and a diagonal win for O, and a full board is a draw.',
      holds: async (page) => {
        await takeSquares(page, [1, 2, 3, 5, 4, 8]);
        await shows(page, 'O wins');
        await press(page, 'New game');
        await shows(page, 'X to move');
        await takeSquares(page, [1, 3, 2, 5, 4, 7]);
        await shows(page, 'O wins');
        await press(page, 'New game');
        await takeSquares(page, [1, 2, 3, 5, 4, 6, 8, 7, 9]);
        await shows(page, 'Draw');
      },
    },
    {
      says: 'A taken square stays as it is, and it is still the turn of the other.',
      holds: async (page) => {
        await takeSquares(page, [5]);
        await button(page, 'Square 5: X').click({ force: true });
        await shows(page, 'O to move');
        await counts(button(page, 'Square 5: X'), 1);
        await press(page, 'Square 1');
        await counts(button(page, 'Square 1: O'), 1);
      },
    },
    {
      says: 'After a win no square does anything.',
      holds: async (page) => {
        await takeSquares(page, [1, 4, 2, 5, 3]);
        await shows(page, 'X wins');
        await button(page, 'Square 6').click({ force: true });
        await button(page, 'Square 9').click({ force: true });
        await shows(page, 'X wins');
        await counts(page.getByRole('button', { name: /^Square \d$/ }), 4);
      },
    },
    {
      says: 'Undo takes back one move after the other.',
      holds: async (page) => {
        await takeSquares(page, [1, 5, 9]);
        await press(page, 'Undo');
        await counts(button(page, 'Square 9'), 1);
        await shows(page, 'X to move');
        await press(page, 'Undo');
        await counts(button(page, 'Square 5'), 1);
        await shows(page, 'O to move');
        await counts(button(page, 'Square 1: X'), 1);
      },
    },
  ],
};
