const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|\d[\d.,]*|[\p{L}\p{M}][\p{L}\p{M}\d'’-]*/gu;

const STOP_WORDS = new Set(
  `a about above after again against all also am among an and any are as at be because been before being
  below between both but by can cannot could did do does doing down during each either else ever every few
  for from further had has have having he her here hers him his how however i if in into is it its itself
  just like may me might more most much must my no nor not now of off often on once one only or other our
  out over own per rather same says she should since so some such than that the their them then there these
  they this those through to too under until up upon us use used uses using very via was we were what when
  where whether which while who whom why will with within without would yet you your according report
  reports reported said`.split(/\s+/),
);

/** Bigrams without meaning. */
const STOP_BIGRAMS = new Set([
  '什么',
  '怎么',
  '如何',
  '哪些',
  '为什',
  '是否',
  '以及',
  '因为',
  '所以',
  '这个',
  '一个',
  '我们',
  '可以',
  '根据',
  '报道',
]);

/**
 * The terms of a text for comparison: stemmed words without stop words, bigrams of Chinese, Japanese and
 * Korean, and normalised numbers. In order, with repetitions.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [piece] of text.normalize('NFKC').toLowerCase().matchAll(PIECES)) {
    if (CJK.test(piece)) terms.push(...bigrams(piece));
    else if (/^\d/.test(piece)) terms.push(plainNumber(piece));
    else if (piece.length > 1 && !STOP_WORDS.has(piece)) terms.push(stemOf(piece));
  }
  return terms;
}

/** The numbers of a text, normalised: `1,024` and `1024.0` are `1024`. */
export function numbersOf(text: string): Set<string> {
  const found = text.normalize('NFKC').matchAll(/\d[\d.,]*/g);
  return new Set([...found].map(([number]) => plainNumber(number)));
}

/** Whether a text is mostly Chinese; its report is then written in Chinese. */
export function isChinese(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/[a-z]+/gi)?.length ?? 0;
  return han > words && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

function bigrams(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters
    .slice(1)
    .map((letter, at) => `${letters[at]}${letter}`)
    .filter((pair) => !STOP_BIGRAMS.has(pair));
}

function plainNumber(text: string): string {
  const bare = text.replace(/[.,]+$/, '').replace(/,(?=\d{3}(?!\d))/g, '');
  const decimal = bare.replace(',', '.');
  const value = Number(decimal);
  return Number.isFinite(value) && decimal.length < 16 ? String(value) : bare;
}

/** Light stemming, so that `plants` and `plant`, `measured` and `measures` match. */
export function stemOf(word: string): string {
  const bare = word.replace(/['’]s?$/, '');
  if (bare.length < 5) return bare.length > 3 && bare.endsWith('s') ? bare.slice(0, -1) : bare;
  const cut = bare
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:ings?|edly|ed|es|s|ly)$/, '')
    .replace(/e$/, '');
  return cut.length >= 3 ? cut : bare;
}
