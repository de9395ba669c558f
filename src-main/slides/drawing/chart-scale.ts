/** An axis: round numbers that hold all values. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly step: number;
}

const WANTED_TICKS = 5;
const ZERO_SHARE = 1 / 6;
/** What is larger than this cannot be scaled in floating point. */
const MOST = 1e290;

/**
 * A scale with about five round ticks. Like Excel, it begins at 0 where bars need it, and where the values differ by
 * more than a sixth of the largest.
 */
export function niceScale(values: readonly number[], fromZero: boolean): Scale {
  const known = values
    .filter((value) => Number.isFinite(value))
    .map((value) => Math.min(MOST, Math.max(-MOST, value)));
  const [least, most] = known.length === 0 ? [0, 0] : [Math.min(...known), Math.max(...known)];
  const far = Math.max(Math.abs(least), Math.abs(most));
  const hasZero = fromZero || most - least > far * ZERO_SHARE;
  const [low, high] = hasZero ? [Math.min(0, least), Math.max(0, most)] : [least, most];
  const span = high - low || Math.abs(high) || 1;
  const step = niceStep(span / WANTED_TICKS);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  const ticks = Array.from(
    { length: Math.min(last - first, 20) + 1 },
    (_, at) => (first + at) * step,
  );
  return { from: first * step, to: ticks.at(-1) ?? last * step, ticks, step };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const digit = rough / power;
  const nice = digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 2.5 ? 2.5 : digit <= 5 ? 5 : 10;
  return nice * power;
}

/** A tick as it is written: with the digits that its step needs, and short for large numbers. */
export function scaleLabel(tick: number, { step, ticks }: Scale): string {
  const largest = Math.max(...ticks.map(Math.abs));
  if (largest >= 1e15 || (largest > 0 && largest < 1e-4))
    return tick === 0 ? '0' : tick.toExponential(1);
  const digits = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const needed = Number(step.toFixed(digits)) === step || digits === 6 ? digits : digits + 1;
  return new Intl.NumberFormat('en-US', {
    ...{ minimumFractionDigits: needed, maximumFractionDigits: needed },
  }).format(tick === 0 ? 0 : tick);
}
