import type { Page } from 'playwright-core';
import type { BrowserState } from '#contract/browser.ts';
import type { Screen } from './axe.ts';
import { showComputer } from './narrow-window.ts';

const PATH = '?browser=1#/task/t-browse';

/** Opens the browser of the task that has one, and waits until its page is drawn. */
export async function openBrowser(page: Page, narrow = false): Promise<void> {
  await page.getByText('Find a train to Ulm on Friday').first().waitFor();
  await showComputer(page, narrow);
  await page.getByRole('tab', { name: 'Browser' }).click();
  await page.getByText('Actions of the agent').waitFor();
}

/** Changes the browser of the task as its page or the agent would. */
export async function changeBrowser(page: Page, change: Partial<BrowserState>): Promise<void> {
  await page.evaluate((wanted) => globalThis.fake.browser.change('t-browse', wanted), change);
}

/** The agent of the task asks for what only the user can do. */
export async function askUser(page: Page): Promise<void> {
  await page.evaluate(`fake.emit('run-t-browse', [{
    type: 'interrupt', interruptId: 'i-sign-in', kind: 'input', title: 'A question',
    message: 'Please sign in: I wait until you are done.', toolCallId: 'call-sign-in', toolName: 'ask_user',
    reasons: [], options: [], attentionMs: 300000 }])`);
}

/** Opens the menu of saved sign-ins, as the user who has control. */
export async function openSignIns(page: Page, narrow = false): Promise<void> {
  await page.evaluate(() => {
    const { signIns } = globalThis.fake.browser;
    signIns.add('Rail account', 'https://rail.example');
    signIns.add(`${'A long name '.repeat(5)}\u202e`, 'https://shop.example:8443');
  });
  await openBrowser(page, narrow);
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Hand back' }).waitFor();
  await page.getByRole('button', { name: 'Saved sign-ins' }).click();
}

/** A canvas says when its first picture is drawn. */
const drawn = (page: Page): Promise<unknown> => page.locator('canvas[data-drawn]').waitFor();

/** The Browser tab, in each state of control. */
export const BROWSER_SCREENS: Readonly<Record<string, Screen>> = {
  'the browser, used by the agent': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await drawn(page);
    },
  },
  'the browser, used by you': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByRole('button', { name: 'Hand back' }).waitFor();
      await drawn(page);
    },
  },
  'saved sign-ins in the browser': {
    path: PATH,
    floats: true,
    open: async (page, narrow) => {
      await openSignIns(page, narrow);
      await page.getByRole('menuitem', { name: 'Rail account' }).waitFor();
    },
  },
  'a sign-in to be saved, with a name that is taken': {
    path: PATH,
    open: async (page, narrow) => {
      await openSignIns(page, narrow);
      await page.getByRole('menuitem', { name: 'Save this sign-in…' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('rail ACCOUNT');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Replace' }).waitFor();
    },
  },
  'sign-ins where there is no keychain': {
    path: PATH,
    floats: true,
    open: async (page, narrow) => {
      await page.evaluate('fake.browser.signIns.storage = null');
      await openSignIns(page, narrow);
      await page.getByText('No keychain is available here').waitFor();
    },
  },
  'a question that is answered in the browser': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await askUser(page);
      if (narrow) await page.getByRole('button', { name: 'Back to the conversation' }).click();
      await page.getByRole('button', { name: 'Take over the browser' }).waitFor();
    },
  },
  'the browser, used by you because the agent asked': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await askUser(page);
      await page.getByRole('button', { name: 'Take over', exact: true }).click();
      await page.getByText('The agent asks:').waitFor();
      await drawn(page);
    },
  },
  'a dialog of a page, for you': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await page.getByRole('button', { name: 'Take over' }).click();
      const message = `How many seats? ${'Write a number from one to nine. '.repeat(4)}\u202e`;
      await changeBrowser(page, { dialog: { kind: 'prompt', message } });
      await page.getByRole('textbox', { name: 'Answer' }).waitFor();
    },
  },
  'a dialog of a page, for the agent': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await changeBrowser(page, { dialog: { kind: 'beforeunload', message: '' }, isLoading: true });
      await page.getByText('The agent answers this.').waitFor();
    },
  },
  'a page that asks for files': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await page.getByRole('button', { name: 'Take over' }).click();
      const accept = `image/png,image/jpeg,.pdf,${'.document-of-some-kind,'.repeat(8)}\u202e`;
      await changeBrowser(page, { chooser: { id: 'chooser_1', accept, isMultiple: true } });
      await page.getByRole('button', { name: 'Choose files…' }).waitFor();
    },
  },
  'no page in the browser': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await changeBrowser(page, { isOpen: false, control: 'nobody', tabs: [], tabId: null });
      await page.getByText('No page is open.').waitFor();
    },
  },
  'no browser on this computer': {
    path: PATH,
    open: async (page, narrow) => {
      await openBrowser(page, narrow);
      await changeBrowser(page, {
        ...{ isOpen: false, control: 'nobody', tabs: [], tabId: null },
        problem: 'No browser was found. Install Chrome, Edge or Chromium, then take over again.',
      });
      await page.getByText('No browser was found.').waitFor();
    },
  },
};
