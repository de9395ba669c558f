import { expect, it } from 'vitest';
import { htmlText } from '#main/documents/html-text.ts';
import { needsScripts } from '#main/documents/needs-scripts.ts';
import { SCRIPTED_PAGES } from '../../fakes/pages-and-scripts.ts';

it.each(SCRIPTED_PAGES)('$name: needs scripts is $needs', async ({ html, needs }) => {
  expect(needsScripts(html, await htmlText(html))).toBe(needs);
});
