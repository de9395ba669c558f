import { spokenNumbers } from './number-words.ts';

/** A number as a text states it, with every value that it may mean. */
export interface StatedNumber {
  /** As it is written, with its sign and unit. */
  readonly text: string;
  readonly readings: readonly NumberReading[];
  /** The separate numbers that it may also be, where a blank in it is not a digit separator. */
  readonly parts: readonly StatedNumber[];
}

export interface NumberReading {
  /** Without its sign: a fall of 5 is a change of -5. */
  readonly value: number;
  /** The value that it was rounded from lies between these. */
  readonly from: number;
  readonly to: number;
}

/** Powers of ten that a word or character after a number means. */
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^\s?(?:trillion|万亿)/i, 1e12],
  [/^\s?(?:billion|bn|milliarden?|mrd)(?![a-z])/i, 1e9],
  [/^\s?亿/, 1e8],
  [/^\s?(?:千万|crore)/i, 1e7],
  [/^\s?(?:million(?:en|s)?|mio|mn|百万)(?![a-z])/i, 1e6],
  [/^\s?lakh/i, 1e5],
  [/^\s?万/, 1e4],
  [/^\s?(?:thousand|tausend|tsd|千)(?![a-z])/i, 1e3],
];
/** Letters that can also be units; both readings are tried. */
const LETTER_SCALES: readonly (readonly [RegExp, number])[] = [
  [/^B(?![a-z])/i, 1e9],
  [/^M(?![a-z])/i, 1e6],
  [/^K(?![a-z])/i, 1e3],
];
const PERCENT = /^\s?(?:%|％|percent|per cent|prozent)/i;
const DECADE = /^s\b/;
/** Words before a number that make its last zeros insignificant, and the side on which the figure lies. */
const SIDES: readonly (readonly [RegExp, 'around' | 'above' | 'below'])[] = [
  [
    /(?:about|around|roughly|approximately|some|~|≈|约|rund|etwa|ca\.|circa)\s*[€$£¥]?\s*$/i,
    'around',
  ],
  [/(?:over|more than|above|超过|逾|über|mehr als)\s*[€$£¥]?\s*$/i, 'above'],
  [
    /(?:nearly|almost|under|less than|below|近|不到|fast|knapp|unter|weniger als)\s*[€$£¥]?\s*$/i,
    'below',
  ],
];
/** How far such a figure may be from the stated number, as a share of it: "over 1,000" does not mean 9,000. */
const REACH = { around: 0.25, above: 0.5, below: 0.25 } as const;
const HUNDRED_BEFORE = /百分之\s*$/;

/** Digits attached to a word belong to a name: Q1, v2, sales_2026. Those attached to a currency do not. */
const CURRENCY =
  'USD|EUR|GBP|JPY|CNY|RMB|CHF|INR|AUD|CAD|HKD|TWD|KRW|SGD|SEK|NOK|DKK|PLN|CZK|BRL|MXN|ZAR|RUB|TRY|Rs|Fr|kr';
const TOKEN = new RegExp(
  `(?:(?<![\\p{Script=Latin}\\d_])|(?<=(?<![\\p{Script=Latin}\\d_])(?:${CURRENCY})))(?<![\\d][.,])[-+−]?(?:\\d{1,3}(?:[ \\u00a0\\u202f\\u2009'’]\\d{3}){1,7}(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*)(?:e[-+]?\\d+)?`,
  'giu',
);
/** The zeros of scripts with digits of their own. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
const LIST_MARK = /^[ \t]*\d{1,2}[.)](?=\s)/gm;

/** Each number takes microseconds, and output may be nothing but numbers. */
const SCANNED_CHARS = 20_000;

/** Every number in a text (in the beginning of a long one), in order, then those in words; list markers do not count. */
export function numbersIn(text: string): StatedNumber[] {
  const plain = withPlainDigits(text.slice(0, SCANNED_CHARS)).replaceAll(LIST_MARK, (mark) =>
    ' '.repeat(mark.length),
  );
  const written = [...plain.matchAll(TOKEN)].map((found) => {
    const before = plain.slice(Math.max(0, found.index - 20), found.index);
    return stated(found[0], before, plain.slice(found.index + found[0].length));
  });
  const spoken = spokenNumbers(plain).map(({ text: words, value }): StatedNumber => {
    const readings = [value, value / 100].map((one) => within(one, one * 0.005));
    return { text: words, readings, parts: [] };
  });
  return [...written, ...spoken];
}

function withPlainDigits(text: string): string {
  return text
    .replace(/(?<=[\uff10-\uff19])，(?=[\uff10-\uff19])/g, ',')
    .replace(/[^\p{ASCII}]/gu, (char) => {
      const code = char.codePointAt(0) ?? 0;
      const zero = ZEROS.find((one) => code >= one && code < one + 10);
      return zero === undefined ? char : String(code - zero);
    });
}

function stated(token: string, before: string, after: string): StatedNumber {
  const scale = SCALES.find(([pattern]) => pattern.test(after));
  const letter = LETTER_SCALES.find(([pattern]) => pattern.test(after));
  const percent = PERCENT.exec(after);
  const unit = percent?.[0] ?? scale?.[0].exec(after)?.[0] ?? letter?.[0].exec(after)?.[0] ?? '';
  const side = SIDES.find(([pattern]) => pattern.test(before))?.[1] ?? null;
  const readings = plainReadings(token, side).flatMap((reading) => {
    if (scale !== undefined) return [times(reading, scale[1])];
    if (percent !== null || HUNDRED_BEFORE.test(before)) return [reading, times(reading, 0.01)];
    if (DECADE.test(after)) return [{ ...reading, to: reading.value + 9 }];
    return letter === undefined ? [reading] : [reading, times(reading, letter[1])];
  });
  const pieces = token.split(/ /);
  return {
    text: `${token}${unit}`.trim(),
    readings,
    parts: pieces.length === 1 ? [] : pieces.flatMap((piece) => numbersIn(piece)),
  };
}

function within(value: number, tolerance: number): NumberReading {
  return { value, from: value - tolerance, to: value + tolerance };
}

function times({ value, from, to }: NumberReading, factor: number): NumberReading {
  return { value: value * factor, from: from * factor, to: to * factor };
}

/** The values of digits with points and commas, by each notation that fits. */
function plainReadings(token: string, side: keyof typeof REACH | null): NumberReading[] {
  const [mantissa = '', exponent = '0'] = token
    .replace(/^[-+−]/, '')
    .replaceAll(/[ \u00a0\u202f\u2009'’]/g, '')
    .split(/e/i);
  const power = 10 ** Number(exponent);
  return writings(mantissa).map((digits) => {
    const decimals = digits.split('.')[1]?.length ?? 0;
    const zeros = decimals === 0 ? (/[1-9](0+)$/.exec(digits)?.[1]?.length ?? 0) : 0;
    const value = Number(digits);
    const exact = within(value, 10 ** -decimals / 2);
    if (side === null || zeros === 0) return times(exact, power);
    const reach = Math.min(side === 'around' ? 10 ** zeros / 2 : 10 ** zeros, value * REACH[side]);
    const from = side === 'above' ? exact.from : value - reach;
    return times({ value, from, to: side === 'below' ? exact.to : value + reach }, power);
  });
}

/** Digits with a point before their decimals, in each way that they can be read. */
function writings(text: string): string[] {
  const marks = text.replaceAll(/\d/g, '');
  if (marks === '') return [text];
  const last = marks.at(-1) ?? '';
  const isGrouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(text);
  const joined = text.replaceAll(/[.,]/g, '');
  if (new Set(marks).size === 2) {
    const at = text.lastIndexOf(last);
    return [`${text.slice(0, at).replaceAll(/[.,]/g, '')}.${text.slice(at + 1)}`];
  }
  if (marks.length === 1) {
    const decimal = text.replace(',', '.');
    return isGrouped ? [joined, decimal] : [decimal];
  }
  // 12,34,567 as in India; anything else is a date, a version, or a list: its parts count.
  if (isGrouped || /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(text)) return [joined];
  return text.split(/[.,]/);
}
