import type { Page } from 'playwright-core';
import { button, fillIn, press } from '../controls.ts';
import { counts, lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function addBooks(
  page: Page,
  books: readonly (readonly [title: string, author: string])[],
): Promise<void> {
  for (const [title, author] of books) {
    await fillIn(page, { Title: title, Author: author });
    await press(page, 'Add book');
    await counts(button(page, `Mark ${title} as read`), 1);
  }
}

const THREE_BOOKS = [
  ['Dune', 'Frank Herbert'],
  ['Emma', 'Jane Austen'],
  ['Persuasion', 'Jane Austen'],
] as const;

export const brief: AppBrief = {
  name: 'reading-list',
  prompt: [
    'Build a reading list which starts empty: I enter a book in the fields "Title" and "Author"',
    'and press "Add book". Unread books in the list have a button like "Mark Dune as read" (with',
    'the title of the book), and once pressed it becomes "Mark Dune as unread". The buttons',
    '"All", "Read" and "Unread" choose which books are listed, and what I type into the field',
    '"Search" narrows the list further while I type, looking in title and author, in any letter',
    'case and literally, so that searching for "c++" also works. Always show how many of all',
    'books are listed, like "Showing 2 of 5 books", and if none is, also "No books found". Keep',
    'books and what is read over a reload of the page.',
  ].join(' '),
  points: [
    {
      says: 'The search looks in the author too, in any letter case, and can be cleared.',
      holds: async (page) => {
        await addBooks(page, THREE_BOOKS);
        await fillIn(page, { Search: 'jane aus' });
        await shows(page, 'Showing 2 of 3 books');
        await counts(button(page, 'Mark Dune as read'), 0);
        await counts(button(page, 'Mark Emma as read'), 1);
        await fillIn(page, { Search: '' });
        await shows(page, 'Showing 3 of 3 books');
        await counts(button(page, 'Mark Dune as read'), 1);
      },
    },
    {
      says: 'Read or unread and the search work together.',
      holds: async (page) => {
        await addBooks(page, THREE_BOOKS);
        await press(page, 'Mark Emma as read');
        await press(page, 'Mark Dune as read');
        await press(page, 'Read');
        await shows(page, 'Showing 2 of 3 books');
        await fillIn(page, { Search: 'Austen' });
        await shows(page, 'Showing 1 of 3 books');
        await counts(button(page, 'Mark Emma as unread'), 1);
        await press(page, 'Unread');
        await counts(button(page, 'Mark Persuasion as read'), 1);
        await counts(button(page, 'Mark Emma as unread'), 0);
      },
    },
    {
      says: 'What is searched for is taken literally.',
      holds: async (page) => {
        await addBooks(page, [
          ['C++ Primer', 'Lippman'],
          ['Cooking', 'Child'],
        ]);
        await fillIn(page, { Search: 'c++' });
        await shows(page, 'Showing 1 of 2 books');
        await counts(button(page, 'Mark C++ Primer as read'), 1);
        await counts(button(page, 'Mark Cooking as read'), 0);
      },
    },
    {
      says: 'A search without results says so.',
      holds: async (page) => {
        await addBooks(page, [['Dune', 'Frank Herbert']]);
        await shows(page, 'Showing 1 of 1 books');
        await lacks(page, 'No books found');
        await fillIn(page, { Search: 'zebra' });
        await shows(page, 'No books found');
        await shows(page, 'Showing 0 of 1 books');
      },
    },
    {
      says: 'Books and what is read are kept over a reload.',
      holds: async (page) => {
        await addBooks(page, [
          ['Dune', 'Frank Herbert'],
          ['Emma', 'Jane Austen'],
        ]);
        await press(page, 'Mark Dune as read');
        await counts(button(page, 'Mark Dune as unread'), 1);
        await page.reload();
        await counts(button(page, 'Mark Dune as unread'), 1);
        await counts(button(page, 'Mark Emma as read'), 1);
      },
    },
  ],
};
