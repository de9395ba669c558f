/** A number written in words. */
export interface SpokenNumber {
  /** As it is written. */
  readonly text: string;
  readonly value: number;
}

/** Smaller ones are idioms ("one of the", "the two", 一些) more often than figures. */
const LEAST_SPOKEN = 4;

const SMALL = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  'nineteen',
];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const POWERS: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};
const ENGLISH_WORD = [...SMALL, ...TENS, 'hundred', ...Object.keys(POWERS)].join('|');
const ENGLISH = new RegExp(
  `\\b(?:${[...SMALL, ...TENS].join('|')})(?:(?:[ -]|(?<=hundred|thousand|million) and )(?:${ENGLISH_WORD}))*\\b`,
  'giu',
);

const DIGITS = '零一二三四五六七八九';
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };
const CHINESE =
  /百分之[零一二两三四五六七八九十百]+|[一二两三四五六七八九][零一二两三四五六七八九十百千万亿]{0,30}[十百千万亿][零一二两三四五六七八九]*/g;

/** Numbers from 4 on that a text writes in English or Chinese words. */
export function spokenNumbers(text: string): SpokenNumber[] {
  const english = [...text.matchAll(ENGLISH)].map(([words]) => ({
    text: words,
    value: englishValue(words),
  }));
  const chinese = [...text.matchAll(CHINESE)].map(([words]) => ({
    text: words,
    value: chineseValue(words.replace('百分之', '')),
  }));
  return [...english, ...chinese].filter(({ value }) => value >= LEAST_SPOKEN);
}

function englishValue(words: string): number {
  let [total, part] = [0, 0];
  for (const word of words.toLowerCase().split(/[\s-]+/)) {
    const power = POWERS[word];
    if (power !== undefined) {
      total += Math.max(1, part) * power;
      part = 0;
    } else if (word === 'hundred') part = Math.max(1, part) * 100;
    else if (word !== 'and') part += smallValue(word);
  }
  return total + part;
}

function smallValue(word: string): number {
  const ten = TENS.indexOf(word);
  return ten < 0 ? SMALL.indexOf(word) : (ten + 2) * 10;
}

function chineseValue(words: string): number {
  let [total, part, digit] = [0, 0, 0];
  for (const char of words) {
    const unit = UNITS[char];
    if (unit !== undefined) {
      part += Math.max(1, digit) * unit;
      digit = 0;
    } else if (char === '万' || char === '亿') {
      total = (total + part + digit) * (char === '万' ? 1e4 : 1e8);
      [part, digit] = [0, 0];
    } else digit = char === '两' ? 2 : DIGITS.indexOf(char);
  }
  return total + part + digit;
}
