import type { Page } from 'playwright-core';
import { button, isDisabled, press } from '../controls.ts';
import { lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function answer(page: Page, given: string, verdict: string): Promise<void> {
  await press(page, given);
  await shows(page, verdict);
  await press(page, 'Next');
}

export const brief: AppBrief = {
  name: 'space-quiz',
  prompt: [
    'Make a quiz with three questions in this order: "Which planet is closest to the Sun?"',
    '(answers "Mercury", "Venus", "Mars"; right is Mercury), "Which planet is the largest?"',
    '("Earth", "Jupiter", "Saturn"; right is Jupiter) and "Which planet has the shortest name?"',
    '("Mars", "Uranus", "Neptune"; right is Mars). One question is shown at a time under',
    '"Question 1 of 3", and each answer is a button with just its text. After an answer the page',
    'says "Correct!" or "Wrong, it is Mercury" (with the right answer), and the first answer',
    'counts: the answer buttons are disabled until the next question. A button "Next" goes on;',
    'it is always visible with a question, but disabled until the question is answered. After',
    'the third question it leads to "You scored 2 of 3" and a button "Play again", which starts',
    'from the first question with no points.',
  ].join(' '),
  points: [
    {
      says: 'One question at a time is shown, and answers are judged.',
      holds: async (page) => {
        await shows(page, 'Question 1 of 3');
        await shows(page, 'Which planet is closest to the Sun?');
        await lacks(page, 'Which planet is the largest?');
        await answer(page, 'Mercury', 'Correct!');
        await shows(page, 'Question 2 of 3');
        await lacks(page, 'Correct!');
        await answer(page, 'Saturn', 'Wrong, it is Jupiter');
        await shows(page, 'Which planet has the shortest name?');
      },
    },
    {
      says: 'The score counts right answers.',
      holds: async (page) => {
        await answer(page, 'Mercury', 'Correct!');
        await answer(page, 'Earth', 'Wrong, it is Jupiter');
        await answer(page, 'Mars', 'Correct!');
        await shows(page, 'You scored 2 of 3');
      },
    },
    {
      says: 'Next waits for an answer, and the first answer counts.',
      holds: async (page) => {
        await isDisabled(button(page, 'Next'));
        await press(page, 'Venus');
        await shows(page, 'Wrong, it is Mercury');
        await isDisabled(button(page, 'Mercury'));
        await press(page, 'Next');
        await shows(page, 'Question 2 of 3');
        await isDisabled(button(page, 'Next'));
      },
    },
    {
      says: 'Playing again starts without points.',
      holds: async (page) => {
        await answer(page, 'Mercury', 'Correct!');
        await answer(page, 'Jupiter', 'Correct!');
        await answer(page, 'Mars', 'Correct!');
        await shows(page, 'You scored 3 of 3');
        await press(page, 'Play again');
        await shows(page, 'Question 1 of 3');
        await answer(page, 'Mars', 'Wrong, it is Mercury');
        await answer(page, 'Earth', 'Wrong, it is Jupiter');
        await answer(page, 'Mars', 'Correct!');
        await shows(page, 'You scored 1 of 3');
      },
    },
  ],
};
