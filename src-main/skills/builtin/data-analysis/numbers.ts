/** A number as a text states it, with every value that it may be meant as. */
export interface StatedNumber {
  /** As it is written, with its sign and unit. */
  readonly text: string;
  readonly readings: readonly NumberReading[];
  /** Numbers one of which each may be, where a blank between them is no separator. */
  readonly parts: readonly StatedNumber[];
}

export interface NumberReading {
  /** Without its sign: a fall of 5 is a change of -5. */
  readonly value: number;
  /** How far what it was rounded from may lie away. */
  readonly tolerance: number;
}

/** Powers that words, letters and characters after a number stand for. */
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^\s?(?:trillion|万亿)/i, 1e12],
  [/^\s?(?:billion|bn|milliarden?|mrd)(?![a-z])/i, 1e9],
  [/^\s?亿/, 1e8],
  [/^\s?千万/, 1e7],
  [/^\s?(?:million(?:en|s)?|mio|mn|百万)(?![a-z])/i, 1e6],
  [/^\s?万/, 1e4],
  [/^\s?(?:thousand|tausend|tsd|千)(?![a-z])/i, 1e3],
];
/** Letters that may as well be units; both are tried. */
const LETTER_SCALES: readonly (readonly [RegExp, number])[] = [
  [/^B(?![a-z])/i, 1e9],
  [/^M(?![a-z])/i, 1e6],
  [/^K(?![a-z])/i, 1e3],
];
const PERCENT = /^\s?(?:%|％|percent|per cent|prozent)/i;
/** Words before a number by which its last zeros are no digits. */
const ABOUT =
  /(?:about|around|roughly|approximately|nearly|almost|over|under|more than|less than|some|~|≈|约|近|超过|大约|rund|etwa|ca\.|fast|über)\s*[€$£¥]?\s*$/i;
const HUNDRED_BEFORE = /百分之\s*$/;

/** Words, and what is glued to them, are names: Q1, v2, sales_2026. */
const TOKEN =
  /(?<![\p{Script=Latin}\d_])(?<![\d][.,])[-+−]?(?:\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)(?:e[-+]?\d+)?/giu;
const LIST_MARK = /^[ \t]*\d{1,2}[.)](?=\s)/gm;

/** Every number that a text states, in order; marks of lists are none. */
export function numbersIn(text: string): StatedNumber[] {
  const plain = text.replaceAll(LIST_MARK, (mark) => ' '.repeat(mark.length));
  return [...plain.matchAll(TOKEN)].map((found) => {
    const before = plain.slice(Math.max(0, found.index - 20), found.index);
    return stated(found[0], before, plain.slice(found.index + found[0].length));
  });
}

function stated(token: string, before: string, after: string): StatedNumber {
  const scale = SCALES.find(([pattern]) => pattern.test(after));
  const letter = LETTER_SCALES.find(([pattern]) => pattern.test(after));
  const percent = PERCENT.exec(after);
  const unit = percent?.[0] ?? scale?.[0].exec(after)?.[0] ?? letter?.[0].exec(after)?.[0] ?? '';
  const isAbout = ABOUT.test(before);
  const readings = plainReadings(token, isAbout).flatMap((reading) => {
    if (scale !== undefined) return [times(reading, scale[1])];
    if (percent !== null || HUNDRED_BEFORE.test(before)) return [reading, times(reading, 0.01)];
    return letter === undefined ? [reading] : [reading, times(reading, letter[1])];
  });
  const pieces = token.split(/ /);
  return {
    text: `${token}${unit}`.trim(),
    readings,
    parts: pieces.length === 1 ? [] : pieces.flatMap((piece) => numbersIn(piece)),
  };
}

function times({ value, tolerance }: NumberReading, factor: number): NumberReading {
  return { value: value * factor, tolerance: tolerance * factor };
}

/** The values of digits with points and commas, by each way of writing that fits them. */
function plainReadings(token: string, isAbout: boolean): NumberReading[] {
  const [mantissa = '', exponent = '0'] = token
    .replace(/^[-+−]/, '')
    .replaceAll(/[ \u00a0\u202f\u2009'’]/g, '')
    .split(/e/i);
  const power = 10 ** Number(exponent);
  return writings(mantissa).map((digits) => {
    const decimals = digits.split('.')[1]?.length ?? 0;
    const zeros = decimals === 0 ? (/[1-9](0+)$/.exec(digits)?.[1]?.length ?? 0) : 0;
    const unit = isAbout && zeros > 0 ? 2 * 10 ** zeros : 10 ** -decimals;
    return { value: Number(digits) * power, tolerance: (unit / 2) * power };
  });
}

/** Digits with a point before their decimals, in each way that they may be meant. */
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
  // 12,34,567 as in India; what is left is a date, a version, or a list: its parts are what it says.
  if (isGrouped || /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(text)) return [joined];
  return text.split(/[.,]/);
}
