import { expect } from 'vitest';
import { openBrowser } from './browser-screens.ts';
import type { useWindow } from './use-window.ts';

const FOCUSED = `(() => {
  const { activeElement: one } = document;
  return one?.getAttribute('aria-label') ?? one?.textContent ?? '';
})()`;

/** The Browser tab of the task that has one, in the window under test. */
export function browserTab(window: ReturnType<typeof useWindow>) {
  const focused = () => window.page.evaluate<string>(FOCUSED);
  const button = (name: string) => window.page.getByRole('button', { name, exact: true });
  const showBrowser = async (narrow = false) => {
    await window.goto('#/task/t-browse');
    await openBrowser(window.page, narrow);
  };
  const takeOver = async (narrow = false) => {
    await showBrowser(narrow);
    await button('Take over').click();
    await expect.poll(focused).toBe('Keyboard of the page Book a train');
  };
  return { focused, button, showBrowser, takeOver };
}
