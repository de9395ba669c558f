import type { Page } from 'playwright-core';
import { button, fillIn, press } from '../controls.ts';
import { lacks, shows, until } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function startCountdown(page: Page, seconds: string): Promise<void> {
  await page.clock.install();
  await page.reload();
  await fillIn(page, { Seconds: seconds });
  await press(page, 'Start');
}

async function secondsLeft(page: Page): Promise<number> {
  const time = /(\d\d):(\d\d)/.exec(await page.locator('body').innerText());
  if (!time) throw new Error('No time like 01:30 is shown.');
  return Number(time[1]) * 60 + Number(time[2]);
}

async function hasLeft(page: Page, least: number, most: number): Promise<void> {
  await until(
    async () => {
      const left = await secondsLeft(page);
      return left >= least && left <= most;
    },
    async () => `${await secondsLeft(page)} seconds are left, not ${least} to ${most}.`,
  );
}

export const brief: AppBrief = {
  name: 'countdown-timer',
  prompt: [
    'I want a countdown with a number field "Seconds" and the buttons "Start", "Pause" and',
    '"Reset", all three always visible, and nothing else on the page that looks like a time. It',
    'shows what is left as minutes and seconds, like "01:30" for 90 seconds, "00:00" at first,',
    'and when it gets to "00:00" the page says "Time is up". Start begins with what is in the',
    'field, or goes on where it stood if it was paused; pressing it while the time runs changes',
    'nothing. Pause halts the time, and Reset stops it and shows what is in the field again,',
    'ready to start. If Seconds is empty or less than 1, Start only shows "Enter at least 1',
    'second".',
  ].join(' '),
  points: [
    {
      says: 'The time runs down to zero, and then it is up.',
      holds: async (page) => {
        await startCountdown(page, '90');
        await page.clock.runFor(10_000);
        await hasLeft(page, 60, 80);
        await lacks(page, 'Time is up');
        await page.clock.runFor(90_000);
        await shows(page, 'Time is up');
        await shows(page, '00:00');
      },
    },
    {
      says: 'Paused, the time stands still, and it goes on from there.',
      holds: async (page) => {
        await startCountdown(page, '300');
        await page.clock.runFor(20_000);
        await press(page, 'Pause');
        await page.clock.runFor(1000);
        const left = await secondsLeft(page);
        await hasLeft(page, 250, 280);
        for (let round = 0; round < 3; round += 1) await page.clock.runFor(20_000);
        await hasLeft(page, left, left);
        await press(page, 'Start');
        await page.clock.runFor(30_000);
        await hasLeft(page, left - 50, left - 29);
      },
    },
    {
      says: 'Starting twice does not make the time run faster.',
      holds: async (page) => {
        await startCountdown(page, '300');
        await button(page, 'Start').click({ force: true });
        await page.clock.runFor(100_000);
        await hasLeft(page, 160, 200);
      },
    },
    {
      says: 'Reset shows the time of the field again, and it does not run.',
      holds: async (page) => {
        await startCountdown(page, '75');
        await page.clock.runFor(10_000);
        await press(page, 'Reset');
        await shows(page, '01:15');
        for (let round = 0; round < 3; round += 1) await page.clock.runFor(10_000);
        await hasLeft(page, 75, 75);
      },
    },
    {
      says: 'Zero or nothing cannot be started.',
      holds: async (page) => {
        await fillIn(page, { Seconds: '0' });
        await press(page, 'Start');
        await shows(page, 'Enter at least 1 second');
        await page.reload();
        await fillIn(page, { Seconds: '' });
        await press(page, 'Start');
        await shows(page, 'Enter at least 1 second');
        await shows(page, '00:00');
        await lacks(page, 'Time is up');
      },
    },
  ],
};
