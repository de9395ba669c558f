import type { Page } from 'playwright-core';
import type { Screen } from './axe.ts';
import { showComputer } from './narrow-window.ts';

const JSON_FILE = `{
  "regions": [{ "name": "North", "total": 12345678901234567890 }, { "name": "South", "total": -1.50 }],
  "note": "${'A long sentence about how the totals came to be. '.repeat(6)}",
  "checked": true
}
`;

const EDITED = `export const total = (rows: readonly number[]): number =>
  rows.reduce((sum, row) => sum + row, 0);

// ${'A long comment about how the totals came to be. '.repeat(6)}
`;

/** Puts a file into the workspace of the fake main, and opens it. */
export async function openFile(
  page: Page,
  narrow: boolean,
  [name, data]: readonly [string, string],
): Promise<void> {
  await page.evaluate(
    ([path, text]) => {
      const mimeType = path.endsWith('.json') ? 'application/json' : 'text/plain';
      globalThis.fake.state.files.set(path, { mimeType, encoding: 'utf8', data: text });
    },
    [name, data] as const,
  );
  await showComputer(page, narrow);
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('button', { name }).click();
}

/** Changes a file of the fake main as another window would, or the agent. */
export async function changeFile(page: Page, path: string, text: string): Promise<void> {
  await page.evaluate(
    ([name, data]) => {
      const { fake } = globalThis;
      fake.state.files.set(name, { mimeType: 'text/plain', encoding: 'utf8', data });
      fake.push({ kind: 'file_changed', threadId: 't-sales', path: name });
    },
    [path, text] as const,
  );
}

/** Opens the editor of the file that is open, and waits until it takes text. */
const startEditing = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text of' }).waitFor();
};

/** The files of a task: their viewer, their editor, their history, and folders of the user. */
export const FILE_SCREENS: Readonly<Record<string, Screen>> = {
  'a JSON file': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await openFile(page, narrow, ['totals.json', JSON_FILE]);
      await page.getByRole('button', { name: /"regions"/ }).click();
      await page.getByRole('button', { name: '{2 entries}' }).first().click();
      await page.getByText('"North"').waitFor();
    },
  },
  'a JSON file with a fault': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await openFile(page, narrow, ['totals.json', `${JSON_FILE}}`]);
      await page.getByText('Not valid JSON: line 6, column 1.').waitFor();
    },
  },
  'the file history': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await showComputer(page, narrow);
      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByRole('button', { name: 'File history' }).click();
      await page.getByText('1 not saved').click();
      await page.getByText('over the snapshot limit').waitFor();
    },
  },
  'a table': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await showComputer(page, narrow);
      await page.getByRole('tab', { name: 'Files' }).click();
      await page
        .getByRole('button', { name: /^sales\.csv/ })
        .last()
        .click();
      await page.getByRole('columnheader', { name: 'revenue', exact: true }).waitFor();
    },
  },
  'a file of code': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await showComputer(page, narrow);
      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByRole('button', { name: /^total\.py/ }).click();
      await page.locator('.hljs-keyword').first().waitFor();
    },
  },
  'a folder to give': {
    path: '#/',
    open: async (page) => {
      await page.getByRole('button', { name: 'Use a folder of this computer' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'the changes of a folder': {
    path: '#/',
    open: async (page, narrow) => {
      await page.evaluate(() => globalThis.fake.folder.give('t-sales', 'copy'));
      await page.evaluate("location.hash = '#/task/t-sales'");
      await showComputer(page, narrow);
      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByRole('button', { name: 'Review changes' }).click();
      await page.getByRole('button', { name: /^notes\/plan\.md/ }).click();
      await page.locator('.diff-line[data-kind=added]').waitFor();
    },
  },
  'a file being edited': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await openFile(page, narrow, ['notes.ts', EDITED]);
      await startEditing(page);
      await page.keyboard.type('// mine\n');
      await page.getByText('Unsaved changes').waitFor();
    },
  },
  'a file that changed while it was edited': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await openFile(page, narrow, ['notes.ts', EDITED]);
      await startEditing(page);
      await page.keyboard.type('// mine\n');
      await changeFile(page, 'notes.ts', `${EDITED}// theirs\n`);
      await page.getByRole('button', { name: 'Show the difference' }).click();
      await page.locator('.diff-line[data-kind=added]').waitFor();
      await page.getByRole('button', { name: 'Close editor' }).click();
      await page.getByRole('button', { name: 'Keep editing' }).waitFor();
    },
  },
  'a file to rename': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      const name = `${'a-folder-with-a-long-name/'.repeat(9)}notes.ts`;
      await openFile(page, narrow, ['notes.ts', EDITED]);
      await page.getByRole('button', { name: 'More actions for this file' }).click();
      await page.getByRole('menuitem', { name: 'Rename or move…' }).click();
      await page.getByRole('textbox', { name: 'New name' }).fill(name);
    },
  },
  'a file to delete': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await openFile(page, narrow, ['notes.ts', EDITED]);
      await page.getByRole('button', { name: 'More actions for this file' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  'a new file to name': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await showComputer(page, narrow);
      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByRole('button', { name: 'New file' }).click();
      await page.keyboard.type('sales.csv\n');
      await page.getByText('There is a file sales.csv already.').waitFor();
    },
  },
};
