import type { Page } from 'playwright-core';

/** Opens the list of tasks where it is hidden. */
export const showSidebar = async (page: Page, narrow: boolean): Promise<void> => {
  if (narrow) await page.getByRole('button', { name: 'Show the task list' }).click();
};

/** Opens the computer side where it is hidden. */
export const showComputer = async (page: Page, narrow: boolean): Promise<void> => {
  if (narrow) await page.getByRole('button', { name: 'Show the computer' }).click();
};
