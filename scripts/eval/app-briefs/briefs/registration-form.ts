import type { Page } from 'playwright-core';
import { field, fillIn, holdsValue, press } from '../controls.ts';
import { counts, lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function register(
  page: Page,
  entry: readonly [name: string, email: string, password: string, repeated: string],
): Promise<void> {
  const [name, email, password, repeated] = entry;
  await fillIn(page, {
    Name: name,
    Email: email,
    Password: password,
    'Repeat password': repeated,
  });
  await press(page, 'Register');
}

const REGISTRATION_ERRORS = [
  'Name is required',
  'Email is not valid',
  'Password needs at least 8 characters',
  'Passwords do not match',
];

export const brief: AppBrief = {
  name: 'registration-form',
  prompt: [
    'I need a registration form with the fields "Name", "Email", "Password" and "Repeat',
    'password", with exactly these labels, and a button "Register". When Register is pressed,',
    'all problems are shown together on the page itself, not in the bubbles of the browser:',
    '"Name is required" (also if there are only spaces), "Email is not valid", "Password needs',
    'at least 8 characters" and "Passwords do not match". A message must be gone when Register',
    'is pressed again and its problem is solved, and what I entered stays in the fields as long',
    'as there are problems. If all is right, the form goes away and the page says "Welcome,',
    'Ada!" with the name that was entered, without spaces around it.',
  ].join(' '),
  points: [
    {
      says: 'All problems are shown together.',
      holds: async (page) => {
        await register(page, ['', 'nobody', 'short', 'other']);
        for (const error of REGISTRATION_ERRORS) await shows(page, error);
        await counts(field(page, 'Email'), 1);
      },
    },
    {
      says: 'A right entry is welcomed by name.',
      holds: async (page) => {
        await register(page, ['  Grace ', 'grace@example.org', 'long enough', 'long enough']);
        await shows(page, 'Welcome, Grace!');
        await counts(field(page, 'Email'), 0);
      },
    },
    {
      says: 'A name of spaces only is refused, and other entries stay.',
      holds: async (page) => {
        await register(page, ['   ', 'ada@example.org', 'long enough', 'long enough']);
        await shows(page, 'Name is required');
        await holdsValue(field(page, 'Email'), 'ada@example.org');
        await lacks(page, 'Welcome,');
        await lacks(page, 'Email is not valid');
      },
    },
    {
      says: 'Messages go away as their problems are solved.',
      holds: async (page) => {
        await register(page, ['Ada', 'ada@example.org', '1234567', '1234567']);
        await shows(page, 'Password needs at least 8 characters');
        await register(page, ['Ada', 'ada@example.org', '12345678', '12345679']);
        await shows(page, 'Passwords do not match');
        await lacks(page, 'Password needs at least 8 characters');
        await register(page, ['Ada', 'ada@example.org', '12345678', '12345678']);
        await shows(page, 'Welcome, Ada!');
        await lacks(page, 'Passwords do not match');
      },
    },
  ],
};
