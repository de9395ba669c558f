import type { Bound, Figure } from './figures.ts';

/** How a figure of a claim relates to one of a source. */
export type FigureMatch = 'same' | 'bound' | 'unit' | 'different';

const PLAIN = new Set(['count', 'year']);
/** Never a number of something. */
const OWN_KIND = /^(?:month|day|ordinal|clock|decade)$/;

/** Whether the source's figure is the one that the claim gives: rounding is fine, more places than the source has are not. */
export function compareFigures(claim: Figure, source: Figure): FigureMatch {
  const { dimension } = claim;
  if (dimension === 'decade' && source.dimension === 'year') {
    const ten = dimension === 'decade' && claim.value < 100 ? source.value % 100 : source.value;
    return ten >= claim.value && ten < claim.value + 10 ? 'same' : 'different';
  }
  const isPlain = PLAIN.has(dimension) && PLAIN.has(source.dimension);
  if (dimension !== source.dimension && !isPlain) {
    if (claim.written !== source.written) return 'different';
    // One of them may leave its unit out: “an estimate of 3 billion”.
    const named = dimension === 'count' ? source.dimension : dimension;
    const isUnitless = dimension === 'count' || source.dimension === 'count';
    const isDate = [dimension, source.dimension].some((one) => OWN_KIND.test(one));
    const isLeftOut = named !== 'share' && (dimension === 'count' || named.startsWith('money'));
    return isUnitless && isLeftOut && !isDate ? 'same' : 'unit';
  }
  if (!isSameValue(claim, source)) return isWithinBound(claim, source) ? 'same' : 'different';
  return isSameBound(claim.bound, source.bound) ? 'same' : 'bound';
}

/**
 * Whether a figure is the difference or the sum of two others, or what is left of a whole: arithmetic that a
 * reader of both can check.
 */
export function isDerived(claim: Figure, figures: readonly Figure[]): boolean {
  const some = figures.slice(0, 40);
  const isSame = (value: number, dimension: string): boolean => {
    if (dimension !== claim.dimension) return false;
    return Math.abs(value - claim.value) <= Math.max(claim.within, Math.abs(claim.value) * 0.02);
  };
  return some.some((one, at) => {
    if (one.dimension === 'share' && isSame(1 - one.value, 'share')) return true;
    return some.slice(at + 1).some((other) => {
      const areYears = one.dimension === 'year' && other.dimension === 'year';
      if (areYears) return isSame(Math.abs(one.value - other.value) * 31_557_600, 'time');
      if (one.dimension !== other.dimension || one.dimension === 'day') return false;
      return (
        isSame(Math.abs(one.value - other.value), one.dimension) ||
        isSame(one.value + other.value, one.dimension)
      );
    });
  });
}

function isSameValue(claim: Figure, source: Figure): boolean {
  const difference = Math.abs(claim.value - source.value);
  const size = Math.max(Math.abs(claim.value), Math.abs(source.value));
  if (difference <= size * 1e-9) return true;
  const isConverted = claim.unit !== source.unit && !isSameScale(claim, source);
  const isAbout = claim.bound === 'about';
  if (claim.dimension === 'share')
    return (
      difference <= (isAbout ? 0.011 : 0.0051) &&
      (isAbout || isRounded(claim, source) || (size < 1 && claim.unit !== source.unit))
    );
  if (isConverted)
    return difference <= Math.max(claim.within, lastPlace(claim), size * (isAbout ? 0.03 : 0.006));
  return isRounded(claim, source) || (isAbout && isRoundedTo(claim, source));
}

function isSameScale(claim: Figure, source: Figure): boolean {
  const factor = (one: Figure): number => (one.written === 0 ? 1 : one.value / one.written);
  return Math.abs(factor(claim) / factor(source) - 1) < 1e-9;
}

/** The claim has fewer places than the source, and is what the source's rounds to. */
function isRounded(claim: Figure, source: Figure): boolean {
  return (
    claim.within > source.within && Math.abs(claim.value - source.value) <= claim.within * 1.001
  );
}

/** The source's figure rounds to the claim's, which is near it. */
function isRoundedTo(claim: Figure, source: Figure): boolean {
  if (!isSameScale(claim, source) && claim.dimension === 'temperature') return false;
  const difference = Math.abs(claim.written - source.written);
  const isNear = difference <= Math.abs(claim.written) * 0.04;
  return isNear && Math.abs(claim.value - source.value) <= lastPlace(claim);
}

/** Half of the last digit that is not zero, in the base unit: 5 for 470. */
function lastPlace({ written, value, within }: Figure): number {
  if (within > 0 || written === 0 || !Number.isFinite(written)) return within;
  let place = 1;
  while (written % (place * 10) === 0 && place < 1e12) place *= 10;
  return (0.5 * place * value) / written;
}

function isWithinBound(claim: Figure, source: Figure): boolean {
  if (source.bound !== 'exact' && source.bound !== claim.bound) return false;
  if (claim.bound === 'more')
    return source.value > claim.value && source.value < claim.value * 1.25;
  if (claim.bound === 'less') return source.value < claim.value && source.value > claim.value * 0.8;
  return false;
}

function isSameBound(claim: Bound, source: Bound): boolean {
  if (claim === source) return true;
  if (claim === 'exact') return source === 'about';
  if (claim === 'about') return source === 'exact';
  return false;
}

/** “The two of them”: counts that a text need not give. */
export function isSmallCount({ dimension, written }: Figure): boolean {
  return dimension === 'count' && Number.isInteger(written) && written <= 3;
}
