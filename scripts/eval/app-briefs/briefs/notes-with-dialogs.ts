import type { Locator, Page } from 'playwright-core';
import { button, field, fillIn, isFocused, press } from '../controls.ts';
import { counts, lacks, shows } from '../expectations.ts';
import type { AppBrief } from '../types.ts';

async function addNote(page: Page, title: string): Promise<void> {
  await press(page, 'New note');
  await fillIn(newNoteDialog(page), { Title: title, Text: `About ${title}` });
  await press(newNoteDialog(page), 'Save');
  await counts(page.getByRole('dialog'), 0);
  await shows(page, title);
}

function newNoteDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'New note', exact: true });
}

function deleteDialog(page: Page): Locator {
  const named = { name: 'Delete this note?', exact: true };
  return page.getByRole('dialog', named).or(page.getByRole('alertdialog', named));
}

export const brief: AppBrief = {
  name: 'notes-with-dialogs',
  prompt: [
    'I want a page for notes where a button "New note" opens a modal dialog with the accessible',
    'name "New note", the fields "Title" and "Text" and the buttons "Save" and "Cancel"; there',
    'are no notes at first. Saved notes are listed with title and text, and each has a button',
    'like "Delete Groceries" (with its title), which opens a dialog with the accessible name',
    '"Delete this note?" and the buttons "Delete" and "Keep" (in the page, not the one of the',
    'browser). When the dialog for a new note opens, the cursor is in Title, and when it closes,',
    'the focus is back on the button New note. Escape and Cancel close it without saving, and',
    'next time it opens empty. Without a title it stays open and says "Title is required". Notes',
    'are still there after a reload of the page.',
  ].join(' '),
  points: [
    {
      says: 'A note is saved and is there after a reload.',
      holds: async (page) => {
        await addNote(page, 'Groceries');
        await page.reload();
        await shows(page, 'About Groceries');
        await counts(button(page, 'Delete Groceries'), 1);
      },
    },
    {
      says: 'Escape and Cancel close the dialog without saving, and it opens empty again.',
      holds: async (page) => {
        for (const close of ['Escape', 'Cancel']) {
          await press(page, 'New note');
          await fillIn(newNoteDialog(page), { Title: 'Draft', Text: 'Unfinished' });
          if (close === 'Escape') await page.keyboard.press('Escape');
          else await press(newNoteDialog(page), 'Cancel');
          await counts(newNoteDialog(page), 0);
        }
        await press(page, 'New note');
        await counts(newNoteDialog(page), 1);
        await lacks(newNoteDialog(page), 'Draft');
        await lacks(newNoteDialog(page), 'Unfinished');
        await counts(button(page, 'Delete Draft'), 0);
      },
    },
    {
      says: 'A note needs a title.',
      holds: async (page) => {
        await press(page, 'New note');
        await fillIn(newNoteDialog(page), { Text: 'Nameless thoughts' });
        await press(newNoteDialog(page), 'Save');
        await shows(newNoteDialog(page), 'Title is required');
        await fillIn(newNoteDialog(page), { Title: 'Ideas' });
        await press(newNoteDialog(page), 'Save');
        await counts(newNoteDialog(page), 0);
        await shows(page, 'Nameless thoughts');
      },
    },
    {
      says: 'Deleting asks first.',
      holds: async (page) => {
        await addNote(page, 'Groceries');
        await addNote(page, 'Garden');
        await press(page, 'Delete Groceries');
        await press(deleteDialog(page), 'Keep');
        await counts(deleteDialog(page), 0);
        await shows(page, 'About Groceries');
        await press(page, 'Delete Groceries');
        await press(deleteDialog(page), 'Delete');
        await counts(button(page, 'Delete Groceries'), 0);
        await lacks(page, 'About Groceries');
        await shows(page, 'About Garden');
      },
    },
    {
      says: 'The focus goes to Title and comes back to the button.',
      holds: async (page) => {
        await press(page, 'New note');
        await isFocused(field(newNoteDialog(page), 'Title'));
        await page.keyboard.press('Escape');
        await counts(newNoteDialog(page), 0);
        await isFocused(button(page, 'New note'));
      },
    },
  ],
};
