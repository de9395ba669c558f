const SMALL = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`
    .split(/\s+/)
    .map((word, value) => [word, value]),
);
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, at) => [word, (at + 2) * 10]),
);
const SCALES: ReadonlyMap<string, number> = new Map([
  ...(['hundred', 'hundreds'] as const).map((word) => [word, 100] as const),
  ...(['thousand', 'thousands', 'k'] as const).map((word) => [word, 1e3] as const),
  ...(['million', 'millions', 'mn', 'mln'] as const).map((word) => [word, 1e6] as const),
  ...(['billion', 'billions', 'bn', 'bln'] as const).map((word) => [word, 1e9] as const),
  ...(['trillion', 'trillions', 'tn'] as const).map((word) => [word, 1e12] as const),
  ['dozen', 12],
  ['dozens', 12],
  ...(['百', '千', '万', '百万', '千万', '亿', '十亿', '百亿', '千亿', '万亿'] as const).map(
    (word, at) => [word, [1e2, 1e3, 1e4, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12][at] ?? 1] as const,
  ),
]);
const ORDINALS = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
    .split(' ')
    .map((word, at) => [word, at + 1]),
);
const PARTS: ReadonlyMap<string, number> = new Map([
  ...(['half', 'halves'] as const).map((word) => [word, 2] as const),
  ...(['quarter', 'quarters'] as const).map((word) => [word, 4] as const),
  ...[...ORDINALS]
    .slice(2)
    .flatMap(([word, value]) => [[word, value] as const, [`${word}s`, value] as const]),
]);

export const scaleOf = (word: string): number | undefined => SCALES.get(word);
export const ordinalOf = (word: string): number | undefined => ORDINALS.get(word);
/** The denominator that a word such as `thirds` names. */
export const partOf = (word: string): number | undefined => PARTS.get(word);

/**
 * The number that words from `at` on name, such as `one hundred and fifty`, and where it ends; null if
 * none begins there.
 */
export function englishNumber(
  words: readonly string[],
  at: number,
): { readonly value: number; readonly end: number } | null {
  let total = 0;
  let part = 0;
  let end = at;
  for (let next = at; next < words.length && next - at < 16; next += 1) {
    const word = words[next] ?? '';
    // twenty-one
    if (
      word === '-' &&
      next > at &&
      TENS.has(words[next - 1] ?? '') &&
      SMALL.has(words[next + 1] ?? '')
    ) {
      continue;
    }
    const small = SMALL.get(word) ?? TENS.get(word);
    const scale = word === 'dozen' ? undefined : scaleOf(word);
    if (small !== undefined) {
      if (
        end > at &&
        !mayFollow(
          words[next - 1] === '-' ? (words[next - 2] ?? '') : (words[next - 1] ?? ''),
          word,
        )
      )
        break;
      part += small;
    } else if (scale !== undefined && scale >= 100 && /^[a-z]{4,}$/.test(word) && part > 0) {
      if (scale === 100) part *= 100;
      else {
        total += part * scale;
        part = 0;
      }
    } else if (word === 'and' && scaleOf(words[next - 1] ?? '') !== undefined && end > at) continue;
    else break;
    end = next + 1;
  }
  return end > at ? { value: total + part, end } : null;
}

/** Units follow tens, and anything follows a scale or `and`. */
function mayFollow(before: string, word: string): boolean {
  return (
    (TENS.has(before) && (SMALL.get(word) ?? 10) < 10) ||
    scaleOf(before) !== undefined ||
    before === 'and'
  );
}

const HAN_DIGITS: Readonly<Record<string, number>> = {
  ...{ 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 },
};
const HAN_PLACES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };

/** The value of a number in Chinese characters, such as `一千三百一十八` or `二〇二二`; null if it is none. */
export function chineseNumber(text: string): number | null {
  const letters = [...text];
  if (letters.length > 20) return null;
  if (letters.length > 1 && letters.every((letter) => letter in HAN_DIGITS)) {
    return Number(letters.map((letter) => HAN_DIGITS[letter]).join(''));
  }
  let total = 0;
  let group = 0;
  let digit: number | null = null;
  for (const letter of letters) {
    if (letter in HAN_DIGITS) digit = HAN_DIGITS[letter] ?? 0;
    else if (letter in HAN_PLACES) {
      group += (digit ?? 1) * (HAN_PLACES[letter] ?? 1);
      digit = null;
    } else if (letter === '万' || letter === '亿') {
      const value = group + (digit ?? 0);
      if (value === 0 && total === 0) return null;
      // 三亿两千万: 亿 is a scale of all before it, 万 only of what follows 亿.
      total = letter === '亿' ? (total + value) * 1e8 : total + value * 1e4;
      group = 0;
      digit = null;
    } else return null;
  }
  return total + group + (digit ?? 0);
}

/** What a character counts for in a Chinese number, for the tokenizer. */
export const HAN_NUMBER = '零〇一二两三四五六七八九十百千万亿';
