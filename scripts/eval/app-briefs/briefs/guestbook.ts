import type { Page } from 'playwright-core';
import { asAnotherVisitor, button, fillIn, press } from '../controls.ts';
import { counts, lacks, shows, showsInOrder } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function sendMessage(page: Page, name: string, message: string): Promise<void> {
  await fillIn(page, { Name: name, Message: message });
  await press(page, 'Send');
}

export const brief: AppBrief = {
  name: 'guestbook',
  prompt: [
    'Please make a guestbook with a small server of its own, so that what one visitor writes is',
    'seen by all others; no database program is needed, it is enough if the server remembers.',
    'Visitors fill in the fields "Name" and "Message" and press "Send", and then an entry shows',
    'like "Ada: Hello there", the newest on top; who leaves the name empty is called',
    '"Anonymous". Whoever has the page open sees new entries after 5 seconds at most, without',
    'reloading. An empty message, or one with only spaces, is not sent, and the page says',
    '"Please write a message". What visitors type is shown exactly so, also if it looks like',
    'HTML.',
  ].join(' '),
  points: [
    {
      says: 'What one visitor writes is seen by another, the newest on top.',
      holds: async (page) => {
        await sendMessage(page, 'Ada', 'Greetings from Lisbon');
        await shows(page, 'Ada: Greetings from Lisbon');
        await sendMessage(page, 'Ben', 'Greetings from Madrid');
        await shows(page, 'Ben: Greetings from Madrid');
        await asAnotherVisitor(page, async (visitor) => {
          await showsInOrder(visitor, ['Ben: Greetings from Madrid', 'Ada: Greetings from Lisbon']);
        });
      },
    },
    {
      says: 'An open page gets new entries without reloading.',
      holds: async (page) => {
        await counts(button(page, 'Send'), 1);
        await asAnotherVisitor(page, async (visitor) => {
          await sendMessage(visitor, 'Carla', 'Windmills are turning');
          await shows(page, 'Carla: Windmills are turning');
        });
      },
    },
    {
      says: 'Who leaves the name empty is called Anonymous.',
      holds: async (page) => {
        await sendMessage(page, '', 'Guess who paints');
        await asAnotherVisitor(page, async (visitor) => {
          await shows(visitor, 'Anonymous: Guess who paints');
        });
      },
    },
    {
      says: 'An empty message is not sent.',
      holds: async (page) => {
        await sendMessage(page, 'Dorothea', '   ');
        await shows(page, 'Please write a message');
        await sendMessage(page, 'Emil', 'Last word of the day');
        await shows(page, 'Emil: Last word of the day');
        await asAnotherVisitor(page, async (visitor) => {
          await shows(visitor, 'Emil: Last word of the day');
          await lacks(visitor, 'Dorothea');
        });
      },
    },
    {
      says: 'What looks like HTML is shown as typed.',
      holds: async (page) => {
        await sendMessage(page, 'Fay', '<b>Bold</b> & <i>slanted</i>');
        await asAnotherVisitor(page, async (visitor) => {
          await shows(visitor, 'Fay: <b>Bold</b> & <i>slanted</i>');
        });
      },
    },
  ],
};
