import { chineseNumber, englishNumber, ordinalOf, partOf, scaleOf } from './number-words.ts';
import type { Token } from './tokens.ts';
import { type Unit, unitNamed } from './units.ts';

const MONTHS = new Map(
  `january february march april may june july august september october november december jan feb mar apr
  - jun jul aug sep oct nov dec sept`
    .split(/\s+/)
    .map((word, at) => [word, at === 24 ? 9 : (at % 12) + 1]),
);
export const CURRENCY = /^(?:us)?[$€£¥₹]$/i;

/** A number without its unit, and where it ends. */
export interface Amount {
  readonly value: number;
  readonly within: number;
  readonly end: number;
  readonly dimension?: string;
}

/** The number that begins at a token, in digits or words; null if none does. */
export function amountAt(
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
): Amount | null {
  const token = tokens[at];
  const word = words[at] ?? '';
  const next = words[at + 1] ?? '';
  if (token === undefined || token.kind === 'mark') return null;
  const month = MONTHS.get(word);
  if (month !== undefined && word !== '-' && isMonth(tokens, words, at)) {
    return { value: month, within: 0, end: at + 1, dimension: 'month' };
  }
  if (token.kind === 'number') return numberAt(tokens, words, at);
  if (token.kind === 'han') return word === '一半' || word === '半数' ? share(1, 2, at + 1) : null;
  const part = partOf(word);
  if (word === 'half' || word === 'halves') return share(1, 2, at + 1);
  if (/^(?:a|an|one)$/.test(word) && partOf(next) !== undefined && words[at + 2] === 'of') {
    return share(1, partOf(next) ?? 1, at + 2);
  }
  if (word === 'quarter' && next === 'of') return share(1, 4, at + 1);
  if (part !== undefined && /s$/.test(word)) return null;
  const times = {
    twice: 2,
    double: 2,
    doubled: 2,
    doubling: 2,
    triple: 3,
    tripled: 3,
    quadrupled: 4,
    halved: 0.5,
  }[word];
  if (times !== undefined) return { value: times, within: 0, end: at + 1, dimension: 'times' };
  const ordinal =
    word === 'second' && /^(?:\d|one)/.test(words[at - 1] ?? '') ? undefined : ordinalOf(word);
  if (ordinal !== undefined && words[at - 1] !== 'at') {
    return { value: ordinal, within: 0, end: at + 1, dimension: 'ordinal' };
  }
  if (word === 'dozen') return { value: 12, within: 0, end: at + 1 };
  const scale =
    word === 'a' && /^(?:hundred|thousand|million|billion)$/.test(next) ? scaleOf(next) : undefined;
  if (scale !== undefined)
    return {
      value: scale * (words[at + 2] === 'thousand' ? 1_000 : 1),
      within: 0,
      end: words[at + 2] === 'thousand' ? at + 3 : at + 2,
    };
  const named = englishNumber(words, at);
  if (named === null) return null;
  const { value, end } = named;
  if (
    partOf(words[end] ?? '') !== undefined &&
    words[end + 1] !== '-' &&
    value < 100 &&
    words[end] !== 'second'
  ) {
    return share(value, partOf(words[end] ?? '') ?? 1, end + 1);
  }
  const hyphened = words[end] === '-' ? partOf(words[end + 1] ?? '') : undefined;
  if (
    hyphened !== undefined &&
    value < 100 &&
    words[end + 1] !== 'second' &&
    words[end + 2] !== '-'
  ) {
    return share(value, hyphened, end + 2);
  }
  const ratio = ratioAt(words, value, end);
  if (ratio !== null) return ratio;
  // “One of the largest”: not a figure.
  if (value === 1 && end === at + 1 && unitAt(tokens, words, end) === null) return null;
  if (words[end] === 'dozen') return { value: value * 12, within: 0, end: end + 1 };
  if (words.slice(end, end + 3).join(' ') === 'and a half') {
    return { value: value + 0.5, within: 0, end: end + 3 };
  }
  return { value, within: 0, end };
}

function share(part: number, of: number, end: number): Amount {
  return { value: part / of, within: 0, end, dimension: 'share' };
}

/** “one in five”, “nine out of ten”. */
function ratioAt(words: readonly string[], value: number, end: number): Amount | null {
  const of =
    words[end] === 'out' && words[end + 1] === 'of' ? end + 2 : words[end] === 'in' ? end + 1 : -1;
  const whole = of < 0 ? null : englishNumber(words, of);
  const isPart =
    whole !== null &&
    (whole.value === 5 || whole.value >= 10 || whole.value === 3 || whole.value === 4);
  return isPart && whole.value > value ? share(value, whole.value, whole.end) : null;
}

/** `May` and `March` are also other words: a month stands beside a number, or after a preposition. */
function isMonth(tokens: readonly Token[], words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  if (!/^\p{Lu}/u.test(tokens[at]?.text ?? '')) return false;
  if (word !== 'may' && word !== 'march' && word.length > 3) return true;
  return (
    tokens[at + 1]?.kind === 'number' ||
    tokens[at - 1]?.kind === 'number' ||
    /^(?:in|of|since|until|till|by|from|to|late|early|mid|last|and|between|during)$/.test(
      words[at - 1] ?? '',
    )
  );
}

function numberAt(tokens: readonly Token[], words: readonly string[], at: number): Amount | null {
  const text = tokens[at]?.text ?? '';
  const [, hours, minutes] = /^(\d+):(\d+)$/.exec(text) ?? [];
  if (hours !== undefined) {
    return {
      value: Number(hours) * 60 + Number(minutes),
      within: 0,
      end: at + 1,
      dimension: 'clock',
    };
  }
  if (!/^\d/.test(text)) return hanNumberAt(tokens, words, at);
  const { value, decimals } = plainNumber(text);
  let end = at + 1;
  const next = words[end] ?? '';
  const isAttached = tokens[end]?.spaced === false;
  if (isAttached && /^(?:st|nd|rd|th)$/.test(next)) {
    const isDay =
      value <= 31 &&
      (MONTHS.has(words[at - 1] ?? '') ||
        MONTHS.has(words[end + 1] ?? '') ||
        (words[end + 1] === 'of' && MONTHS.has(words[end + 2] ?? '')));
    return { value, within: 0, end: end + 1, dimension: isDay ? 'day' : 'ordinal' };
  }
  if (isAttached && next === 's' && /^\d0$|\d{3}0$/.test(text)) {
    return { value, within: 0, end: end + 1, dimension: 'decade' };
  }
  if (tokens[at - 1]?.text === '第') return { value, within: 0, end, dimension: 'ordinal' };
  if (next === '年' && value >= 1_000) return { value, within: 0, end: end + 1, dimension: 'year' };
  if (next === '月' || next === '月份')
    return { value, within: 0, end: end + 1, dimension: 'month' };
  if ((next === '日' || next === '号') && value <= 31)
    return { value, within: 0, end: end + 1, dimension: 'day' };
  if (next === '年' || next === '年前')
    return { value: value * 31_557_600, within: 0, end: end + 1, dimension: 'time' };
  if (next === '成') return { value: value / 10, within: 0, end: end + 1, dimension: 'share' };
  const isDay = Number.isInteger(value) && value <= 31 && value > 0 && decimals === 0;
  if (isDay && (isNamedMonth(tokens[at - 1]) || isNamedMonth(tokens[end]))) {
    return { value, within: 0, end, dimension: 'day' };
  }
  const last = 0.5 * 10 ** -decimals;
  let factor = 1;
  for (
    let scale = scaleAt(tokens, words, end, at);
    scale !== null;
    scale = scaleAt(tokens, words, end, at)
  ) {
    factor *= scale;
    end += 1;
    if (words[end] === 'of' || end - at > 3) break;
  }
  if (factor === 1) {
    const ratio =
      decimals === 0 && value < 100 && words[end] === 'out' ? ratioAt(words, value, end) : null;
    if (ratio !== null) return ratio;
  }
  return { value: value * factor, within: factor === 1 && decimals === 0 ? 0 : last * factor, end };
}

function isNamedMonth(token: Token | undefined): boolean {
  return token !== undefined && MONTHS.has(token.lower) && /^\p{Lu}/u.test(token.text);
}

function scaleAt(
  tokens: readonly Token[],
  words: readonly string[],
  end: number,
  at: number,
): number | null {
  const word = words[end] ?? '';
  const isAttached = tokens[end]?.spaced === false;
  if (word === 'm' && CURRENCY.test(words[at - 1] ?? '')) return 1e6;
  if (word === 'k') return isAttached ? 1e3 : null;
  if (word === 'b' && CURRENCY.test(words[at - 1] ?? '')) return 1e9;
  return scaleOf(word) ?? null;
}

function hanNumberAt(
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
): Amount | null {
  const text = tokens[at]?.text ?? '';
  const end = at + 1;
  const [whole, part] = text.split('分之');
  if (part !== undefined && whole !== undefined) {
    const of = whole === '百' ? 100 : chineseNumber(whole);
    const [head = '', rest = ''] = part.split('点');
    const decimals = rest === '' ? 0 : Number(`0.${chineseNumber(`〇${rest}`) ?? 0}`);
    const value = chineseNumber(head);
    return of === null || value === null || of === 0
      ? null
      : { ...share(value + decimals, of, end), within: 0 };
  }
  const value = chineseNumber(text);
  if (value === null) return null;
  const next = words[end] ?? '';
  if (tokens[at - 1]?.text === '第') return { value, within: 0, end, dimension: 'ordinal' };
  if (next === '成') return { value: value / 10, within: 0, end: end + 1, dimension: 'share' };
  if (next.startsWith('年') && text.length === 4)
    return { value, within: 0, end: end + 1, dimension: 'year' };
  if (next === '月' || next === '月份')
    return { value, within: 0, end: end + 1, dimension: 'month' };
  if ((next === '日' || next === '号') && value <= 31)
    return { value, within: 0, end: end + 1, dimension: 'day' };
  if (next === '年')
    return { value: value * 31_557_600, within: 0, end: end + 1, dimension: 'time' };
  return { value, within: 0, end };
}

/** `1,024.5`, `1.234.567` and `0,5` in one form. */
function plainNumber(text: string): { readonly value: number; readonly decimals: number } {
  let plain = text;
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) plain = text.replaceAll(',', '');
  else if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(text))
    plain = text.replaceAll('.', '').replace(',', '.');
  else plain = text.replace(',', '.');
  const value = Number.parseFloat(plain);
  const decimals = /^\d+\.(\d+)$/.exec(plain)?.[1]?.length ?? 0;
  return { value: Number.isFinite(value) ? value : 0, decimals };
}

/** The longest name of a unit from `at` on, of at most three tokens. */
export function unitAt(
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
): { readonly unit: Unit; readonly end: number } | null {
  // 40-tonne, 5-year
  const from = words[at] === '-' && tokens[at]?.spaced === false ? at + 1 : at;
  const speed = perHour(words, from);
  if (speed !== null) return speed;
  for (const length of [3, 2, 1]) {
    const taken = tokens.slice(from, from + length);
    if (taken.length < length) continue;
    const isHan = taken.every(({ kind }) => kind === 'han');
    const name = taken
      .map(({ text }) => text)
      .join(isHan ? '' : ' ')
      .replace(/ ?([%°]) ?/g, '$1');
    if (name.length > 30) continue;
    const joined = name
      .replace(/^per ?cent$/i, 'percent')
      .replace(/^degrees /i, 'degree ')
      .replace(/ hours?$/i, ' hour');
    const unit = unitNamed(joined) ?? unitNamed(joined.replace(/-| /g, ' '));
    if (unit !== null && isUnitHere(taken, unit, length)) return { unit, end: from + length };
  }
  return null;
}

function perHour(words: readonly string[], from: number) {
  const length = unitNamed(words[from] ?? '');
  const per = words.slice(from + 1, from + 3).join(' ');
  if (length?.dimension !== 'length' || !/^(?:per|an|a) hour$/.test(per)) return null;
  return { unit: { dimension: 'speed', factor: length.factor / 3_600 }, end: from + 3 };
}

/** Single letters are units only where they touch the number or are written as in the metric system. */
function isUnitHere(taken: readonly Token[], unit: Unit, length: number): boolean {
  const [first] = taken;
  if (length > 1 || first === undefined || first.text.length > 1 || first.kind !== 'word')
    return true;
  if (unit.dimension === 'voltage' || unit.dimension === 'current' || unit.dimension === 'data')
    return !first.spaced;
  return /^[mgtLlWJhsKk]$/.test(first.text);
}
