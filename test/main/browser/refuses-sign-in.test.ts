import { expect, it } from 'vitest';
import { refusesSignIn } from '#contract/browser.ts';
import { RefSpace } from '#main/browser/ref-space.ts';
import { reportAction } from '#main/browser/report-action.ts';
import type { TabStrip } from '#main/browser/tab-strip.ts';
import type { ActingRun } from '#main/browser/types.ts';

it.each([
  ['https://accounts.google.com/v3/signin?continue=x', true],
  ['https://accounts.google.com', true],
  ['https://accounts.google.com.evil.example/', false],
  ['https://example.com/https://accounts.google.com/', false],
])('knows the sign-ins that refuse this browser: %s', (url, refuses) => {
  expect(refusesSignIn(url)).toBe(refuses);
});

it('says to the model that it is at one', async () => {
  const textAt = async (url: string): Promise<string> => {
    // A dialog: what is said does not wait for the page.
    const current = { url, activity: { refused: [] } };
    const tabs = { current, dialog: { kind: 'alert', message: 'Hi' }, notes: ['A note.'] };
    const { text } = await reportAction(
      { ok: true, said: 'Opened it.', done: null, isFresh: true },
      {
        run: { viewTokens: 500 } as ActingRun,
        tabs: tabs as unknown as TabStrip,
        refs: new RefSpace(),
        ...{ downloads: null, signal: new AbortController().signal, url: () => url },
      },
    );
    return text;
  };
  expect(await textAt('https://accounts.google.com/x')).toContain('refuses browsers that programs');
  expect(await textAt('https://shop.example/')).toMatch(/^Opened it\.\nA note\.\nA dialog/);
});
