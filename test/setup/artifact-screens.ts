import type { Screen } from './axe.ts';
import { showComputer } from './narrow-window.ts';

/** What the agent made: of all tasks, and of one. */
export const ARTIFACT_SCREENS: Readonly<Record<string, Screen>> = {
  'all artifacts': {
    path: '?artifacts=30#/artifacts',
    open: async (page) => {
      await page.getByText('43 files').waitFor();
      await page.locator('.artifact-thumbnail > img').first().waitFor();
    },
  },
  'artifacts of which none fits': {
    path: '?artifacts=0#/artifacts',
    open: async (page) => {
      await page.getByRole('searchbox', { name: 'Search by name' }).fill('zeppelin');
      await page.getByText('No files match.').waitFor();
    },
  },
  'no artifacts': {
    path: '?history=none#/artifacts',
    open: (page) => page.getByText('that the agent makes will appear here.').waitFor(),
  },
  'artifacts of a task': {
    path: '?artifacts=3#/task/t-old',
    open: async (page, narrow) => {
      await showComputer(page, narrow);
      await page.getByRole('tab', { name: 'Artifacts' }).click();
      await page.getByRole('button', { name: 'handbook.docx', exact: true }).waitFor();
    },
  },
};
