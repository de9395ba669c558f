/** What stands for no value. */
const NO_VALUE = /^(?:|n\/?a|nan|null|none|[-–—])$/i;
const SIGNS = /^[$€£¥₹][ ]*|[ ]*[$€£¥₹%]$/g;
const WITH_POINT =
  /^[+-]?(?:\d+|\d{1,3}(?:[, '\u00a0\u2009\u202f]\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?:\.\d+)?(?:e[+-]?\d{1,3})?$|^[+-]?\.\d+$/i;
const WITH_COMMA = /^[+-]?(?:\d+|\d{1,3}(?:[. '\u00a0\u2009\u202f]\d{3})+)(?:,\d+)?$/;

export type DecimalMark = '.' | ',';

/**
 * The number of a value as people write it (“1,234.5”, “12 %”, “€ 5”); null where it stands for none. Undefined for
 * anything else: nothing is guessed.
 */
export function readNumber(given: unknown, mark: DecimalMark = '.'): number | null | undefined {
  if (given === null || given === undefined) return null;
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined;
  if (typeof given !== 'string' || given.length > 100) return undefined;
  const text = given.normalize('NFKC').trim().replace('−', '-');
  if (NO_VALUE.test(text)) return null;
  const bare = text.replace(SIGNS, '').replace(/^-[$€£¥₹][ ]*/, '-');
  if (!(mark === '.' ? WITH_POINT : WITH_COMMA).test(bare)) return undefined;
  const grouped = mark === '.' ? /[, '\u00a0\u2009\u202f]/g : /[. '\u00a0\u2009\u202f]/g;
  const number = Number(bare.replace(grouped, '').replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}

/** “1,234”: a thousand, or one and a bit. */
export function isAmbiguous(given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const [point, comma] = [readNumber(given), readNumber(given, ',')];
  return typeof point === 'number' && typeof comma === 'number' && point !== comma;
}
