/** What the operators, functions and methods that languages share make of constants; null where that is not known. */

/** A value that a source states. */
export type Constant = number | string | readonly Constant[];

/** Of a value, and of a value within values; larger ones are not followed. Each item of a list counts as one. */
export const MOST_CHARS = 20_000;
const MOST_LEVELS = 50;

const SIZES = new WeakMap<
  readonly Constant[],
  { readonly chars: number; readonly levels: number }
>();

/** Whether a value is one that operations may take. Lists share their items, so their sizes are kept. */
export function isSmall(value: Constant | null): value is Constant {
  if (value === null) return false;
  const { chars, levels } = sizeOf(value);
  return chars <= MOST_CHARS && levels <= MOST_LEVELS;
}

function sizeOf(value: Constant): { readonly chars: number; readonly levels: number } {
  if (typeof value === 'number') return { chars: 1, levels: 0 };
  if (typeof value === 'string') return { chars: value.length, levels: 0 };
  const known = SIZES.get(value);
  if (known !== undefined) return known;
  let [chars, levels] = [value.length, 0];
  for (const item of value) {
    const size = sizeOf(item);
    chars += size.chars;
    levels = Math.max(levels, size.levels);
  }
  const size = { chars, levels: levels + 1 };
  SIZES.set(value, size);
  return size;
}

/** A text of so many pieces, if it is small. */
function joined(pieces: readonly string[], between = ''): string | null {
  const chars = pieces.reduce(
    (total, piece) => total + piece.length,
    between.length * pieces.length,
  );
  return chars <= MOST_CHARS ? pieces.join(between) : null;
}

/** Replaces matches as long as the text stays small; null if it would not. */
function replaced(text: string, pattern: RegExp | string, by: () => string): string | null {
  let chars = text.length;
  const made = text.replaceAll(pattern, () => {
    const piece = chars > MOST_CHARS ? '' : by();
    chars += piece.length;
    return piece;
  });
  return chars <= MOST_CHARS ? made : null;
}

export function formatted(value: Constant, format: string): string {
  const decimals = /\.(\d+)([f%])$/.exec(format);
  if (decimals === null || typeof value !== 'number') return String(value);
  const places = Math.min(20, Number(decimals[1]));
  return decimals[2] === '%' ? `${(value * 100).toFixed(places)}%` : value.toFixed(places);
}

export function combine(sign: string, left: Constant, right: Constant): Constant | null {
  if (typeof left === 'number' && typeof right === 'number') return arithmetic(sign, left, right);
  if (sign === '+') {
    if (Array.isArray(left) && Array.isArray(right)) {
      return left.length + right.length > MOST_CHARS ? null : [...left, ...right];
    }
    return Array.isArray(left) || Array.isArray(right) ? null : `${left}${right}`;
  }
  if (sign === '*' && typeof right === 'number') return repeated(left, right);
  if (sign === '*' && typeof left === 'number') return repeated(right, left);
  if (sign !== '%' || typeof left !== 'string') return null;
  const given = Array.isArray(right) ? right : [right];
  return replaced(left, /%[-+ 0#]{0,5}\d{0,9}(?:\.\d{1,9})?[dsfiu]/g, nextOf(given));
}

function arithmetic(sign: string, left: number, right: number): number | null {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '//':
      return Math.floor(left / right);
    case '%':
      return left % right;
    case '<<':
      return left * 2 ** right;
    case '>>':
      return Math.floor(left / 2 ** right);
    case '|':
      return left | right;
    case '&':
      return left & right;
    case '^':
      return left ^ right;
    default:
      return null;
  }
}

const MAX_REPEATS = 10_000;

function repeated(value: Constant, times: number): Constant | null {
  if (typeof value === 'number' || !(times <= MAX_REPEATS)) return null;
  const count = Math.max(0, Math.floor(times));
  if (typeof value === 'string') {
    const most = value === '' ? 0 : Math.ceil(MAX_REPEATS / value.length);
    return value.repeat(Math.min(count, most)).slice(0, MAX_REPEATS);
  }
  if (value.length * count > MOST_CHARS) return null;
  return Array.from({ length: count }, () => value).flat();
}

/** Takes the values one after the other, as texts. */
function nextOf(given: readonly Constant[]): () => string {
  let at = 0;
  return () => String(given[at++] ?? '');
}

/** As many decimal places as `toFixed` takes: programs may say anything. */
function placesOf(given: number): number {
  return Math.min(20, Math.max(0, given || 0));
}

/** As Python rounds: places below zero are tens, hundreds and so on. */
function rounded(value: number, places: number): number {
  if (!(places < 0)) return Number(value.toFixed(placesOf(places)));
  const unit = 10 ** Math.min(400, -Math.trunc(places));
  return Number.isFinite(unit) ? Math.round(value / unit) * unit : 0;
}

export function reversed(value: Constant): Constant | null {
  if (typeof value === 'string') return [...value].reverse().join('');
  return Array.isArray(value) ? value.toReversed() : null;
}

const numbers = (given: readonly Constant[]): number[] =>
  given.flat(2).flatMap((one) => (typeof one === 'number' ? [one] : []));

export function called(name: string, given: readonly Constant[]): Constant | null {
  const [first, second] = given;
  if (first === undefined) return null;
  const all = numbers(given);
  switch (name.replace(/^(?:Math|builtins|math|np|numpy|Number|String|statistics)\./, '')) {
    case 'chr':
    case 'fromCharCode':
    case 'fromCodePoint':
      return all
        .map((code) => (code >= 0 && code < 0x110000 ? String.fromCodePoint(code) : ''))
        .join('');
    case 'ord':
      return typeof first === 'string' ? (first.codePointAt(0) ?? 0) : null;
    case 'bytes':
    case 'bytearray':
      return String.fromCharCode(...all.slice(0, 1_000));
    case 'int':
    case 'parseInt':
      return Math.trunc(
        typeof second === 'number' ? Number.parseInt(String(first), second) : Number(first),
      );
    case 'float':
    case 'Number':
    case 'parseFloat':
    case 'Decimal':
    case 'BigInt':
      return Number(first);
    case 'str':
    case 'String':
    case 'repr':
      return String(first);
    case 'len':
      return typeof first === 'number' ? null : first.length;
    case 'sum':
      return all.reduce((total, one) => total + one, 0);
    case 'prod':
      return all.reduce((total, one) => total * one, 1);
    case 'mean':
    case 'average':
      return all.length === 0 ? null : all.reduce((total, one) => total + one, 0) / all.length;
    case 'max':
      return all.length === 0 ? null : Math.max(...all);
    case 'min':
      return all.length === 0 ? null : Math.min(...all);
    case 'abs':
      return typeof first === 'number' ? Math.abs(first) : null;
    case 'pow':
      return typeof first === 'number' && typeof second === 'number' ? first ** second : null;
    case 'round':
      return typeof first !== 'number' ? null : rounded(first, Number(second ?? 0));
    case 'floor':
    case 'ceil':
      return typeof first === 'number' ? Math.round(first) : null;
    case 'list':
    case 'tuple':
    case 'sorted':
    case 'Array.from':
      return typeof first === 'string' ? [...first] : first;
    case 'reversed':
      return reversed(first);
    case 'atob':
    case 'base64.b64decode':
    case 'b64decode':
      return Buffer.from(String(first), 'base64').toString('latin1');
    case 'bytes.fromhex':
    case 'bytearray.fromhex':
      return Buffer.from(String(first), 'hex').toString('latin1');
    case 'Buffer.from':
      return Buffer.from(String(first), second === 'hex' ? 'hex' : 'base64').toString('latin1');
    default:
      return null;
  }
}

export function method(value: Constant, name: string, given: readonly Constant[]): Constant | null {
  const [first, second] = given;
  switch (name) {
    case 'join':
      // Python joins a list by a string, JavaScript a string by a list.
      if (typeof value === 'string' && first !== undefined && typeof first !== 'number') {
        return joined([...first].map(String), value);
      }
      return Array.isArray(value) ? joined(value.map(String), String(first ?? ',')) : null;
    case 'format':
      return typeof value === 'string' ? replaced(value, /\{[^{}]*\}/g, nextOf(given)) : null;
    case 'replace':
    case 'replaceAll':
      return typeof value === 'string' && first !== undefined
        ? replaced(value, String(first), () => String(second ?? ''))
        : null;
    case 'split':
      return typeof value === 'string' ? value.split(String(first ?? ' ')) : null;
    case 'reverse':
      return reversed(value);
    case 'concat':
      return typeof value === 'string' ? value + given.map(String).join('') : null;
    case 'repeat':
      return typeof value === 'string' ? repeated(value, Number(first)) : null;
    case 'toFixed':
      return typeof value === 'number' ? value.toFixed(placesOf(Number(first ?? 0))) : null;
    case 'toString':
    case 'decode':
    case 'encode':
    case 'strip':
    case 'trim':
      return Array.isArray(value) ? null : String(value);
    default:
      return null;
  }
}
