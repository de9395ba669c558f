import type { Page } from 'playwright-core';
import type { Screen } from './axe.ts';

const at = (path: string, open: (page: Page) => Promise<void>): Screen => ({
  path: `?skills=1${path}`,
  open,
});

/** Every state of the pages of skills that is looked at. */
export const SKILL_SCREENS: Readonly<Record<string, Screen>> = {
  'the list': at('#/skills', (page) => page.getByText('Its source is not the one').waitFor()),
  'a list in which nothing fits': at('#/skills', async (page) => {
    await page.getByRole('searchbox', { name: 'Search skills' }).fill('zeppelin');
    await page.getByText('No skills match.').waitFor();
  }),
  'an empty list': {
    path: '?skills=none#/skills',
    open: (page) => page.getByText('No skills yet.').waitFor(),
  },
  'a skill, its errors of the form and its last runs': at(
    '#/skills/data_analysis',
    async (page) => {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('This field is required.').first().waitFor();
      await page.getByRole('main').getByRole('button', { name: /^Done/ }).click();
      await page.getByText('North is close behind.').waitFor();
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Failed/ })
        .click();
    },
  ),
  'a Markdown skill': at('#/skills/exam-tutor', (page) =>
    page.getByRole('heading', { name: 'Exam tutor', exact: true }).waitFor(),
  ),
  'a skill about to be deleted': at('#/skills/old_import', async (page) => {
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').waitFor();
  }),
  'a review': at('#/skills/weather_digest/review', (page) =>
    page.getByRole('button', { name: 'Approve this version' }).waitFor(),
  ),
  'a review with an error': at('#/skills/release-notes/review', (page) =>
    page.getByText('This skill has errors').waitFor(),
  ),
  'the editor': at('#/skills/csv_totals/edit', async (page) => {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type("\nimport x from 'fs';\n");
    await page.getByRole('button', { name: 'Go to line' }).waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('Version 2').waitFor();
  }),
  'skills in the conversation': at('#/task/t-skill', async (page) => {
    await page.getByRole('region', { name: 'Skill with steps: exam-tutor' }).waitFor();
    await page
      .getByRole('button', { name: /^Parameters/ })
      .last()
      .click();
  }),
  'a running skill': at('#/task/t-skill-live', (page) =>
    page.getByRole('list', { name: 'Skill stages' }).waitFor(),
  ),
  'the skill folders': at('#/skills', async (page) => {
    await page.getByRole('button', { name: 'Skill folders' }).click();
    await page.getByText('No folders added.').waitFor();
  }),
};
