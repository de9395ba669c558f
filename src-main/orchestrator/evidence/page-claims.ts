import type { MadeCall } from '../../agents/types.ts';
import { isOrderedText } from './action-facts.ts';
import { answerSentences } from './answer-sentences.ts';
import { isBrowserCall, ShownPages } from './shown-pages.ts';
import { type CheckedFact, fact, missing } from './types.ts';

const MAX_CLAIMS = 20;

const ADDRESS =
  /https?:\/\/[^\s"'`<>()“”「」，。]{1,2000}|(?<![\w@./-])(?:[a-z0-9-]{1,63}\.){1,5}(?!html?\b|[cm]?[jt]sx?\b|py\b|md\b|txt\b|css\b|json\b|png\b|svg\b|pdf\b|csv\b)[a-z]{2,24}(?:\/[^\s"'`<>()“”，。]{0,500})?/i;
const SHOWS =
  /\b(?:shows?|showed|says?|said|displays?|displayed|reads?|contains?|contained|confirms?|confirmed)\b|显示|写着|提示|出现/i;
const PAGE = /\b(?:(?:web ?)?pages?|(?:web ?)?sites?|browser|tab|screen)\b|页面|网页|网站|浏览器/i;
const NOT_SAID =
  /\b(?:not|never|no longer|will|would|can|could|should|might|may|if|when|once|whether|until|unless|cannot|failed|wait(?:s|ed|ing)? for)\b|n't\b|[没未无]|不(?:能|会|再)|应该|如果|失败/i;
const QUOTED =
  /"([^"\n]{1,300})"|“([^”\n]{1,300})”|「([^」\n]{1,300})」|`([^`\n]{1,300})`|(?<!\w)'([^'\n]{1,300})'(?!\w)/g;

/**
 * Facts about texts that an answer says a page shows, by what the pages of the run showed. Of a run that did not use
 * the browser only a page with an address is checked, and only if nothing was done at all that could have read it.
 */
export function checkPageClaims(
  answer: string,
  calls: readonly MadeCall[],
  { prompt = '', before = [] as readonly MadeCall[] } = {},
): CheckedFact[] {
  if (isOrderedText(prompt)) return [];
  const usedBrowser = calls.some(isBrowserCall);
  if (!usedBrowser && calls.length + before.length > 0) return [];
  const claims = answerSentences(answer).flatMap(claimsIn).slice(0, MAX_CLAIMS);
  if (claims.length === 0) return [];
  const pages = new ShownPages(calls);
  return claims.flatMap(({ text, address }) =>
    address === null && !usedBrowser ? [] : [checkShown(text, address, pages)],
  );
}

/** Whether a page showed a text when the run last looked at it; null is any page of the run. */
export function checkShown(text: string, address: string | null, pages: ShownPages): CheckedFact {
  const claim = `${address ?? 'The page'} shows "${text}"`;
  const found = pages.find(text, address);
  if (found === null) {
    return pages.hasPicture(address)
      ? fact(claim, 'unknown', 'Only a picture of the page can have shown it.')
      : missing(claim, 'No page that this run looked at showed it.');
  }
  const { url, isGone } = found;
  return isGone
    ? missing(claim, `${url} showed it before, and not when it was last looked at.`)
    : fact(claim, 'holds', `The page at ${url} showed it.`);
}

/** What a sentence says that a page shows: the quotations after its verb. */
function claimsIn(sentence: string): { readonly text: string; readonly address: string | null }[] {
  const verb = SHOWS.exec(sentence);
  if (verb === null) return [];
  const subject = sentence.slice(0, verb.index);
  const address = ADDRESS.exec(subject)?.[0] ?? null;
  const words = sentence.replaceAll(QUOTED, ' ');
  if ((address === null && !PAGE.test(subject)) || NOT_SAID.test(words)) return [];
  return [...sentence.slice(verb.index).matchAll(QUOTED)].flatMap(([, ...quotes]) => {
    const text = quotes.find((quote) => quote !== undefined)?.trim() ?? '';
    return text === '' ? [] : [{ text, address }];
  });
}
