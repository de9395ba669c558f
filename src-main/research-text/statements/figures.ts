import { type Amount, amountAt, CURRENCY, unitAt } from './amounts.ts';
import { scaleOf } from './number-words.ts';
import type { Token } from './tokens.ts';
import { type Unit, unitNamed } from './units.ts';

/** What a text says about how exact a figure is. */
export type Bound = 'exact' | 'about' | 'more' | 'less';

/** A number with its unit. */
export interface Figure {
  /** In the base unit of its dimension. */
  readonly value: number;
  /** As written, without its unit; says how far it is rounded. */
  readonly written: number;
  /** Half of the last place that was written, in the base unit: `4.2 million` is within 50,000. */
  readonly within: number;
  /** `count`, `year`, `month`, `day`, `ordinal`, `share`, `times`, `money usd`, `length`, … */
  readonly dimension: string;
  readonly unit: string;
  readonly bound: Bound;
  /** The preposition before it: `from`, `to`, `by`, `since`, …; empty for none that matters. */
  readonly preposition: string;
  /** Tokens that it covers. */
  readonly start: number;
  readonly end: number;
}

const APPROXIMATE = new Set(
  'about around roughly approximately approx nearly almost circa some ~ ≈ 约 大约 近 将近 接近 大概 约为 约有 约占 左右'.split(
    ' ',
  ),
);
const MORE = new Set(
  'over above exceeding exceeded exceeds exceed least beyond 超过 超 至少 逾 高于 多于 大于 不少于 突破'.split(
    ' ',
  ),
);
const LESS = new Set(
  'under below most maximum 不到 不足 至多 最多 低于 少于 小于 不超过'.split(' '),
);
const PREPOSITIONS = new Set(
  'from to by since until till before after between 从 由 自 到 至 升至 降至 增至 减至 达到'.split(
    ' ',
  ),
);

/** The figures of a sentence, in order; they do not overlap. */
export function figuresOf(tokens: readonly Token[]): Figure[] {
  const words = tokens.map(({ lower }) => lower);
  const figures: Figure[] = [];
  for (let at = 0; at < tokens.length; ) {
    const found = figureAt(tokens, words, at);
    if (found === null) at += 1;
    else {
      figures.push(found);
      at = found.end;
    }
  }
  return withCompounds(withSharedUnits(figures, words), words);
}

/** “11 hours and 55 minutes” is one figure. */
function withCompounds(figures: readonly Figure[], words: readonly string[]): Figure[] {
  const merged: Figure[] = [];
  for (const figure of figures) {
    const last = merged.at(-1);
    const between = last === undefined ? '' : words.slice(last.end, figure.start).join(' ');
    const isPart =
      last !== undefined &&
      /^(?:and|,|零)?$/.test(between) &&
      last.dimension === figure.dimension &&
      /^(?:time|length|mass)$/.test(figure.dimension) &&
      figure.value < last.value / Math.max(1, last.written) &&
      figure.unit !== last.unit;
    if (!isPart) merged.push(figure);
    else {
      const value = last.value + figure.value;
      merged[merged.length - 1] = {
        ...last,
        value,
        within: figure.within,
        written: value,
        unit: 'compound',
        end: figure.end,
      };
    }
  }
  return merged;
}

function figureAt(tokens: readonly Token[], words: readonly string[], at: number): Figure | null {
  const amount = amountAt(tokens, words, at);
  if (amount === null) return null;
  const { within } = amount;
  const { value, dimension } = ofUnit(amount, tokens, words) ?? amount;
  const prefix = CURRENCY.test(words[at - 1] ?? '') ? unitNamed(words[at - 1] ?? '') : null;
  const from =
    dimension === undefined && amount.dimension === 'share' ? amount.end + 2 : amount.end;
  const after = dimension === undefined ? unitAt(tokens, words, from) : null;
  const unit = prefix ?? after?.unit ?? null;
  const end =
    prefix !== null && after?.unit.dimension !== prefix.dimension
      ? amount.end
      : (after?.end ?? amount.end);
  const isNegative = isMinus(tokens, at);
  const signed = isNegative ? -value : value;
  const kind = dimension ?? unit?.dimension ?? kindOf(tokens[at], value, end === at + 1);
  const start = prefix === null ? at : at - 1;
  return {
    ...{ value: based(signed, unit), written: signed, within: within * (unit?.factor ?? 1) },
    ...{
      dimension: kind,
      unit:
        after === null
          ? prefix === null
            ? ''
            : (words[start] ?? '')
          : words.slice(amount.end, end).join(' '),
    },
    ...{ bound: boundOf(words, start, end), preposition: prepositionOf(words, start), start, end },
  };
}

/** “Three quarters of a year”, “a tenth of a billion”: a fraction of a unit or scale. */
function ofUnit(
  { value, end, dimension }: Amount,
  tokens: readonly Token[],
  words: readonly string[],
): { readonly value: number; readonly dimension: undefined } | null {
  const scale = scaleOf(words[end + 2] ?? '');
  if (dimension === 'share' && words[end] === 'of' && scale !== undefined && scale >= 100) {
    return null;
  }
  if (dimension !== 'share' || words[end] !== 'of' || !/^(?:a|an|one)$/.test(words[end + 1] ?? ''))
    return null;
  return unitAt(tokens, words, end + 2) === null ? null : { value, dimension: undefined };
}

/** “minus 40”, “-40”, 零下40. */
function isMinus(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined) return false;
  if (before.lower === 'minus' || before.text === '零下' || before.text === '负') return true;
  return /^[-−]$/.test(before.text) && before.spaced && tokens[at]?.spaced === false;
}

function based(value: number, unit: Unit | null): number {
  return unit === null ? value : value * unit.factor + (unit.offset ?? 0);
}

function kindOf(token: Token | undefined, value: number, isBare: boolean): string {
  const isYear =
    isBare && /^[12]\d{3}$/.test(token?.text ?? '') && value >= 1_000 && value <= 2_100;
  return isYear ? 'year' : 'count';
}

function boundOf(words: readonly string[], start: number, end: number): Bound {
  const [before3, before2, before] = [
    words[start - 3] ?? '',
    words[start - 2] ?? '',
    words[start - 1] ?? '',
  ];
  const isNegated = /^(?:no|not|不)$/.test(before2) || /^(?:no|not|不)$/.test(before3);
  const after = words[end] ?? '';
  if (before === 'than') {
    if (/^(?:more|greater|larger|higher|longer|bigger|older|taller)$/.test(before2))
      return /^(?:no|not)$/.test(before3) ? 'less' : 'more';
    if (/^(?:less|fewer|lower|smaller|shorter|younger)$/.test(before2))
      return /^(?:no|not)$/.test(before3) ? 'more' : 'less';
  }
  if (before === 'to' && before2 === 'up') return 'less';
  if (before === 'of' && /^(?:maximum|most)$/.test(before2)) return 'exact';
  if (before === 'least' && before2 === 'at') return 'more';
  if (before === 'most' && before2 === 'at') return 'less';
  if (MORE.has(before) && before !== 'least') return isNegated ? 'less' : 'more';
  if (LESS.has(before) && before !== 'most' && before !== 'maximum') return 'less';
  if (
    /^(?:以上|多|余)/.test(after) ||
    (after === 'or' && /^(?:more|above|older)$/.test(words[end + 1] ?? ''))
  )
    return 'more';
  if (
    /^(?:以下|以内)/.test(after) ||
    (after === 'or' && /^(?:less|fewer|below|younger)$/.test(words[end + 1] ?? ''))
  )
    return 'less';
  if (APPROXIMATE.has(before) || (APPROXIMATE.has(before2) && before === 'a') || after === '左右')
    return 'about';
  return 'exact';
}

function prepositionOf(words: readonly string[], start: number): string {
  for (const back of [1, 2]) {
    const word = words[start - back] ?? '';
    if (word === 'to' && words[start - back - 1] === 'up') return '';
    if (PREPOSITIONS.has(word)) return word;
    if (!APPROXIMATE.has(word) && !/^(?:the|a|early|late|end|mid|of|be|only)$/.test(word))
      return '';
  }
  return '';
}

/** `from 7 to 9 percent`, `$3 to 4 million`: the first has the unit of the second. */
function withSharedUnits(figures: readonly Figure[], words: readonly string[]): Figure[] {
  return figures.map((figure, at) => {
    const next = figures[at + 1];
    const between = next === undefined ? '' : words.slice(figure.end, next.start).join(' ');
    const isRange = next !== undefined && /^(?:to|and|or|by|x|×|[-–—~至到])$/.test(between);
    const takesUnit =
      figure.dimension === 'count' &&
      isRange &&
      !/^(?:count|year|month|day|ordinal)$/.test(next.dimension);
    if (!takesUnit || next.written === 0 || next.dimension === 'temperature') return figure;
    const factor = next.value / next.written;
    return {
      ...figure,
      value: figure.written * factor,
      within: figure.within * factor,
      dimension: next.dimension,
      unit: next.unit,
    };
  });
}
