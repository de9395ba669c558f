/** Words of a text that may name a quantity. */
export function subjectsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return words.filter((word) => !PLAIN_WORDS.test(word)).map((word) => word.replace(/s$/, ''));
}

/** Units in which the same amount is another number. */
export const UNITS = /\d\s?(?:[kMGT]i?B|km|kg|hours?|minutes?|days|weeks|months|dozen)\b/i;

const PLAIN_WORDS =
  /^(?:the|and|are|was|were|has|have|had|for|from|with|that|this|there|its|all|exit|code|stdout|file|files|data|csv|value|values|result|results|output|about|than|which|while|into|over|per|cent|percent|eur|usd|in|of)$/;

const KINDS: readonly (readonly [string, RegExp])[] = [
  ['mean', /\b(?:mean|average|avg)\b|平均/i],
  ['deviation', /\b(?:std|stdev|standard deviation|variance)\b|标准差/i],
  ['median', /\bmedian\b|中位/i],
  ['max', /\b(?:max(?:imum)?|highest|largest|peak)\b|最[高大]/i],
  ['min', /\b(?:min(?:imum)?|lowest|smallest)\b|最[低小]/i],
  ['count', /\b(?:count|rows?|records?|entries|lines|number of|n)\b|行|条/i],
  ['sum', /\b(?:sum|total|altogether|revenue)\b|总|合计/i],
];

/** The one kind of quantity that a text names; null if it names none, or several. */
export function kindOf(text: string): string | null {
  const found = KINDS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
  return found.length === 1 ? (found[0] ?? null) : null;
}
